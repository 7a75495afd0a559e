import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Listening {
  url: string;
  port: number;
  /** Ends open connections too. */
  close: () => void;
}

/** A server of a test on a free port of 127.0.0.1. */
export async function listening(respond: RequestListener): Promise<Listening> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
}
