import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { IdText } from "../../../identity/wire-text";
import { notFound } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { chatUpstreamTarget, ownChatUpstream, ownerOf, toChatUpstream } from "./chat-upstream";
import { chatUpstreamDeleted } from "./chat-upstream.events";
import { chatUpstreamExample } from "./chat-upstream.example";
import type { ChatUpstreamCtx } from "./chat-upstream-ctx";
import { announceUpstreamChange } from "./own-upstreams";

/** Deletes an upstream; requests that it is answering go on. Throws `not_found`, also if it is deleted already. */
export const deleteChatUpstream = operation({
  id: "deleteChatUpstream",
  summary: "Delete an upstream for chat models",
  access: "gateway:write",
  input: z.strictObject({ id: IdText }),
  output: z.void(),
  example: { input: { id: chatUpstreamExample.id }, output: undefined },
  run: async (ctx: ChatUpstreamCtx, { id }) => {
    const { db, actor } = ctx;
    await db.$transaction(async (tx) => {
      const row = await ownChatUpstream({ db: tx, actor }, id);
      const { count } = await tx.chatUpstream.deleteMany({ where: { id: row.id } });
      if (count === 0) throw notFound("chat upstream", id);
      const upstream = toChatUpstream(row);
      await recordAudit(tx, ctx, {
        action: "chat_upstream.deleted",
        targets: [chatUpstreamTarget(row)],
        details: upstream,
        events: [newEvent(chatUpstreamDeleted, upstream, ownerOf(row))],
      });
    });
    await announceUpstreamChange(ctx.counters, actor.tenantId);
  },
});
