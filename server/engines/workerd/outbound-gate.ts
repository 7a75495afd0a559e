import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { endToEnd } from "../../kernel/end-to-end-headers";
import { withTimeout } from "../../kernel/with-timeout";
import { hostOf } from "../address-policy";
import { type Network, publicNetwork } from "../guarded-fetch";
import { OutboundRefusal, outboundAddress } from "../runtime/network/outbound-target";

/** From the lookup of a name to the response's headers; a call has less. */
const RESPONSE_TIMEOUT_MS = 30_000;
const DEFAULT_PORTS = { "http:": 80, "https:": 443 };

interface OutboundGate {
  network?: Network | undefined;
  requestsMax: number;
}

/** Sends the requests of workers, which have the form of a proxy's, to public addresses. Nothing else is reached. */
export function outboundGate({ network = publicNetwork, requestsMax }: OutboundGate): http.RequestListener {
  let open = 0;
  return (incoming, outgoing) => {
    if (open >= requestsMax) {
      const why = `At most ${requestsMax} outbound requests of a project run at once.`;
      return refuse(outgoing, new OutboundRefusal(429, why));
    }
    open++;
    outgoing.once("close", () => {
      open--;
    });
    pass(network, incoming, outgoing).catch((failure: unknown) => {
      if (outgoing.headersSent) outgoing.destroy();
      else refuse(outgoing, refusalOf(failure));
    });
  };
}

async function pass(network: Network, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const upstream = await withTimeout(RESPONSE_TIMEOUT_MS, connect(network, urlOf(incoming)), tooLate);
  outgoing.once("close", () => upstream.destroy());
  if (outgoing.destroyed) return void upstream.destroy();
  const response = await withTimeout(RESPONSE_TIMEOUT_MS, responseOf(upstream, incoming), tooLate);
  outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, endToEnd(response.rawHeaders));
  pipeline(response, outgoing, () => upstream.destroy());
}

async function connect(network: Network, url: URL): Promise<Duplex> {
  const protocol = url.protocol as keyof typeof DEFAULT_PORTS;
  const target = { hostname: hostOf(url), port: Number(url.port || DEFAULT_PORTS[protocol]) };
  const address = await outboundAddress(target, network);
  const upstream = network.connect({ protocol, address, ...target });
  upstream.on("error", () => undefined);
  return upstream;
}

/** Throws OutboundRefusal. */
function urlOf({ url: text = "" }: IncomingMessage): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && url.protocol in DEFAULT_PORTS) return url;
  throw new OutboundRefusal(400, "Only http: and https: URLs can be requested.");
}

const responseOf = (upstream: Duplex, incoming: IncomingMessage): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = urlOf(incoming);
    const headers = [...endToEnd(incoming.rawHeaders, ["host"]), "Host", url.host];
    const path = `${url.pathname}${url.search}`;
    const request = http.request({ createConnection: () => upstream, method: incoming.method ?? "GET", path, headers });
    upstream.once("error", reject);
    request.once("response", resolve).once("error", reject);
    pipeline(incoming, request, () => undefined);
  });

function refuse(outgoing: ServerResponse, { status, message }: OutboundRefusal): void {
  outgoing.writeHead(status, { connection: "close", "content-type": "text/plain" }).end(`svc: ${message}\n`);
}

const refusalOf = (failure: unknown): OutboundRefusal =>
  failure instanceof OutboundRefusal
    ? failure
    : new OutboundRefusal(502, "The connection to the server failed.", { cause: failure });

const tooLate = (): Error => new OutboundRefusal(504, "The server did not respond in time.");
