import type { Logger } from "pino";
import { limitBody } from "../../kernel/limit-body";
import { logFailure } from "../../operation/log-failure";
import { requestMetaOf } from "../../operation/request-meta";
import { errorResponse, MethodNotAllowed } from "./error-response";
import type { Surface } from "./mount-rows";

/** Where the payment processor sends its messages. */
export const PAYMENT_EVENTS_PATH = "/v1/billing/stripe-webhook";
const LIMITS = { bytesMax: 1024 * 1024, totalMs: 30_000 };

interface PaymentEvents {
  /** Verifies the signature of a message and applies it. */
  receive: (message: { body: Buffer; signature: string }) => Promise<void>;
  log: Logger;
}

/**
 * Adds the path for messages of the payment processor to the surface. It is no operation: only the processor calls it, and
 * its signature is over the bytes of the body.
 */
export function withPaymentEvents(surface: Surface, { receive, log }: PaymentEvents): Surface {
  return {
    fetch: async (request, peer) => {
      const isHere = request.url.includes(PAYMENT_EVENTS_PATH) && new URL(request.url).pathname === PAYMENT_EVENTS_PATH;
      if (!isHere) return surface.fetch(request, peer);
      const meta = requestMetaOf(request, peer);
      const headers = { "x-request-id": meta.requestId, "cache-control": "no-store" };
      try {
        if (request.method !== "POST") throw new MethodNotAllowed(request.method, ["POST"]);
        const body = request.body
          ? await new Response(limitBody(request.body, LIMITS)).arrayBuffer()
          : new ArrayBuffer();
        await receive({ body: Buffer.from(body), signature: request.headers.get("stripe-signature") ?? "" });
        return Response.json({ received: true }, { headers });
      } catch (failure) {
        logFailure(log, failure, { request, meta });
        return errorResponse(failure, meta.requestId);
      }
    },
  };
}
