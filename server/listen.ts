import { createServer, type Server } from "node:net";
import type { Config } from "./config";

type Address = Pick<Config, "host" | "port">;

/** Resolves when the server listens; throws one sentence that says what to do. */
export function listen(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") {
        reject(
          new Error(
            `Port ${port} is in use: stop the program that uses it, or choose another one with PORT=${port + 1}.`,
          ),
        );
      } else if (error.code === "EACCES") {
        reject(
          new Error(`This user may not listen on port ${port}: choose one above 1023, for example with PORT=3000.`),
        );
      } else reject(error);
    });
    server.listen(port, host, resolve);
  });
}

/** Throws like `listen` if nothing can listen there now. */
export async function checkAddress(address: Address): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await new Promise((resolve) => server.close(resolve));
}
