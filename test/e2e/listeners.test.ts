import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { Client, type ClientConfig } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandOf, environmentOf, type Listener, listenersOf, processTree } from "../factories/process-tree";
import { type ServerProcess, startServerProcess } from "../factories/server-process";
import { waitFor } from "../factories/wait-for";
import { missingForWorkloads } from "../factories/workload-node";

/** Addresses of 127.0.0.1 and ::1 as the kernel writes them. */
const LOOPBACK = ["0100007F", "00000000000000000000000001000000"];
const secret = randomBytes(32).toString("hex");

/** The process tree is read from /proc. */
describe.runIf(process.platform === "linux")("a server with embedded engines", () => {
  let server: ServerProcess;
  let pids: number[];
  let listeners: Listener[];

  beforeAll(async () => {
    server = await startServerProcess({ env: { SVC_SECRET: secret, HTTP_CONNECTIONS_PER_ADDRESS: "4" } });
    pids = processTree(server.child.pid ?? 0);
    listeners = listenersOf(pids);
  });
  afterAll(() => server?.stop());

  const fileOf = (name: string): string => readFileSync(path.join(server.dataDir, name), "utf8");

  /** What a listener belongs to; a new one has to be named here, and tried below. */
  function ownerOf({ pid, port }: Listener): string {
    if (pid === server.child.pid && port === server.port) return "svc";
    const command = commandOf(pid);
    if (command.includes("sidecar.mjs")) return "clickhouse";
    if (command.includes("start-programs.pl")) return "programs";
    if (path.basename(command.split(" ")[0] ?? "") === "postgres") return "postgres";
    return `unknown: ${command}`;
  }

  const portOf = (owner: string): number => listeners.find((one) => ownerOf(one) === owner)?.port ?? 0;

  it("listens on three ports, and its engines on the loopback address alone", () => {
    expect(pids.length).toBeGreaterThan(3);
    // The runtime of pods is opened beside the start.
    const ports = listeners.filter((listener) => ownerOf(listener) !== "programs");
    const found = ports.map((one) => `${ownerOf(one)} ${one.kind.replace("6", "")}`).sort();
    expect(found).toEqual(["clickhouse tcp", "postgres tcp", "svc tcp"]);
    for (const one of ports.filter((listener) => ownerOf(listener) !== "svc")) {
      expect(LOOPBACK).toContain(one.address);
    }
  });

  it.each(["/v1/ads/channels", "/v1/ads/campaigns", "/api/v1/offers"])("svc refuses %s without a key", async (at) => {
    const method = at.startsWith("/api") ? "POST" : "GET";
    const reply = await fetch(server.url + at, { method, headers: { origin: "http://evil.test" } });
    expect(reply.status).toBe(401);
  });

  it("svc serves B while A has opened 200 idle connections, of which A keeps the newest 64", async () => {
    const opened = Array.from({ length: 200 }, () =>
      connect({ port: server.port, host: "127.0.0.1", localAddress: "127.0.0.2" }).on("error", () => undefined),
    );
    await expect.poll(() => opened.filter(({ closed }) => closed).length, { timeout: 30_000 }).toBe(136);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    for (const socket of opened) socket.destroy();
  });

  const query = `/?query=${encodeURIComponent("SELECT 1")}`;
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

  it.each<[string, string, RequestInit]>([
    ["no credentials", query, {}],
    ["an origin", query, { headers: { origin: "http://evil.test" } }],
    ["a POST", "/", { method: "POST", body: "SELECT 1", headers: { origin: "http://evil.test" } }],
    ["a preflight", "/", { method: "OPTIONS", headers: { origin: "http://evil.test" } }],
    ["the user default", query, { headers: { authorization: basic("default", "") } }],
    ["a wrong password", query, { headers: { authorization: basic("svc", "wrong") } }],
    ["a user in the address", `${query}&user=default&password=`, {}],
    ["a token", query, { headers: { "x-svc-token": "x", authorization: basic("svc", "") } }],
    ["/ping", "/ping", {}],
    ["/play", "/play", {}],
    ["/dashboard", "/dashboard", {}],
    ["/metrics", "/metrics", {}],
  ])("ClickHouse refuses %s", async (_, at, init) => {
    const reply = await fetch(`http://127.0.0.1:${portOf("clickhouse")}${at}`, init);
    expect([404, 501]).toContain(reply.status);
    expect(await reply.text()).not.toMatch(/^(1|Ok)/);
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each<[string, ClientConfig & { replication?: string }]>([
    ["postgres without a password", { user: "postgres", password: "" }],
    ["postgres with a wrong password", { user: "postgres", password: "postgres" }],
    ["postgres on another database", { user: "postgres", password: "", database: "template1" }],
    ["postgres as a replica", { user: "postgres", password: "", replication: "true" }],
    ["svc", { user: "svc", password: "" }],
    ["root", { user: "root", password: "" }],
    ["nobody", { user: "nobody", password: "nobody" }],
  ])("Postgres refuses %s", async (_, login) => {
    const client = new Client({ host: "127.0.0.1", port: portOf("postgres"), database: "svc", ...login });
    client.on("error", () => undefined);
    // Nobody may get as far as a query, whatever the reason is called.
    await expect(client.connect().finally(() => client.end())).rejects.toThrow(/password|pg_hba\.conf/);
  });

  it.skipIf(missingForWorkloads())(
    "the process that starts programs refuses every other process than svc",
    async () => {
      const { kind, address } = await waitFor(() => {
        const own = listenersOf(processTree(server.child.pid ?? 0)).find((one) => ownerOf(one) === "programs");
        if (!own) throw new Error("No program has been started yet.");
        return own;
      });
      expect([kind, address[0]]).toEqual(["unix", "@"]);
      await once(connect(`\0${address.slice(1)}`).resume(), "end");
    },
  );

  it("tells its secrets in no argument, environment of a child, or log", () => {
    const { port: _port, ...access } = JSON.parse(fileOf("clickhouse/svc-access.json")) as Record<string, string>;
    const secrets = { secret, postgres: fileOf("postgres.password").trim(), ...access };
    expect(Object.values(secrets).filter((value) => value.length < 32)).toEqual([]);
    const [own, ...children] = pids;
    const texts: [string, string][] = [
      ...pids.map((pid): [string, string] => [`arguments of ${commandOf(pid)}`, commandOf(pid)]),
      ...children.map((pid): [string, string] => [`environment of ${commandOf(pid)}`, environmentOf(pid)]),
      [`environment of svc`, environmentOf(own ?? 0).replace(`SVC_SECRET=${secret}`, "")],
      ["output", server.said()],
      ["engine.log", fileOf("clickhouse/engine.log")],
      ["postgres.log", fileOf("postgres.log")],
    ];
    for (const [name, value] of Object.entries(secrets)) {
      expect([name, ...texts.filter(([, text]) => text.includes(value)).map(([where]) => where)]).toEqual([name]);
    }
  });
});
