import { ServiceError } from "../kernel/errors";
import type { Actor } from "./actor";
import type { Access } from "./operation";

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
  if (access !== "person") assertScope(actor, access);
  else if (actor.kind !== "person") {
    throw new ServiceError("forbidden", "Only a person who is logged in can do this, not an API key.");
  }
}

/** Throws `forbidden` (reason `scope_missing`). */
export function assertScope(actor: Actor, scope: string): void {
  if ((actor.scopes as ReadonlySet<string>).has(scope)) return;
  const caller = actor.kind === "key" ? "This key" : `The role ${actor.role}`;
  throw new ServiceError("forbidden", `${caller} does not have the scope ${scope}.`, {
    details: { reason: "scope_missing", scope },
  });
}
