import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ByteBudget } from "../../kernel/byte-budget";
import type { ClientAddress } from "./client-address";
import { createHttpServer, type DirectPath, type ServerOptions, type ServerParts } from "./create-server";
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
  bodies?: ByteBudget;
  clientAddress?: ClientAddress;
  rest?: ServerParts["rest"];
  pageNames?: ServerParts["pageNames"];
}

const page: RequestListener = (_, outgoing) => void outgoing.end("a page");

/** A server on a port of its own, and what it logged. */
async function start({
  direct = [],
  pages = page,
  publicUrl = "http://svc.example",
  serving = true,
  ...more
}: Started = {}) {
  const logged: unknown[] = [];
  const refused: unknown[] = [];
  const log = {
    error: (line: unknown) => logged.push(line),
    info: (line: unknown, message: string) => refused.push([line, message]),
  } as unknown as ServerOptions["log"];
  const { server, serve } = createHttpServer({ tls: undefined, publicUrl, allowedHosts: [], log });
  if (serving) serve({ direct, pages, clientAddress: () => "203.0.113.9", ...more });
  running.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, logged, refused, port, url: `http://127.0.0.1:${port}` };
}

/** All bytes received until the connection ends. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  let answer = "";
  for await (const piece of socket.setEncoding("utf8")) answer += piece;
  return answer;
}

/** The id in the headers of a response and the one in its body. */
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

  it("of bytes that are not a request, a new one", async () => {
    const { port } = await start();
    const [inHeader, inBody] = idsOf(await raw(port, "NONSENSE\r\n\r\n"));
    expect(inHeader).toMatch(/^req_[0-9a-f]{24}$/);
    expect(inBody).toBe(inHeader);
  });
});

it("ignores expectations other than 100-continue", async () => {
  const { port } = await start();
  const answer = await raw(port, "GET / HTTP/1.1\r\nHost: svc.example\r\nExpect: 200\r\nConnection: close\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*a page$/);
});

it("logs errors that no surface caught, with their cause and the id that the caller got", async () => {
  const { url, logged } = await start({ direct: [BROKEN] });
  const answer = await fetch(`${url}/broken`, { headers: { "x-request-id": "mine.3" } });
  expect(await answer.text()).not.toContain("disk");
  const line = { request_id: "mine.3", path: "/broken", code: "internal", err: new Error("the disk is gone") };
  expect(logged).toEqual([expect.objectContaining(line)]);
});

describe("what has no path of svc", () => {
  const asked: string[] = [];
  const rest: NonNullable<ServerParts["rest"]> = {
    mayTake: (path) => /^\/[a-z-]+(\/|$)/.test(path),
    takes: async (path) => asked.push(path) > 0 && path.startsWith("/mine"),
    serve: (incoming, outgoing) => {
      if (incoming.headers.expect !== undefined) outgoing.writeContinue();
      incoming.resume().on("end", () => outgoing.end("the rest"));
    },
  };
  const direct: DirectPath[] = [{ path: "/healthz", answer: () => new Response("well") }];
  const options = { direct, rest, pageNames: new Set(["docs", ""]) };

  it("is for the surface that takes the rest, which is asked about no page and no direct path", async () => {
    const { url } = await start(options);
    const textOf = async (path: string, method = "GET") => (await fetch(url + path, { method })).text();
    asked.length = 0;
    for (const path of ["/", "/docs", "/docs/mine", "/UPPER", "/healthz/mine"])
      expect(await textOf(path)).toBe("a page");
    expect(await textOf("/healthz")).toBe("well");
    expect(asked).toEqual([]);
    expect(await textOf("/other/mine")).toBe("a page");
    expect([await textOf("/mine/a"), await textOf("/mine", "POST")]).toEqual(["the rest", "the rest"]);
    expect(asked).toEqual(["/other/mine", "/mine/a", "/mine"]);
    expect((await fetch(`${url}/other`, { method: "POST", body: "x" })).status).toBe(405);
  });

  it("is for pages while their names are not known", async () => {
    const { url } = await start({ rest, direct });
    expect(await (await fetch(`${url}/mine`)).text()).toBe("a page");
  });

  it.each([
    ["/mine", "200 OK"],
    ["/other", "405 Method Not Allowed"],
  ])("tells a client that waits with its body to go on: %s", async (path, status) => {
    const { port } = await start(options);
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: svc.example\r\nExpect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n\r\n`,
    );
    let answer = "";
    for await (const piece of socket) {
      if (answer === "" && String(piece).startsWith("HTTP/1.1 100 ")) socket.write("body");
      answer += piece;
    }
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 100 Continue\r\n\r\nHTTP/1\\.1 ${status}\r\n`));
  });
});

describe("bytes that never become a request", () => {
  it.each([
    ["too many headers", 431, `GET / HTTP/1.1\r\nHost: svc.example\r\nx: ${"x".repeat(100_000)}\r\n\r\n`],
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

  it("get no response while another one is being sent", async () => {
    const pages: RequestListener = (_, outgoing) => void outgoing.write("half a page");
    const { port } = await start({ pages });
    const answer = await raw(port, "GET / HTTP/1.1\r\nHost: svc.example\r\n\r\nNONSENSE\r\n\r\n");
    expect(answer).not.toContain("invalid_request");
  });

  it("are not mistaken for the response to the request before them", async () => {
    const { port } = await start({ pages: () => undefined });
    expect(await raw(port, "GET / HTTP/1.1\r\nHost: svc.example\r\n\r\nNONSENSE\r\n\r\n")).toBe("");
  });

  it("in a body get a response on the request's connection", async () => {
    const { port } = await start({ pages: (incoming) => void incoming.resume() });
    const head = "POST /api/x HTTP/1.1\r\nHost: svc.example\r\nTransfer-Encoding: chunked\r\n\r\n";
    expect(await raw(port, `${head}no length\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

it("a link from an email is not loaded in advance, and every other page is", async () => {
  const { url } = await start();
  const load = (path: string, headers: Record<string, string>) => fetch(url + path, { headers });
  for (const headers of [{ "Sec-Purpose": "prefetch;prerender" }, { Purpose: "prefetch" }, { "X-Moz": "prefetch" }]) {
    const { status, headers: sent } = await load("/verify-email?a=b&token=t", headers);
    expect([status, sent.get("cache-control"), sent.get("vary")]).toEqual([503, "no-store", "Sec-Purpose"]);
    expect((await load("/docs?page=token", headers)).status).toBe(200);
  }
  expect((await load("/verify-email?token=t", {})).status).toBe(200);
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

  it("is in every response when PUBLIC_URL is https", async () => {
    expect(await sent({ publicUrl: "https://svc.example" })).toEqual([HSTS, HSTS, HSTS, HSTS]);
    expect(await sent({ publicUrl: "https://svc.example", serving: false })).toEqual([HSTS, HSTS, HSTS, HSTS]);
  });

  it("is in none when it is http", async () => {
    expect(await sent({ publicUrl: "http://svc.example" })).toEqual([null, null, null, null]);
  });
});

it.each(["/é", "/?q=é"])("a target with bytes beyond ASCII is refused, not read as other text: %s", async (target) => {
  const { port } = await start();
  const answered = await raw(port, `GET ${target} HTTP/1.1\r\nHost: svc.example\r\nConnection: close\r\n\r\n`);
  expect(answered).toMatch(/^HTTP\/1\.1 400 /);
});

describe("a body", () => {
  it("may take longer than Node's own five minutes, and its headers may not", async () => {
    const { server } = await start();
    expect([server.requestTimeout, server.headersTimeout]).toEqual([0, 30_000]);
  });

  it("that continues after the response ends the connection", async () => {
    const { port } = await start();
    const answer = await raw(port, "POST /api/x HTTP/1.1\r\nHost: svc.example\r\nContent-Length: 100\r\n\r\nonly this");
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*a page/);
  });

  it("of JSON is rejected by its length and by its bytes, and the response arrives", async () => {
    const answer = (request: Request) => readJson(request, ["application/json"]).then(() => new Response("read"));
    const { port } = await start({ direct: [{ path: "/json", answer }] });
    const head = "POST /json HTTP/1.1\r\nHost: svc.example\r\nContent-Type: application/json\r\n";
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

describe("a response before the end of the body", () => {
  const MEBIBYTE = 1024 * 1024;
  const refuse: DirectPath = {
    path: "/upload",
    answer: () => new Response(`{"error":"${"x".repeat(200_000)}"}`, { status: 401 }),
  };

  it.each([
    ["of a direct path", "POST /upload", 401],
    ["of a page", "POST /log-in", 405],
    ["of one that reads a part", "POST /part", 413],
  ])("%s says that the connection ends, and arrives whole while the client still sends", async (_, line, status) => {
    const part: DirectPath = {
      path: "/part",
      answer: async (request) => {
        await request.body?.getReader().read();
        return new Response("x".repeat(200_000), { status: 413 });
      },
    };
    const { port } = await start({ direct: [refuse, part] });
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    let failure: unknown;
    const closed = once(socket, "close");
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", (cause) => {
      failure = cause;
    });
    socket.write(`${line} HTTP/1.1\r\nHost: svc.example\r\nContent-Length: ${200 * MEBIBYTE}\r\n\r\n`);
    // As slow as a slow client, so that the response arrives in the middle.
    const sending = setInterval(() => socket.writable && socket.write(Buffer.alloc(MEBIBYTE)), 20);
    await once(socket, "end");
    clearInterval(sending);
    expect(failure).toBeUndefined();
    socket.end();
    await closed;
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/^connection: close\r?$/im);
    expect(body.length).toBe(Number(/^content-length: (\d+)/im.exec(head)?.[1]));
  });

  it("to a client that never stops sending is the last thing on a connection that ends", async () => {
    const { port } = await start({ direct: [refuse] });
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined).resume();
    socket.write(`POST /upload HTTP/1.1\r\nHost: svc.example\r\nContent-Length: ${1024 ** 4}\r\n\r\n`);
    const sending = setInterval(() => socket.writable && socket.write(Buffer.alloc(MEBIBYTE)), 20);
    await once(socket, "close");
    clearInterval(sending);
  });

  it("does not run a request that follows it", async () => {
    let runs = 0;
    const count: DirectPath = { path: "/count", answer: () => new Response(String(++runs)) };
    const { port } = await start({ direct: [refuse, count] });
    const socket = connect(port, "127.0.0.1");
    const closed = once(socket.on("error", () => undefined).resume(), "close");
    socket.write(`POST /upload HTTP/1.1\r\nHost: svc.example\r\nContent-Length: 5\r\n\r\n`);
    await once(socket, "data");
    socket.write("12345POST /count HTTP/1.1\r\nHost: svc.example\r\nContent-Length: 0\r\n\r\n");
    await closed;
    expect(runs).toBe(0);
  });

  it("is no reason to end a connection whose body has come whole", async () => {
    const { port } = await start({ direct: [refuse, { path: "/ok", answer: () => new Response("second") }] });
    const upload = "POST /upload HTTP/1.1\r\nHost: svc.example\r\nContent-Length: 5\r\n\r\n12345";
    const answer = await raw(port, `${upload}GET /ok HTTP/1.1\r\nHost: svc.example\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer.split("HTTP/1.1 ")[1]).toMatch(/^connection: keep-alive\r$/im);
    expect(answer).toMatch(/second$/);
  });
});

describe("a request line for which Next would throw", () => {
  const thrower: RequestListener = () => {
    throw new Error("the pages were asked");
  };
  const ask = async (line: string, more = "") => {
    const started = await start({ pages: thrower });
    const sent = `${line} HTTP/1.1\r\nHost: svc.example\r\nConnection: close\r\n${more}`;
    const answer = await raw(started.port, `${sent}\r\n`);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    return { ...started, status: Number(head.split(" ")[1]), head, body };
  };

  it.each([
    ["broken percent-encoding", "GET /campaigns/%E0%A4%A", 400],
    ["NUL", "GET /campaigns/%00", 400],
    ["half of a surrogate pair", "GET /campaigns/%ED%A0%80", 400],
    ["a backslash", "GET /\\evil.test", 400],
    ["no path", "OPTIONS *", 400],
    ["TRACE", "TRACE /", 405],
    ["a method of WebDAV", "PROPFIND /", 405],
    ["a body for a page", "POST /log-in", 405],
  ])("with %s is rejected with a message, and logged in one line without a stack", async (_, line, status) => {
    const { status: got, head, body, logged, refused } = await ask(line);
    expect(got).toBe(status);
    expect(head).toMatch(/^content-type: text\/plain/im);
    expect(head.includes("\r\nallow: GET, HEAD")).toBe(status === 405);
    const [, id] = /^x-request-id: (\S+)\r?$/im.exec(head) ?? [];
    expect(body).toContain(`Request id: ${id}`);
    expect(logged).toEqual([]);
    expect(refused).toEqual([[expect.not.objectContaining({ err: expect.anything() }), expect.any(String)]]);
  });

  it("under an API is rejected with the usual error body", async () => {
    const { status, body } = await ask("GET /api/nothing/%E0%A4%A");
    expect([status, (JSON.parse(body) as { error: { code: string } }).error.code]).toEqual([400, "invalid_request"]);
  });

  it.each([
    ["/log-in", "application/x-www-form-urlencoded", "?"],
    ["/log-in?next=%2Foffers", "multipart/form-data; boundary=x", "?next=%2Foffers"],
    ["//evil.test/?a", "application/x-www-form-urlencoded", "?a"],
  ])("a form for %s, sent before the page's script ran, loads that page again", async (target, type, location) => {
    const { status, head } = await ask(`POST ${target}`, `Content-Type: ${type}\r\nContent-Length: 0\r\n`);
    expect(status).toBe(303);
    expect(/^location: (.*)\r?$/im.exec(head)?.[1]?.trim()).toBe(location);
  });

  it("opens no tunnel", async () => {
    const { port } = await start({ pages: thrower });
    expect(await raw(port, "CONNECT evil.test:80 HTTP/1.1\r\nHost: svc.example\r\n\r\n")).toBe("");
  });
});

describe("bodies of requests", () => {
  const MIB = 1024 * 1024;
  const reads: DirectPath = {
    path: "/read",
    answer: async (request) => Response.json({ bytes: (await request.arrayBuffer()).byteLength }),
  };
  const post = (from: string, length: number) =>
    `POST /read HTTP/1.1\r\nHost: svc.example\r\nX-From: ${from}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;

  it("that one client begins and never ends are 503 beyond its share, and those of another are read", async () => {
    const bodies = new ByteBudget(8 * MIB);
    const { port } = await start({
      direct: [reads],
      bodies,
      clientAddress: ({ headers }) => String(headers["x-from"]),
    });
    const stalling = Array.from({ length: 12 }, () => {
      const socket = connect(port, "127.0.0.1", () => socket.write(post("203.0.113.1", MIB)));
      return socket;
    });
    const refused = await Promise.race(stalling.map(async (socket) => String((await once(socket, "data"))[0])));
    expect(refused).toMatch(/^HTTP\/1.1 503 .*retry-after: 1\r\n.*"bodies_full"/is);
    for (const [from, length] of [
      ["203.0.113.1", 5],
      ["203.0.113.2", MIB],
    ] as const)
      expect(await raw(port, post(from, length) + "x".repeat(length))).toContain(`{"bytes":${length}}`);
    for (const socket of stalling) socket.destroy();
    // What they held is free again.
    await expect.poll(() => raw(port, post("203.0.113.1", MIB) + "x".repeat(MIB))).toContain(`{"bytes":${MIB}}`);
  });
});
