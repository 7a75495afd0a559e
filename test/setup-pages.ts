import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { build } from "../server/build/build.mjs";
import { type ServerProcess, startServerProcess } from "./factories/server-process";
import type { LentServer } from "./factories/shared-server";

declare module "vitest" {
  interface ProvidedContext {
    /** Responds to a GET with the `LentServer` that tests of pages share, and starts it before if it does not run. */
    pagesServerUrl: string;
  }
}

/**
 * Lends one running svc to all tests of pages, whichever process they run in. It starts with the first request for it,
 * and again if it has ended meanwhile; the end of the run stops it. Pages that were built before a change are built again.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await build({ print: (line) => process.stdout.write(`svc: ${line}\n`) });
  const { runFolder } = project.getProvidedContext();
  let running: Promise<ServerProcess> | undefined;
  const start = async (): Promise<ServerProcess> => {
    const forget = () => {
      running = undefined;
    };
    try {
      const server = await startServerProcess({ runFolder });
      server.child.once("exit", forget);
      return server;
    } catch (failure) {
      forget();
      throw failure;
    }
  };
  const lend = async (response: ServerResponse): Promise<void> => {
    try {
      running ??= start();
      const { url, port, dataDir } = await running;
      response.end(JSON.stringify({ url, port, dataDir } satisfies LentServer));
    } catch (failure) {
      response.writeHead(500).end(String(failure));
    }
  };
  const lender = createServer((_, response) => void lend(response)).listen(0, "127.0.0.1");
  await once(lender, "listening");
  project.provide("pagesServerUrl", `http://127.0.0.1:${(lender.address() as AddressInfo).port}`);
  return async () => {
    lender.close().closeAllConnections();
    const server = await running?.catch(() => undefined);
    await server?.stop();
  };
}
