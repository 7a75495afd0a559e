import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open, rename, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";

/**
 * The peer of object storage: the least that Node needs to store a request's body in a file and to send a file. Paths
 * below /synced/ sync the file before it gets its name.
 */
export async function serveFiles(parent: string): Promise<void> {
  const dir = await mkdtemp(path.join(parent || os.tmpdir(), "files-"));
  const server = createServer((request, response) => {
    const file = path.join(dir, (request.url ?? "").replaceAll("/", "_"));
    const answer = request.method === "PUT" ? store(request, file) : send(response, file);
    answer.then(
      () => response.headersSent || response.writeHead(200).end(),
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on("message", () => void rm(dir, { recursive: true, force: true }).then(() => process.exit(0)));
}

async function store(request: IncomingMessage, file: string): Promise<void> {
  const draft = `${file}.draft`;
  await pipeline(request, createWriteStream(draft));
  if (request.url?.startsWith("/synced/")) {
    const handle = await open(draft);
    await handle.sync();
    await handle.close();
  }
  await rename(draft, file);
}

async function send(response: ServerResponse, file: string): Promise<void> {
  const handle = await open(file);
  const { size } = await handle.stat();
  await handle.close();
  response.writeHead(200, { "content-length": size });
  await pipeline(createReadStream(file), response);
}
