import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import type { Runtime } from "../runtime";
import type { ConnectHead } from "./connect-remotely";
import { readHead } from "./wire";

interface Connection {
  id: string;
  request: IncomingMessage;
  response: ServerResponse;
}

/** Passes bytes between a caller and a port of a workload. Rejects before anything is sent if the port is closed. */
export async function serveConnection(
  runtime: Pick<Runtime, "connect">,
  { id, request, response }: Connection,
): Promise<void> {
  const { port } = (await readHead(request)) as ConnectHead;
  const connection = await runtime.connect(id, port);
  connection.on("error", () => undefined);
  response.once("close", () => connection.destroy());
  response.writeHead(200, { "content-type": "application/octet-stream" });
  response.flushHeaders();
  // The end of what the caller sends does not end what the port sends.
  request.pipe(connection, { end: false });
  pipeline(connection, response, () => undefined);
}
