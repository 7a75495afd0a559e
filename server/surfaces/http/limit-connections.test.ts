import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { request as secureRequest } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { CERT, makeTlsFiles } from "../../../test/factories/tls-files";
import { trusts } from "./client-address";
import { createHttpServer, type ServerOptions } from "./create-server";
import { limitConnections } from "./limit-connections";

/** Of clients on this machine, which have 16 times the limit. */
const OPEN_MAX = 64;
const running: { server: Server; sockets: Socket[] }[] = [];
afterEach(() => {
  for (const { server, sockets } of running.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close().closeAllConnections();
  }
});

/** A server whose page /held responds when a test ends its response. */
async function start({ tls, proxies = [] }: { tls?: ServerOptions["tls"]; proxies?: string[] } = {}) {
  const publicUrl = tls ? "https://localhost" : "http://localhost";
  const log = { error: () => undefined, info: () => undefined };
  const { server, serve } = createHttpServer({ tls, publicUrl, allowedHosts: ["127.0.0.1"], log });
  limitConnections(server, { perClient: OPEN_MAX / 16, isProxy: trusts(proxies) });
  const held: ServerResponse[] = [];
  serve({
    direct: [],
    clientAddress: () => "203.0.113.9",
    pages: ({ url }, outgoing) => void (url === "/held" ? held.push(outgoing) : outgoing.end("a page")),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  running.push({ server, sockets });
  const open = async (localAddress: string, bytes = "") => {
    const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect");
    socket.write(bytes);
    return socket;
  };
  const countOpen = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((failure, count) => (failure ? reject(failure) : resolve(count))),
    );
  return { port, held, open, countOpen };
}

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const textOf = async (socket: Socket) => {
  let text = "";
  for await (const piece of socket.setEncoding("utf8")) text += piece;
  return text;
};

describe("A opens 1,000 connections", () => {
  it("and sends nothing: A has no more than its own, and B goes on", async () => {
    const { port, open, countOpen } = await start();
    for (let i = 0; i < 1000; i++) await open("127.0.0.2");
    await expect.poll(countOpen).toBeLessThanOrEqual(OPEN_MAX);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("a page");
  });

  it("and its requests wait: another one gets 503, and B goes on", async () => {
    const { port, held, open } = await start();
    for (let i = 0; i < OPEN_MAX; i++) await open("127.0.0.2", GET("/held"));
    await expect.poll(() => held.length).toBe(OPEN_MAX);
    const refused = await textOf(await open("127.0.0.2"));
    expect(refused).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n(.+\r\n)*retry-after: 1\r\n/);
    expect(refused).toContain('"reason":"too_many_connections"');
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("a page");
    const [first] = held;
    if (first) await once(first.end("done"), "finish");
    const next = await open("127.0.0.2", GET("/"));
    expect(String((await once(next, "data"))[0])).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it("through a trusted proxy, which has no limit", async () => {
    const { open, countOpen } = await start({ proxies: ["127.0.0.0/8"] });
    for (let i = 0; i < 2 * OPEN_MAX; i++) await open("127.0.0.2");
    await expect.poll(countOpen).toBe(2 * OPEN_MAX);
  });

  it("and begins no handshake of TLS: A has no more than its own, and B goes on", async () => {
    const tls = makeTlsFiles();
    const { port, open, countOpen } = await start({ tls });
    for (let i = 0; i < 1000; i++) await open("127.0.0.2");
    await expect.poll(countOpen).toBeLessThanOrEqual(OPEN_MAX);
    const sent = secureRequest({ port, host: "127.0.0.1", servername: "localhost", ca: CERT, agent: false }).end();
    const [response] = await once(sent, "response");
    expect(response.statusCode).toBe(200);
    response.resume();
    tls.remove();
  });
});
