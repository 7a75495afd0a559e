import { z } from "zod";
import { ownerPage } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { ChatUpstream, toChatUpstream } from "./chat-upstream";
import { chatUpstreamExample } from "./chat-upstream.example";
import type { ChatUpstreamCtx } from "./chat-upstream-ctx";

/** Lists the upstreams of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listChatUpstreams = operation({
  id: "listChatUpstreams",
  summary: "List your upstreams for chat models",
  access: "gateway:read",
  input: z.strictObject(ownerPage("upstreams")),
  output: pageOf(ChatUpstream),
  example: { input: { limit: 50 }, output: examplePage(chatUpstreamExample) },
  run: (ctx: ChatUpstreamCtx, input) =>
    pageOfOwner(ctx, { list: "chat_upstreams", input }, async (page) => {
      const rows = await ctx.db.chatUpstream.findMany(page);
      return rows.map(toChatUpstream);
    }),
});
