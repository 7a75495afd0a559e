import type { ActorCtx } from "../../../identity/identity-ctx";
import { type Actor, SCOPES, type Scope } from "../../../operation/actor";
import type { DesiredResource } from "./kind";

const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES);

/**
 * The context with which the effect of a resource is changed by functions of other nouns: on behalf of who created the
 * resource, whose access was checked then. Operations are run by `runAsCreator`.
 */
export function creatorCtx<Parts extends object>(
  parts: Parts,
  desired: DesiredResource,
  scopes = ALL_SCOPES,
): Parts & Pick<ActorCtx, "actor" | "request"> {
  // The entries of the audit log name the resource in place of a request.
  const request = { requestId: desired.rid, address: "", userAgent: "svc" };
  return { ...parts, actor: creatorOf(desired, scopes), request };
}

function creatorOf(
  { createdBy: { type, id }, tenantId, projectId, mode }: DesiredResource,
  scopes: ReadonlySet<Scope>,
): Actor {
  const common = { tenantId, scopes };
  return type === "api_key"
    ? { kind: "key", keyId: id, projectId, mode, ...common }
    : { kind: "person", userId: id, sessionId: "", role: "owner", ...common };
}
