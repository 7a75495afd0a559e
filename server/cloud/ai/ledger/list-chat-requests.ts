import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { listScope } from "../../../identity/list-scope";
import { ownerFilter } from "../../../identity/owner-fields";
import { ownerScope } from "../../../identity/projects/owner-scope";
import { idFloor } from "../../../kernel/ids";
import { fetchPage, PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { CHAT_REQUEST_ID_PREFIX } from "./begun-row";
import { requestFilters } from "./chat-fields";
import type { ChatLedgerCtx } from "./chat-ledger-ctx";
import { listRequests } from "./chat-log.sql";
import { ChatRequest, toChatRequest } from "./chat-request";
import { chatRequestExample } from "./chat-request.example";

/** Lists the chat requests of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listChatRequests = operation({
  id: "listChatRequests",
  summary: "List chat requests",
  description: "The log of the last 30 days, newest first. A refused request is in it too, with its `error_code`.",
  access: "gateway:read",
  input: z.strictObject({
    ...PageQuery.shape,
    ...requestFilters,
    ...ownerFilter("requests"),
  }),
  output: pageOf(ChatRequest),
  example: { input: { model: "gpt-4o-mini", status: "succeeded", limit: 50 }, output: examplePage(chatRequestExample) },
  run: async (ctx: ActorCtx & Pick<ChatLedgerCtx, "sql">, input) => {
    const { sql, actor } = ctx;
    const { key, model, status, from, to } = input;
    const { mode, projectId } = await ownerScope(ctx, input);
    const [fromId, untilId] = [from, to].map((at) => at && idFloor(CHAT_REQUEST_ID_PREFIX, at.getTime()));
    const filters = { mode, projectId, key, model, status, fromId, untilId };
    const page = await fetchPage(listScope(ctx, "chat_requests", filters), input, ({ after, take }) => {
      const toId = after ?? untilId;
      return listRequests(sql, { tenantId: actor.tenantId, projectId, mode, key, model, status, fromId, toId, take });
    });
    return { ...page, data: page.data.map(toChatRequest) };
  },
});
