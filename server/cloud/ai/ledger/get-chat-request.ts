import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { unseal } from "../../../kernel/secrets";
import { operation } from "../../cloud-operation";
import type { ChatLedgerCtx } from "./chat-ledger-ctx";
import { findRequest } from "./chat-log.sql";
import { ChatRequestWithBodies, toChatRequest } from "./chat-request";
import { chatRequestExample } from "./chat-request.example";
import { bodyContext, type StoredBody } from "./finished-row";

/** Returns a chat request, with what it said if that is stored. Throws `not_found`. */
export const getChatRequest = operation({
  id: "getChatRequest",
  summary: "Get a chat request, with its bodies if they are stored",
  access: "gateway:read",
  input: z.strictObject({ request: IdText.min(1) }),
  output: ChatRequestWithBodies,
  example: {
    input: { request: chatRequestExample.id },
    output: {
      ...chatRequestExample,
      has_bodies: true,
      bodies: {
        request: { text: '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Hello"}]}', is_cut: false },
        response: { text: "Hello! How can I help?", is_cut: false },
      },
    },
  },
  run: async (
    { sql, actor, encryptionKey }: ActorCtx & Pick<ChatLedgerCtx, "encryptionKey" | "sql">,
    { request: id },
  ) => {
    const own = actor.kind === "key" ? { projectId: actor.projectId, mode: actor.mode } : {};
    const row = await findRequest(sql, { id, tenantId: actor.tenantId, ...own });
    if (!row)
      throw new ServiceError("not_found", `No chat request of the last 30 days has the id "${id.slice(0, 80)}".`);
    const [request, response] = [row.request, row.response].map((sealed) => openBody(encryptionKey, id, sealed));
    return { ...toChatRequest(row), bodies: request && response ? { request, response } : null };
  },
});

function openBody(key: Buffer, id: string, sealed: string | null) {
  const text = sealed === null ? undefined : unseal(key, sealed, bodyContext(id));
  if (text === undefined) return undefined;
  const body = JSON.parse(text) as StoredBody;
  return { text: body.text, is_cut: body.isCut };
}
