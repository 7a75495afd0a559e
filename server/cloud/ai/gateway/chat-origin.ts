import { findProject } from "../../../identity/projects/find-project";
import { modeOf } from "../../../operation/actor";
import type { CallOptions } from "../../../operation/operation";
import type { ChatPayer } from "../ledger/chat-ledger";
import type { GatewayCtx } from "./gateway-ctx";
import type { ChatOrigin } from "./gateway-parts";

type ChatOwner = { mode?: "test" | "live" | undefined; project?: string | undefined };

/** For whose account a request is made: a key's own project and mode, or those that a person names. */
export async function payerOf({ db, actor }: Pick<GatewayCtx, "db" | "actor">, owner: ChatOwner): Promise<ChatPayer> {
  const { tenantId } = actor;
  const mode = modeOf(actor, owner.mode);
  if (actor.kind === "key" && owner.project === undefined) {
    return { tenantId, mode, projectId: actor.projectId, keyId: actor.keyId };
  }
  const { id: projectId } = await findProject(db, actor, owner.project);
  return { tenantId, mode, projectId, keyId: actor.kind === "key" ? actor.keyId : undefined };
}

/** Who asks. Read `options.signal` before anything else: it is created on demand. */
export async function originOf(
  ctx: Pick<GatewayCtx, "db" | "actor" | "request">,
  owner: ChatOwner,
  { signal = new AbortController().signal }: CallOptions = {},
): Promise<ChatOrigin> {
  return { actor: ctx.actor, request: ctx.request, signal, payer: await payerOf(ctx, owner) };
}
