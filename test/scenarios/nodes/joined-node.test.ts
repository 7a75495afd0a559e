import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJoinToken } from "../../../server/cloud/nodes/join-token";
import { listNodes, removeNode } from "../../../server/cloud/nodes/list-nodes";
import { deriveKey } from "../../../server/kernel/secrets";
import { eventually, type TestApp, testApp } from "../../factories/app";
import { shellLayer } from "../../factories/image-layers";
import { newPodClient, type PodClient } from "../../factories/pod-scene";
import { HTTP_SERVER, imageWithPerl, servePorts } from "../../factories/pod-server";
import { startRegistryDouble } from "../../factories/registry-double";
import { SHELL_CONFIG } from "../../factories/runtime-scene";
import { missingForWorkloads } from "../../factories/workload-machine";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const layer = missingForWorkloads() ?? (await shellLayer());
const skipped = typeof layer === "string" ? ` (skipped: ${layer})` : "";
const TICKS = 'trap "echo saved; exit 9" TERM; echo begin; while :; do sleep 0.05; done';

describe.skipIf(skipped)(`a machine that joins svc to run pods${skipped}`, () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "svc-node-"));
  let test: TestApp;
  let registry: Awaited<ReturnType<typeof startRegistryDouble>>;
  let shell: string;
  let client: PodClient;
  let server: Server;
  let url: string;
  let program: string;
  let address: string;
  let agent: ChildProcess;

  beforeAll(async () => {
    const builds = path.join(rootDir, ".build/test");
    mkdirSync(builds, { recursive: true });
    program = path.join(mkdtempSync(path.join(builds, "node-")), "cli.mjs");
    await build({
      entryPoints: [path.join(rootDir, "server/cli.ts")],
      ...{ outfile: program, bundle: true, packages: "external", platform: "node", format: "esm", logLevel: "warning" },
    });
    // This process runs no pods itself.
    test = await testApp();
    registry = await startRegistryDouble();
    if (typeof layer === "object") shell = registry.add("shell", { layers: [layer], config: SHELL_CONFIG }).reference;
    client = await newPodClient(test);
    server = createServer(async (request, response) => {
      const body = await text(request);
      const target = new URL(request.url ?? "/", "http://localhost");
      const asked = new Request(target, { method: request.method ?? "", body, headers: { host: "localhost" } });
      const answer = await test.app.platform.fetch(asked, { address: "127.0.0.1" });
      response.writeHead(answer.status).end(await answer.text());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    address = `127.0.0.1:${await freePort()}`;
  });
  afterAll(async () => {
    agent?.kill("SIGKILL");
    server?.close();
    await registry?.stop();
    await test?.stop();
    rmSync(path.dirname(program), { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function freePort(): Promise<number> {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }

  const token = (minutes: number) =>
    createJoinToken(deriveKey(test.engines.secret, "machines"), new Date(Date.now() + minutes * 60_000));

  function run(...args: string[]): ChildProcess {
    const env = { ...process.env, SVC_DATA_DIR: dataDir, LOG_LEVEL: "warn" };
    return spawn(process.execPath, [program, "svc", "node", "join", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env,
    });
  }

  async function start(...args: string[]): Promise<void> {
    agent = run(...args);
    agent.stderr?.pipe(process.stderr);
    const [line] = await once(agent.stdout as NodeJS.ReadableStream, "data");
    expect(String(line)).toContain(`listens on ${address}`);
  }

  const joining = () => ["--url", url, "--token", token(5), "--address", address, "--name", "second"];

  it("is told what is wrong with its token, its name or what it was not given", async () => {
    const failed = async (...args: string[]) => text(run(...args).stderr as NodeJS.ReadableStream);
    expect(await failed()).toContain("give --url and --token");
    const other = ["--url", url, "--address", address, "--token"];
    expect(await failed(...other, `svc_join_${"A".repeat(43)}`)).toContain("not one of this installation");
    expect(await failed(...other, token(-1))).toContain("has expired");
    expect(await failed("--url", url, "--token", token(5))).toContain("--address is missing");
  });

  it("runs pods, which survive its agent, and is driven again without a token", async () => {
    await start(...joining());
    await eventually(async () => (await listNodes(test.engines))[0]?.state === "reporting");
    const { id } = await client.create({ image: shell, command: ["/bin/sh", "-c", TICKS], memory_mb: 64 });
    await client.until(id, "ready");
    await client.said(id, "begin");
    const exec = () =>
      client.call<{ stdout: string }>(`/${id}/exec`, { body: { command: ["cat", "/proc/1/cmdline"] } });
    expect((await exec()).body.stdout).toContain("echo begin");
    agent.kill("SIGKILL");
    await once(agent, "exit");
    expect(await exec()).toMatchObject({
      status: 503,
      body: { error: { details: { reason: "machine_unreachable" } } },
    });
    await start();
    await eventually(async () => (await exec()).status === 200);
    expect(await listNodes(test.engines)).toMatchObject([{ name: "second", pods: 1, runtime: "namespaces" }]);
    await client.call(`/${id}/stop`, { method: "POST" });
    expect(await client.until(id, "stopped")).toMatchObject({ runs: 1, exit: { code: 9 } });
    expect(await client.logs(id)).toMatch(/^begin\n(Terminated\n)?saved\n$/);
    expect(await test.app.cloud.db.podUsage.count({ where: { podId: id } })).toBe(1);
  });

  it("passes requests to servers in its pods", async () => {
    const image = await imageWithPerl(registry, layer as { bytes: Buffer });
    const command = ["/bin/sh", "-c", 'exec perl -e "$SERVER"'];
    const env = { SERVER: HTTP_SERVER };
    const { id, ports } = await client.create({ image, command, env, ports: [8080], memory_mb: 64 });
    await client.until(id, "ready");
    await client.said(id, "serving");
    const svc = await servePorts(test);
    const at = `http://localhost:${svc.port}${new URL(ports[0]?.url ?? "").pathname}`;
    const headers = { authorization: `Bearer ${client.key}` };
    const echoed = await fetch(`${at}there?a=b`, { method: "POST", headers, body: "hello" });
    expect(await echoed.text()).toMatch(/^POST \/there\?a=b HTTP[\s\S]*\r\n\r\nhello$/);
    expect((await fetch(`${at}garbage`, { headers })).status).toBe(503);
    await client.call(`/${id}/stop`, { method: "POST" });
    await client.until(id, "stopped");
    svc.stop();
  });

  it("is the same node when it joins again, with new keys, and pods wait for its memory; removed, it is driven no more", async () => {
    const { db } = test.app.cloud;
    const before = (await db.joinedNode.findFirstOrThrow()).generation;
    agent.kill("SIGTERM");
    await once(agent, "exit");
    await start(...joining());
    expect(await db.joinedNode.findMany()).toMatchObject([{ generation: before + 1 }]);
    const { id } = await client.create({ image: shell, command: ["/bin/sh", "-c", "echo again"], memory_mb: 64 });
    await client.until(id, "completed");
    const [{ memory_mb = 0 } = {}] = await listNodes(test.engines);
    const big = { image: shell, command: ["/bin/sh", "-c", TICKS], memory_mb };
    const first = await client.create(big);
    const second = await client.create(big);
    await client.until(first.id, "ready");
    expect(await client.get(second.id)).toMatchObject({ status: "pending", status_reason: { code: "no_memory" } });
    await client.call(`/${first.id}/stop`, { method: "POST" });
    await client.until(second.id, "ready");
    await client.call(`/${second.id}/stop`, { method: "POST" });
    await client.until(second.id, "stopped");
    await db.pod.updateMany({ data: { deletedAt: new Date() } });
    await eventually(async () => (await db.podRun.count({ where: { removedAt: null } })) === 0);
    await removeNode(test.app.cloud, "second");
    expect(await listNodes(test.engines)).toEqual([]);
  });
});
