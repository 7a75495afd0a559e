import { Duplex, PassThrough } from "node:stream";
import { type RuntimeLink, unreachable } from "./runtime-link";
import { encodeHead } from "./wire";

/** The head of the request: the rest of its body is what is sent to the port, and the response what the port sends. */
export interface ConnectHead {
  port: number;
}

/** A connection to a port of a workload of another node. */
export async function connectRemotely(link: RuntimeLink, { id, port }: ConnectHead & { id: string }): Promise<Duplex> {
  const input = new PassThrough();
  input.on("error", () => undefined);
  input.write(encodeHead({ port } satisfies ConnectHead));
  const response = await link.open("POST", `/workloads/${encodeURIComponent(id)}/connect`, { body: input });
  const connection = Duplex.from({ readable: response, writable: input });
  connection.once("close", () => response.destroy());
  response.once("error", (cause) => connection.destroy(unreachable(cause)));
  return connection;
}
