import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

interface Asked {
  method?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
}

/** Requests URLs of any host from a port of this machine: not every machine resolves names below localhost. */
export function hostClient(port: number | string) {
  const agent = new http.Agent({ keepAlive: true });
  const open = (url: string, { method = "GET", headers = {} }: Omit<Asked, "body"> = {}) => {
    const { host, pathname, search } = new URL(url);
    const path = `${pathname}${search}`;
    return http.request({ agent, port, host: "127.0.0.1", method, path, headers: { host, ...headers } });
  };
  const ask = async (url: string, { body, ...asked }: Asked = {}) => {
    const request = open(url, asked);
    request.end(body);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const { statusCode: status, headers } = response;
    return { status, headers, body: await text(response) };
  };
  return { open, ask, close: () => agent.destroy() };
}
