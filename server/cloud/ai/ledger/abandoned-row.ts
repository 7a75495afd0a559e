import type { BegunRow, FinishedRow, ProgressRow } from "./chat-requests.sql";
import { costNanosOf } from "./cost";

export type AbandonedRequest = Omit<BegunRow, "reserved_nanos" | "reserved_tokens"> & {
  budget_ids: readonly string[];
  process_id: string;
};

/**
 * The bill of a request whose process has ended: what was passed on; without any progress nothing, because no client has
 * seen a part of the answer.
 */
export function abandonedRow(request: AbandonedRequest, progress: ProgressRow | undefined, at: Date): FinishedRow {
  const { input_picos, output_picos } = request;
  const [promptTokens, completionTokens] = [progress?.prompt_tokens ?? 0, progress?.completion_tokens ?? 0];
  const price = { inputPicos: BigInt(input_picos), outputPicos: BigInt(output_picos) };
  return {
    ...request,
    was_admitted: false,
    upstream: null,
    status: "cancelled",
    http_status: 499,
    error_code: "process_ended",
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    cost_nanos: String(costNanosOf({ promptTokens, completionTokens }, price)),
    is_estimated: true,
    is_cached: false,
    is_simulated: request.mode === "test",
    tries: 0,
    first_byte_ms: null,
    total_ms: Math.min(2_000_000_000, Math.max(0, at.getTime() - request.created_at.getTime())),
    finished_at: at,
    request_body: null,
    response_body: null,
  };
}
