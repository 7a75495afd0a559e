import { setImmediate } from "node:timers/promises";
import { classifyInboundRequest } from "@modelcontextprotocol/server";
import { ServiceError } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import { errorBody } from "../http/error-response";
import type { Exchange } from "./exchange";
import { rpcError } from "./rpc-error";
import { messageIn } from "./rpc-message";

const BATCH_MAX = 20;
/** Of the response to a batch: a message that would begin beyond it is not run. */
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;

/** Throws `invalid_request` for a batch of too many messages. */
export function assertBatchSize(body: unknown): void {
  if (!Array.isArray(body) || body.length <= BATCH_MAX) return;
  throw new ServiceError("invalid_request", `Send at most ${BATCH_MAX} messages in a batch.`);
}

/** Whether a body is a valid batch. An invalid one is refused as a whole, by the protocol's library. */
export const isBatch = (body: unknown): body is unknown[] =>
  Array.isArray(body) && classifyInboundRequest({ httpMethod: "POST", body }).kind === "legacy";

/**
 * The response to a batch: that of each message, one after the other, as if it had been sent alone. So each is counted,
 * and requests of others are handled in between. Sets `limits` of the exchange to those of the last message.
 */
export async function respondToBatch(
  exchange: Exchange,
  messages: readonly unknown[],
  respond: (exchange: Exchange, message: unknown) => Promise<Response>,
): Promise<Response> {
  const texts: string[] = [];
  let bytes = 0;
  for (const [at, message] of messages.entries()) {
    await setImmediate();
    if (exchange.request.signal.aborted) break;
    const own: Exchange = { ...exchange, limits: [] };
    let text: string | undefined;
    try {
      assertRoom(bytes);
      const response = await respond(own, message);
      // What the headers of the request are wrong about concerns every message.
      if (at === 0 && response.status >= 400) return response;
      text = await messageIn(response);
    } catch (failure) {
      // Nothing of the batch was run.
      if (at === 0) throw failure;
      text = refusalOf(message, failure, exchange);
    } finally {
      exchange.limits = own.limits;
    }
    if (text === undefined) continue;
    texts.push(text);
    bytes += Buffer.byteLength(text);
  }
  if (texts.length === 0) return new Response(null, { status: 202 });
  return new Response(`[${texts.join(",")}]`, { headers: { "content-type": "application/json" } });
}

function assertRoom(bytes: number): void {
  if (bytes < RESPONSE_BYTES_MAX) return;
  throw new ServiceError(
    "payload_too_large",
    `The response to the batch has reached ${RESPONSE_BYTES_MAX} bytes: this message was not run. Send it again in another request.`,
    { details: { reason: "batch_bytes" } },
  );
}

/** The response to a message that was not run; undefined for one that expects none. */
function refusalOf(message: unknown, failure: unknown, { meta }: Exchange): string | undefined {
  const { id, method } = message as { id?: string | number; method?: unknown };
  if (id === undefined || method === undefined) return undefined;
  return rpcError(errorBody(asServiceError(failure), meta.requestId), id);
}
