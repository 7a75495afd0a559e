import type { Logger } from "pino";
import { JoinNode, type NodeMembership } from "../../cloud/compute/nodes/join-node";
import type { PaymentMessage } from "../../cloud/money/billing/receive-payment-event";
import { limitBody } from "../../kernel/limit-body";
import { parseJson } from "../../kernel/parse-json";
import { strictText } from "../../kernel/strict-text";
import { logFailure } from "../../operation/log-failure";
import { parseInput } from "../../operation/parse-input";
import { requestMetaOf } from "../../operation/request-meta";
import { errorResponse, MethodNotAllowed } from "./error-response";
import type { Surface } from "./mount-rows";

/** Where the payment processor sends its messages, and where the agents of nodes join. */
const PAYMENT_EVENTS_PATH = "/v1/billing/stripe-webhook";
const NODE_JOINS_PATH = "/v1/nodes/join";
const LIMITS = { bytesMax: 1024 * 1024, totalMs: 30_000 };

interface Callbacks {
  /** Verifies the signature of a message and applies it. */
  receivePaymentEvent: (message: PaymentMessage) => Promise<void>;
  joinNode: (input: JoinNode) => Promise<NodeMembership>;
  log: Logger;
}

type CallbackHandler = (body: Buffer, headers: Headers) => Promise<object>;

/**
 * Adds the paths that only machines call, with credentials that are none of a tenant: a signature over the bytes of the
 * body, or a join token. They are no operations.
 */
export function withCallbacks(surface: Surface, { receivePaymentEvent, joinNode, log }: Callbacks): Surface {
  const answers = new Map<string, CallbackHandler>([
    [
      PAYMENT_EVENTS_PATH,
      async (body, headers) => {
        strictText(body);
        await receivePaymentEvent({ body, signature: headers.get("stripe-signature") ?? "" });
        return { received: true };
      },
    ],
    [NODE_JOINS_PATH, async (body) => joinNode(parseInput(JoinNode, parseJson(body)))],
  ]);
  return {
    fetch: async (request, peer) => {
      const answer = answers.get(new URL(request.url).pathname);
      if (!answer) return surface.fetch(request, peer);
      const meta = requestMetaOf(request, peer);
      const headers = { "x-request-id": meta.requestId, "cache-control": "no-store" };
      try {
        if (request.method !== "POST") throw new MethodNotAllowed(request.method, ["POST"]);
        const body = request.body
          ? await new Response(limitBody(request.body, LIMITS)).arrayBuffer()
          : new ArrayBuffer();
        return Response.json(await answer(Buffer.from(body), request.headers), { headers });
      } catch (failure) {
        logFailure(log, failure, { request, meta });
        return errorResponse(failure, meta.requestId);
      }
    },
  };
}
