import { z } from "zod";
import { listScope } from "../../identity/list-scope";
import { findProject } from "../../identity/projects/find-project";
import { IdText, ModeName } from "../../identity/wire-text";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import { ChatUpstream, toChatUpstream } from "./chat-upstream";
import { chatUpstreamExample } from "./chat-upstream.example";

export const ListChatUpstreams = z.strictObject({
  ...PageQuery.shape,
  mode: ModeName.optional().describe("The mode of a person's request (default: test); a key always uses its own mode"),
  project: IdText.optional().describe("Only upstreams of this project, by its id or name"),
});

/** Lists the upstreams of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listChatUpstreams = operation({
  id: "listChatUpstreams",
  summary: "List your upstreams for chat models",
  access: "gateway:read",
  cost: "cheap",
  input: ListChatUpstreams,
  output: pageOf(ChatUpstream),
  example: { input: { limit: 50 }, output: examplePage(chatUpstreamExample) },
  run: async (ctx: CloudCtx, input) => {
    const { db, actor } = ctx;
    const mode = modeOf(actor, input.mode);
    const isOfOne = actor.kind === "key" || input.project !== undefined;
    const projectId = isOfOne ? (await findProject(db, actor, input.project)).id : undefined;
    return fetchPage(listScope(ctx, "chat_upstreams", { mode, projectId }), input, async ({ after, take }) => {
      const rows = await db.chatUpstream.findMany({
        where: {
          ...{ tenantId: actor.tenantId, mode },
          ...(projectId !== undefined && { projectId }),
          ...(after !== undefined && { id: { lt: after } }),
        },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map(toChatUpstream);
    });
  },
});
