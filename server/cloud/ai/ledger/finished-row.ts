import { seal } from "../../../kernel/secrets";
import type { ChatOutcome } from "./chat-ledger";
import type { BegunRow, FinishedRow } from "./chat-requests.sql";
import { costNanosOf, picosOf, saneTokens } from "./cost";

/** Characters of a stored request or answer; the rest is cut off. */
const BODY_CHARACTERS_MAX = 65_536;
const HTTP_STATUS_MAX = 999;
const MS_MAX = 2_000_000_000;
const TEXT_MAX = 200;

/** A running request of this process. */
export interface Running {
  row: BegunRow;
  budgetIds: readonly string[];
  storesBodies: boolean;
  /** Resolves when the row is stored, or cannot be; undefined afterwards. */
  beginning?: Promise<void> | undefined;
}

export interface StoredBody {
  text: string;
  isCut: boolean;
}

export const bodyContext = (id: string): string => `chat_body:${id}`;

/** The row of a request that has ended: what it cost, and its bodies sealed. A cached answer costs nothing. */
export function finishedRow(
  { row, budgetIds, storesBodies }: Running,
  outcome: ChatOutcome,
  { processId, encryptionKey, at }: { processId: string; encryptionKey: Buffer; at: Date },
): FinishedRow {
  const { reserved_nanos: _nanos, reserved_tokens: _tokens, ...begun } = row;
  const tokens = saneTokens(outcome.usage ?? { promptTokens: 0, completionTokens: 0 });
  const price = outcome.price
    ? picosOf(outcome.price)
    : { inputPicos: BigInt(row.input_picos), outputPicos: BigInt(row.output_picos) };
  const sealed = (text: string): string => {
    const body: StoredBody = { text: text.slice(0, BODY_CHARACTERS_MAX), isCut: text.length > BODY_CHARACTERS_MAX };
    return seal(encryptionKey, JSON.stringify(body), bodyContext(row.id));
  };
  const bodies = storesBodies ? outcome.bodies : undefined;
  return {
    ...begun,
    budget_ids: budgetIds,
    process_id: processId,
    was_admitted: true,
    upstream: outcome.upstream?.slice(0, TEXT_MAX) ?? null,
    status: outcome.status,
    http_status: Math.min(HTTP_STATUS_MAX, Math.trunc(outcome.httpStatus)),
    error_code: outcome.errorCode?.slice(0, TEXT_MAX) ?? null,
    prompt_tokens: tokens.promptTokens,
    completion_tokens: tokens.completionTokens,
    cost_nanos: String(outcome.isCached ? 0n : costNanosOf(tokens, price)),
    is_estimated: outcome.usage?.isEstimated ?? false,
    is_cached: outcome.isCached,
    is_simulated: outcome.isSimulated || row.mode === "test",
    tries: outcome.tries,
    first_byte_ms: outcome.firstByteMs === undefined ? null : milliseconds(outcome.firstByteMs),
    total_ms: milliseconds(outcome.totalMs),
    finished_at: at,
    request_body: bodies ? sealed(bodies.request) : null,
    response_body: bodies ? sealed(bodies.response) : null,
  };
}

const milliseconds = (ms: number): number => Math.min(MS_MAX, Math.max(0, Math.round(ms)));
