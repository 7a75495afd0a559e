import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Resource } from "../../server/cloud/core/records/resource";
import { hasRedisServer, type RedisServer, startRedisServer } from "../contract/redis-server";
import { eventually } from "../factories/app";
import { type ServerProcess, startServerProcess } from "../factories/server-process";

const PROCESSES = 2;
/** Connections of their own, which any process may accept. */
const VISITS = 24;
const SOON = { timeout: 90_000, interval: 200 };

describe.skipIf(!hasRedisServer())("redirects of two web processes", () => {
  let redis: RedisServer;
  let server: ServerProcess;
  const dataDir = path.join(mkdtempSync(path.join(os.tmpdir(), "svc-edge-processes-")), "data");
  beforeAll(async () => {
    redis = await startRedisServer();
    const env = { SVC_WEB_PROCESSES: String(PROCESSES), REDIS_URL: redis.url };
    server = await startServerProcess({ dataDir, env });
    await eventually(async () => (await ready()) === PROCESSES, SOON.timeout);
    await call("POST", "/activations", { plane: "edge", service: "cdn", plan_tier: "enterprise" });
  });
  afterAll(async () => {
    await server?.stop();
    await redis?.close();
    rmSync(path.dirname(dataDir), { recursive: true, force: true });
  });

  async function call<T>(method: string, to: string, body?: object): Promise<{ status: number; body: T }> {
    const headers = { authorization: `Bearer ${server.demo.api.test_key}`, "content-type": "application/json" };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`http://localhost:${server.port}/v1${to}`, sent);
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }
  const create = (name: string, target: string) =>
    call<Resource>("POST", "/resources", { plane: "edge", service: "cdn", kind: "redirect", name, spec: { target } });
  const read = async (rid: string) => (await call<Resource>("GET", `/resources/${rid}`)).body;
  const state = async (rid: string) => (await read(rid)).state;
  const urlOf = ({ endpoints: [endpoint] }: Resource): string => endpoint?.url ?? "";

  /** How the processes respond at a host. */
  async function responses(url: string): Promise<string[]> {
    return [...new Set(await Promise.all(Array.from({ length: VISITS }, () => visit(server.port, url))))];
  }

  /** How many processes are ready, by what the metrics of all say. */
  async function ready(): Promise<number> {
    const text = await fetch(`http://localhost:${server.port}/metrics`).then((response) => response.text());
    return new Set([...text.matchAll(/^svc_wal_waiting_bytes\{process="(\d+)"\}/gm)].map(([, slot]) => slot)).size;
  }

  it("are served by both when they are ready, follow in both, and are gone in both when they are deleted", async () => {
    const { body: made } = await create("docs", "https://old.example/");
    await expect.poll(() => state(made.rid), SOON).toBe("ready");
    const url = urlOf(await read(made.rid));
    expect(await responses(url)).toEqual(["302 https://old.example/"]);
    for (const target of ["https://a.example/", "https://b.example/", "https://c.example/"]) {
      await call("PATCH", `/resources/${made.rid}`, { spec: { target } });
      await expect.poll(() => state(made.rid), { ...SOON, interval: 5 }).toBe("ready");
      expect(await responses(url)).toEqual([`302 ${target}`]);
    }
    await call("DELETE", `/resources/${made.rid}`);
    await expect.poll(async () => (await call("GET", `/resources/${made.rid}`)).status, SOON).toBe(404);
    expect(await responses(url)).toEqual(["404 undefined"]);
  });

  it("wait for a process that was killed no longer than its lease", async () => {
    const doomed = webProcesses(server.child.pid ?? 0).at(-1) ?? 0;
    process.kill(doomed, "SIGKILL");
    const { body: made } = await create("after", "https://after.example/");
    await expect.poll(() => state(made.rid), SOON).toBe("ready");
    await expect.poll(ready, SOON).toBe(PROCESSES);
    expect(webProcesses(server.child.pid ?? 0)).not.toContain(doomed);
    expect(await responses(urlOf(await read(made.rid)))).toEqual(["302 https://after.example/"]);
  });
});

function visit(port: number, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: new URL(url).host };
    request({ port, host: "localhost", path: "/", agent: false, headers }, (response) => {
      response.resume().on("end", () => resolve(`${response.statusCode} ${response.headers.location}`));
    })
      .on("error", reject)
      .end();
  });
}

/** The processes of a server that serve requests. */
function webProcesses(parent: number): number[] {
  return execFileSync("ps", ["-axww", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, of, stat, ...args]) => Number(of) === parent && !stat?.startsWith("Z") && /main\.mjs/.test(args.join(" ")),
    )
    .map(([pid]) => Number(pid));
}
