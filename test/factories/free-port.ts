import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that Linux and macOS give to outgoing connections and to `listen(0)`, above those that `fetch` refuses. */
const [LOWEST, HIGHEST] = [11_000, 32_767];

/** A port on which nothing listens, and that the system gives to nobody before the caller listens on it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
