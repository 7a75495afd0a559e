import type { IncomingMessage } from "node:http";

/** How headers change between a client and a server inside a workload. */
export interface PassedHeaders {
  /** What the server receives, as alternating names and values, without those that frame the connection. */
  forServer(incoming: IncomingMessage): string[];
  /** What the client receives, as pairs. */
  fromServer(response: Pick<IncomingMessage, "rawHeaders" | "headers">): [name: string, value: string][];
}
