import { acceptsType, mediaTypeOf } from "../../kernel/media-type";
import type { Exchange } from "./exchange";
import { messageIn } from "./rpc-message";

const JSON_TYPE = "application/json";
const EVENTS_TYPE = "text/event-stream";
/** The media types that a client must accept, as the protocol's library looks for them: it does not know ranges. */
export const BOTH_TYPES = `${JSON_TYPE}, ${EVENTS_TYPE}`;

/**
 * Runs `respond` for a client that accepts JSON, in whichever way its header says so: the protocol's library wants both
 * names. Who accepts no events gets the message that they end with. Others are left to the library, which refuses them.
 */
export async function inAcceptedForm(exchange: Exchange, respond: () => Promise<Response>): Promise<Response> {
  const { headers } = exchange.request;
  const accept = headers.get("accept");
  if (!acceptsType(accept, JSON_TYPE)) return respond();
  headers.set("accept", BOTH_TYPES);
  const response = await respond();
  if (acceptsType(accept, EVENTS_TYPE) || mediaTypeOf(response.headers.get("content-type")) !== EVENTS_TYPE) {
    return response;
  }
  const { status } = response;
  const message = await messageIn(response);
  if (message === undefined) return new Response(null, { status: 202 });
  return new Response(message, { status, headers: { "content-type": JSON_TYPE } });
}
