import { newId } from "../../../kernel/ids";
import type { ChatStart, ChatUsage } from "./chat-ledger";
import type { BegunRow, ProgressRow } from "./chat-requests.sql";
import { picosOf, reservationOf, saneTokens } from "./cost";

export const CHAT_REQUEST_ID_PREFIX = "chr";
const MODEL_CHARACTERS_MAX = 200;

/** The row of a request that begins, with a new id and what it reserves. */
export function begunRow(start: ChatStart, now: Date): BegunRow {
  const price = picosOf(start.price);
  const reserved = reservationOf(start, price);
  return {
    id: newId(CHAT_REQUEST_ID_PREFIX, now.getTime()),
    request_id: start.requestId,
    tenant_id: start.tenantId,
    project_id: start.projectId,
    mode: start.mode,
    key_id: start.keyId ?? null,
    endpoint: start.endpoint,
    model: textOf(start.model),
    is_stream: start.isStream,
    prompt_tokens: saneTokens({ promptTokens: start.promptTokens, completionTokens: 0 }).promptTokens,
    input_picos: String(price.inputPicos),
    output_picos: String(price.outputPicos),
    reserved_nanos: String(reserved.nanos),
    reserved_tokens: reserved.tokens,
    created_at: now,
  };
}

/** Without NUL, which Postgres does not store. */
const textOf = (text: string): string => text.replaceAll("\0", "").slice(0, MODEL_CHARACTERS_MAX);

/** The row that says how far a stream is. */
export function progressRow(id: string, usage: ChatUsage): ProgressRow {
  const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = saneTokens(usage);
  return { id, prompt_tokens, completion_tokens };
}
