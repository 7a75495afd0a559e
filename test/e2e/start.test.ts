import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, connect as dial } from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileFolder } from "../factories/file-folder";
import { sampled } from "../factories/sampled";
import {
  freePort,
  interruptStart,
  type ServerOptions,
  startInVain,
  startServerProcess,
} from "../factories/server-process";

const base = fileFolder("svc-start-");
/** A data directory on which a server has run and was stopped. */
const usedDir = path.join(base, "used");

const demoFile = () => readFileSync(path.join(usedDir, "demo.json"), "utf8");

describe("a process that runs", () => {
  it("is ready, names its request in every answer, stops on SIGTERM and keeps its keys at the next start", async () => {
    const first = await startServerProcess({ dataDir: usedDir });
    // biome-ignore lint/suspicious/noConsole: a figure for the reader; a machine's speed is nothing to assert on.
    console.log(`ready after ${first.readyAfterMs} ms on an empty data directory`);
    const demo = demoFile();
    try {
      expect(statSync(path.join(usedDir, "demo.json")).mode & 0o777).toBe(0o600);
      await everyAnswerIsNamed(first.url);
      expect(await malformed(first.port, "GET / HTTP/1.1\r\n\r\n")).toMatch(NAMED_400);
      expect(await malformed(first.port, "NONSENSE\r\n\r\n")).toMatch(NAMED_400);
      expect(await malformed(first.port, `GET / HTTP/1.1\r\nHost: x\r\nx: ${"x".repeat(100_000)}\r\n\r\n`)).toMatch(
        NAMED_431,
      );
      expect(await malformed(first.port, "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(NAMED_400);

      const second = await startInVain({ dataDir: usedDir });
      expect(second).toEqual({
        ending: 1,
        sentences: [expect.stringContaining(`Another svc (process ${first.child.pid}) uses ${usedDir}: stop it`)],
      });
      expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    } finally {
      expect(await first.stop("SIGTERM")).toBe(0);
    }

    const again = await startServerProcess({ dataDir: usedDir, port: first.port });
    // biome-ignore lint/suspicious/noConsole: a figure for the reader; a machine's speed is nothing to assert on.
    console.log(`ready after ${again.readyAfterMs} ms on the same data directory`);
    try {
      expect(demoFile()).toBe(demo);
      const { server_key, browser_key } = again.demo.channel;
      expect(await offers(again.url, { "x-svc-api-key": server_key })).toBe(200);
      expect(await offers(again.url, { "x-svc-api-key": browser_key, origin: again.url })).toBe(200);
      const { live_key, test_key } = again.demo.api;
      for (const key of [live_key, test_key]) {
        const listed = await fetch(`${again.url}/v1/ads/channels`, { headers: { authorization: `Bearer ${key}` } });
        expect(listed.status).toBe(200);
      }
    } finally {
      expect(await again.stop("SIGINT")).toBe(0);
    }
  }, 400_000);
});

describe("a start that is under way", () => {
  it.each(sampled(["SIGTERM", "SIGINT"] as const, 1))(
    "ends cleanly with 0 on %s",
    async (signal) => {
      const dataDir = path.join(base, `interrupted-${signal}`);
      const stopped = { ending: 0, sentences: [] };
      expect(await interruptStart({ dataDir }, { said: "starting ClickHouse", signal })).toEqual(stopped);
      // The folder is free again, and nothing in it is in the way of the next start.
      expect(await interruptStart({ dataDir }, { said: "migrating PostgreSQL", signal })).toEqual(stopped);
    },
    240_000,
  );
});

describe("a process without the role web", () => {
  it("answers its probes and nothing else, and makes no demo", async () => {
    const worker = await startServerProcess({ dataDir: path.join(base, "worker"), env: { ROLE: "worker" } });
    try {
      const statusOf = async (at: string) => [at, (await fetch(worker.url + at)).status];
      for (const at of ["/healthz", "/readyz", "/metrics"]) expect(await statusOf(at)).toEqual([at, 200]);
      for (const at of ["/", "/dashboard", "/widget.js", "/api/v1/openapi.json", "/v1/ads/channels", "/api/trpc/x"]) {
        expect(await statusOf(at)).toEqual([at, 404]);
      }
      expect(existsSync(path.join(worker.dataDir, "demo.json"))).toBe(false);
    } finally {
      expect(await worker.stop("SIGTERM")).toBe(0);
    }
  });
});

const NAMED_400 = /^HTTP\/1\.1 400 [\s\S]*x-request-id: req_[0-9a-f]{24}\r\n[\s\S]*"code":"invalid_request"/i;

const NAMED_431 = /^HTTP\/1\.1 431 [\s\S]*x-request-id: req_[0-9a-f]{24}\r\n[\s\S]*"code":"invalid_request"/i;

/** What was sent, by method and path. */
async function everyAnswerIsNamed(url: string): Promise<void> {
  const paths = [
    "/",
    "/log-in",
    "/dashboard",
    "/demo",
    "/healthz",
    "/readyz",
    "/metrics",
    "/widget.js",
    "/no/such/page",
  ];
  const apis = ["/api/v1/offers", "/api/v1/openapi.json", "/api/v1/nothing", "/v1/ads/channels", "/v1/nothing"];
  const asked = [
    ...paths,
    ...apis,
    "/api/trpc/getBrowserSession",
    "/api/trpc/nothing",
    "/_next/static/none.js",
    "/icon.svg",
  ];
  for (const at of asked) {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
      const own = await fetch(url + at, { method, redirect: "manual", headers: { "x-request-id": "mine.1" } });
      expect([method, at, own.headers.get("x-request-id")]).toEqual([method, at, "mine.1"]);
      const minted = await fetch(url + at, { method, redirect: "manual" });
      expect([method, at, minted.headers.get("x-request-id")]).toEqual([
        method,
        at,
        expect.stringMatching(/^req_[0-9a-f]{24}$/),
      ]);
      await Promise.all([own.arrayBuffer(), minted.arrayBuffer()]);
    }
  }
}

const offers = async (url: string, headers: Record<string, string>): Promise<number> => {
  const body = JSON.stringify({ query: "wireless headphones" });
  const asked = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
  return (await fetch(`${url}/api/v1/offers`, asked)).status;
};

/** The whole answer to bytes that no HTTP client would send. */
const malformed = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const socket = dial(port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (chunk) => {
      answer += chunk;
    });
    socket.once("error", reject).once("close", () => resolve(answer));
  });

describe("a process that cannot start ends with 1 and one sentence that says what to do", () => {
  const refuses = async (options: Omit<ServerOptions, "dataDir"> & { dataDir?: string }, sentence: RegExp) => {
    const failed = await startInVain({ dataDir: path.join(base, "empty"), ...options });
    expect(failed).toEqual({ ending: 1, sentences: [expect.stringMatching(sentence)] });
  };

  it("on a port that is taken", async () => {
    const port = await freePort();
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(port, "0.0.0.0", resolve));
    try {
      await refuses({ port }, new RegExp(`^svc: Port ${port} is in use: stop .* PORT=${port + 1}\\.$`));
    } finally {
      holder.close();
    }
  });

  it("on a data directory that is a file", async () => {
    const file = path.join(base, "a-file");
    writeFileSync(file, "");
    await refuses({ dataDir: file }, /^svc: \S+\/a-file is a file, .*: remove it, or set SVC_DATA_DIR/);
  });

  it("on a data directory below a file", async () => {
    const file = path.join(base, "another-file");
    writeFileSync(file, "");
    await refuses(
      { dataDir: path.join(file, "data") },
      /^svc: \S+ is inside a path that is a file, .*: set SVC_DATA_DIR/,
    );
  });

  it("on a damaged demo.json", async () => {
    const text = demoFile();
    writeFileSync(path.join(usedDir, "demo.json"), "{");
    try {
      await refuses({ dataDir: usedDir }, /^svc: \S+demo\.json is damaged: restore it, or delete it/);
    } finally {
      writeFileSync(path.join(usedDir, "demo.json"), text);
    }
  });

  it("on a database of another PostgreSQL version", async () => {
    const file = path.join(usedDir, "postgres", "PG_VERSION");
    const version = readFileSync(file);
    writeFileSync(file, "12\n");
    try {
      await refuses(
        { dataDir: usedDir },
        /^svc: \S+ was written by PostgreSQL 12 .*: dump the database .* or set SVC_DATA_DIR/,
      );
    } finally {
      writeFileSync(file, version);
    }
  });

  const settings: [string, Record<string, string>, RegExp][] = [
    ["a PUBLIC_URL of another protocol", { PUBLIC_URL: "ftp://svc.example" }, /PUBLIC_URL: expected .*https:\/\//],
    ["a PUBLIC_URL that is none", { PUBLIC_URL: "svc.example" }, /PUBLIC_URL: expected/],
    ["a PORT that is no number", { PORT: "http" }, /PORT: expected a whole number from 0 to 65535/],
    ["a PORT that is too high", { PORT: "70000" }, /PORT: expected a whole number from 0 to 65535/],
    ["a PUBLIC_URL with a path", { PUBLIC_URL: "https://svc.example/ads" }, /PUBLIC_URL: expected no path/],
    ["REDIS_URL alone", { REDIS_URL: "redis://127.0.0.1:1" }, /REDIS_URL .*: set DATABASE_URL and CLICKHOUSE_URL too/],
    ["an unknown ROLE", { ROLE: "boss" }, /ROLE: .*web/],
    ["an unknown SVC_DEMO", { SVC_DEMO: "yes" }, /SVC_DEMO: .*on/],
    ["a proxy that is no network", { TRUSTED_PROXIES: "everybody" }, /TRUSTED_PROXIES: "everybody" .* 10\.0\.0\.0\/8/],
    [
      "DATABASE_URL without SVC_SECRET",
      { DATABASE_URL: "postgres://x@127.0.0.1:1/x" },
      /SVC_SECRET is required .*set it/,
    ],
    ["a SVC_SECRET that is short", { SVC_SECRET: "short" }, /SVC_SECRET: expected at least 32 characters/],
    [
      "a database that does not answer",
      { DATABASE_URL: "postgres://x@127.0.0.1:1/x", SVC_SECRET: "0123456789".repeat(4) },
      /The database of DATABASE_URL does not respond .*: check/,
    ],
    [
      "a TLS certificate that is not there",
      { TLS_CERT: "/no/cert", TLS_KEY: "/no/key" },
      /TLS_CERT: .* cannot be read/,
    ],
    ["a TLS certificate that is none", { TLS_CERT: "/dev/null", TLS_KEY: "/dev/null" }, /TLS_CERT and TLS_KEY must be/],
    ["a TLS certificate without its key", { TLS_CERT: "/no/cert" }, /TLS_CERT and TLS_KEY belong together: set both/],
  ];

  it.each(sampled(settings, 4))("with %s", (_name, env, sentence) => refuses({ env }, sentence));
});
