import { ServiceError } from "../kernel/errors";
import { type Actor, PLANES, type Scope } from "./actor";
import type { Access, PlaneAccess } from "./operation";

/** The caller that the credentials of a call identify. */
export interface Caller {
  actor?: Actor | undefined;
  /** Additional context for operations that this caller may call. */
  context?: object | undefined;
  /** The channel key of a publisher, on the offers API. */
  channelKey?: { keyId: string } | undefined;
  /** Why the credentials are invalid; thrown only where credentials are required, after the call was counted. */
  refusal?: unknown;
}

const NEEDS_NOTHING: ReadonlySet<Access> = new Set<Access>(["public", "offer_id", "pixel_token"]);

/** Throws `unauthorized` without valid credentials, `forbidden` without the required ones. */
export function authorize(access: Access, { actor, channelKey, refusal }: Caller): void {
  if (NEEDS_NOTHING.has(access)) return;
  if (refusal !== undefined) throw refusal;
  if (access === "channel_key") {
    if (!channelKey) throw new ServiceError("unauthorized", "Send a valid channel key in X-SVC-API-Key.");
    return;
  }
  if (!actor) {
    throw new ServiceError(
      "unauthorized",
      "Send a valid platform key or session token: Authorization: Bearer svc_live_… or svc_test_….",
    );
  }
  if (access === "signed_in") return;
  if (isOfPlanes(access)) assertSomeScope(actor, scopesOfPlanes(access));
  else if (access !== "person") assertScope(actor, access);
  else if (actor.kind !== "person") {
    throw new ServiceError("forbidden", "Only a person who is logged in can do this, not an API key.");
  }
}

export const isOfPlanes = (access: Access): access is PlaneAccess =>
  access === "plane:read" || access === "plane:write";

/** The scopes of which one is enough to call an operation on resources of any plane; its `run` checks the one that it needs. */
export const scopesOfPlanes = (access: PlaneAccess): Scope[] =>
  PLANES.map((plane): Scope => (access === "plane:read" ? `${plane}:read` : `${plane}:write`));

/** The scopes of which each alone is enough for an access that is not `public` or the like. */
export const scopesAllowing = (access: Access): readonly string[] =>
  isOfPlanes(access) ? scopesOfPlanes(access) : [access];

function assertSomeScope(actor: Actor, some: readonly Scope[]): void {
  if (some.some((scope) => actor.scopes.has(scope))) return;
  throw new ServiceError("forbidden", `${callerText(actor)} has none of the scopes ${some.join(", ")}.`, {
    details: { reason: "scope_missing", scope: some[0], scopes: some },
  });
}

/** Throws `forbidden` (reason `scope_missing`). */
export function assertScope(actor: Actor, scope: string): void {
  if ((actor.scopes as ReadonlySet<string>).has(scope)) return;
  throw new ServiceError("forbidden", `${callerText(actor)} does not have the scope ${scope}.`, {
    details: { reason: "scope_missing", scope },
  });
}

const callerText = (actor: Actor): string => (actor.kind === "key" ? "This key" : `The role ${actor.role}`);
