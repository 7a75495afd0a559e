import type { IncomingMessage, ServerResponse } from "node:http";
import { type HostedResponse, locationOf } from "../../cloud/edge/workers/hosted-response";

/** Sends the response of a host that has no code. A change shows at once: nothing may be cached. */
export function sendHosted(
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  hosted: HostedResponse,
): void {
  // What is not read would keep the connection from its next request.
  incoming.resume();
  const common = { "cache-control": "no-store", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };
  if (hosted.type === "redirect") {
    outgoing.writeHead(hosted.status, {
      ...common,
      location: locationOf(hosted, incoming.url ?? "/"),
      "content-length": 0,
    });
    return void outgoing.end();
  }
  const { text, contentType } = hosted;
  outgoing.writeHead(200, { ...common, "content-type": contentType, "content-length": Buffer.byteLength(text) });
  outgoing.end(incoming.method === "HEAD" ? "" : text);
}
