import type { Socket } from "node:net";
import type { Client, PoolClient } from "pg";

/** Closes a connection without a message to the server, which might not respond. */
export const cut = (client: Client | PoolClient): void =>
  void (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
