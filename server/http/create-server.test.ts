import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpServer, type DirectPath, type ServerOptions } from "./create-server";
import { readJson } from "./read-body";

const HSTS = "max-age=63072000; includeSubDomains; preload";
const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.close().closeAllConnections();
});

interface Started {
  direct?: DirectPath[];
  pages?: RequestListener;
  publicUrl?: string;
  serving?: boolean;
}

const page: RequestListener = (_, outgoing) => void outgoing.end("a page");

/** A server on a port of its own, and what it logged. */
async function start({ direct = [], pages = page, publicUrl = "http://svc.example", serving = true }: Started = {}) {
  const logged: unknown[] = [];
  const log = { error: (line: unknown) => logged.push(line) } as unknown as ServerOptions["log"];
  const { server, serve } = createHttpServer({ tls: undefined, publicUrl, log });
  if (serving) serve({ direct, pages, clientAddress: () => "203.0.113.9" });
  running.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, logged, port, url: `http://127.0.0.1:${port}` };
}

/** All that comes back until the connection ends. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  let answer = "";
  for await (const piece of socket.setEncoding("utf8")) answer += piece;
  return answer;
}

/** The id in the headers of an answer and the one in its body. */
const idsOf = (answer: string) => [
  /^x-request-id: (\S+)\r$/im.exec(answer)?.[1],
  /"request_id":"([^"]+)"/.exec(answer)?.[1],
];

const BROKEN: DirectPath = {
  path: "/broken",
  answer: () => Promise.reject(new Error("the disk is gone")),
};

describe("every failure names one request id in its header and its body", () => {
  it.each([
    ["while svc is starting", { options: { serving: false }, path: "/", status: 503 }],
    ["of a direct path that breaks", { options: { direct: [BROKEN] }, path: "/broken", status: 500 }],
  ])("%s, the client's own", async (_, { options, path, status }) => {
    const { url } = await start(options);
    const answer = await fetch(url + path, { headers: { "x-request-id": "mine.1" } });
    const { error } = (await answer.json()) as { error: { request_id: string } };
    expect([answer.status, answer.headers.get("x-request-id"), error.request_id]).toEqual([status, "mine.1", "mine.1"]);
  });

  it("of a request without Host, the client's own", async () => {
    const { port } = await start();
    const answer = await raw(port, "GET / HTTP/1.1\r\nX-Request-ID: mine.2\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(idsOf(answer)).toEqual(["mine.2", "mine.2"]);
  });

  it("of bytes that are no request, a new one", async () => {
    const { port } = await start();
    const [inHeader, inBody] = idsOf(await raw(port, "NONSENSE\r\n\r\n"));
    expect(inHeader).toMatch(/^req_[0-9a-f]{24}$/);
    expect(inBody).toBe(inHeader);
  });
});

it("logs what no surface caught, with its cause and the id that the caller got", async () => {
  const { url, logged } = await start({ direct: [BROKEN] });
  const answer = await fetch(`${url}/broken`, { headers: { "x-request-id": "mine.3" } });
  expect(await answer.text()).not.toContain("disk");
  const line = { request_id: "mine.3", path: "/broken", code: "internal", err: new Error("the disk is gone") };
  expect(logged).toEqual([expect.objectContaining(line)]);
});

describe("bytes that never become a request", () => {
  it.each([
    ["too many headers", 431, `GET / HTTP/1.1\r\nHost: x\r\nx: ${"x".repeat(100_000)}\r\n\r\n`],
    ["nonsense", 400, "NONSENSE\r\n\r\n"],
  ])("%s: %i", async (_, status, bytes) => {
    const { port } = await start();
    expect(await raw(port, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"code":"invalid_request"`));
  });

  it("too slow: 408", async () => {
    const { port, server } = await start();
    server.once("connection", (socket: Socket) =>
      server.emit("clientError", Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket),
    );
    expect(await raw(port, "GET")).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it("are not answered into a response under way", async () => {
    const pages: RequestListener = (_, outgoing) => void outgoing.write("half a page");
    const { port } = await start({ pages });
    const answer = await raw(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\n");
    expect(answer).not.toContain("invalid_request");
  });

  it("are not taken for the answer of the request before them", async () => {
    const { port } = await start({ pages: () => undefined });
    expect(await raw(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\n")).toBe("");
  });

  it("in a body are answered on the request's connection", async () => {
    const { port } = await start({ pages: (incoming) => void incoming.resume() });
    const head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    expect(await raw(port, `${head}no length\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("Strict-Transport-Security", () => {
  const direct: DirectPath[] = [
    { path: "/ok", answer: () => new Response("ok", { headers: { "x-own": "1" } }) },
    BROKEN,
  ];
  const sent = async (options: Started) => {
    const { url, port } = await start({ direct, ...options });
    const answers = await Promise.all(["/", "/ok", "/broken"].map((path) => fetch(url + path)));
    const [, bare] = /^strict-transport-security: (.*)\r$/im.exec(await raw(port, "NONSENSE\r\n\r\n")) ?? [];
    return [...answers.map(({ headers }) => headers.get("strict-transport-security")), bare ?? null];
  };

  it("is in every answer when PUBLIC_URL is https", async () => {
    expect(await sent({ publicUrl: "https://svc.example" })).toEqual([HSTS, HSTS, HSTS, HSTS]);
    expect(await sent({ publicUrl: "https://svc.example", serving: false })).toEqual([HSTS, HSTS, HSTS, HSTS]);
  });

  it("is in none when it is http", async () => {
    expect(await sent({ publicUrl: "http://svc.example" })).toEqual([null, null, null, null]);
  });
});

describe("a body", () => {
  it("may take longer than Node's own five minutes, and its headers may not", async () => {
    const { server } = await start();
    expect([server.requestTimeout, server.headersTimeout]).toEqual([0, 30_000]);
  });

  it("that goes on after the answer ends the connection", async () => {
    const { port } = await start();
    const answer = await raw(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this");
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*a page/);
  }, 10_000);

  it("of JSON is refused by its length and by its bytes, and the refusal arrives", async () => {
    const answer = (request: Request) => readJson(request, ["application/json"]).then(() => new Response("read"));
    const { port } = await start({ direct: [{ path: "/json", answer }] });
    const head = "POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    const bytes = "x".repeat(300 * 1024);
    const length = `Content-Length: ${bytes.length}\r\n\r\n${bytes}`;
    const chunk = `Transfer-Encoding: chunked\r\n\r\n${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n`;
    for (const rest of [length, chunk]) {
      expect(await raw(port, `${head}Connection: close\r\n${rest}`)).toMatch(
        /^HTTP\/1\.1 413 [\s\S]*"payload_too_large"/,
      );
    }
  });
});
