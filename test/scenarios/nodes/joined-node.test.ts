import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJoinToken, joinProof } from "../../../server/cloud/compute/nodes/join-token";
import { listNodes, removeNode } from "../../../server/cloud/compute/nodes/list-nodes";
import { CreateFleetUpgrade, createFleetUpgrade } from "../../../server/cloud/compute/pools/create-fleet-upgrade";
import { listFleetUpgrades } from "../../../server/cloud/compute/pools/list-fleet-upgrades";
import { deriveKey } from "../../../server/kernel/secrets";
import { eventually, type TestApp, testApp } from "../../factories/app";
import { shellLayer } from "../../factories/image-layers";
import { newPodClient, type PodClient } from "../../factories/pod-scene";
import { HTTP_SERVER, imageWithPerl, servePorts } from "../../factories/pod-server";
import { startRegistryDouble } from "../../factories/registry-double";
import { SHELL_CONFIG } from "../../factories/runtime-scene";
import { missingForWorkloads } from "../../factories/workload-node";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const layer = missingForWorkloads() ?? (await shellLayer());
const skipped = typeof layer === "string" ? ` (skipped: ${layer})` : "";
const TICKS = 'trap "echo saved; exit 9" TERM; echo begin; while :; do sleep 0.05; done';

describe.skipIf(skipped)(`a machine that joins svc to run pods${skipped}`, () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "svc-node-"));
  const otherDir = mkdtempSync(path.join(os.tmpdir(), "svc-node-"));
  let test: TestApp;
  let registry: Awaited<ReturnType<typeof startRegistryDouble>>;
  let shell: string;
  let client: PodClient;
  let server: Server;
  let url: string;
  let program: string;
  let address: string;
  let agent: ChildProcess;
  let other: ChildProcess;

  beforeAll(async () => {
    const builds = path.join(rootDir, ".build/test");
    mkdirSync(builds, { recursive: true });
    const installed = mkdtempSync(path.join(builds, "node-"));
    symlinkSync(path.join(rootDir, "server"), path.join(installed, "server"));
    program = path.join(installed, "cli.mjs");
    install("0.1.0");
    await build({
      entryPoints: [path.join(rootDir, "server/cli.ts")],
      outfile: program,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      logLevel: "warning",
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
    for (const one of [agent, other]) one?.kill("SIGKILL");
    server?.close();
    await registry?.stop();
    await test?.stop();
    rmSync(path.dirname(program), { recursive: true, force: true });
    for (const dir of [dataDir, otherDir]) rmSync(dir, { recursive: true, force: true });
  });

  /** What is installed on the nodes. */
  const install = (version: string) =>
    writeFileSync(path.join(path.dirname(program), "package.json"), JSON.stringify({ name: "svc", version }));

  async function freePort(): Promise<number> {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }

  const token = (minutes: number) =>
    createJoinToken(deriveKey(test.engines.secret, "nodes"), new Date(Date.now() + minutes * 60_000));

  const runIn = (dir: string, args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [program, "svc", "node", "join", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, SVC_DATA_DIR: dir, LOG_LEVEL: "error" },
    });
  const run = (...args: string[]) => runIn(dataDir, args);

  async function started(running: ChildProcess, at: string): Promise<ChildProcess> {
    running.stderr?.pipe(process.stderr);
    const [line] = await once(running.stdout as NodeJS.ReadableStream, "data");
    expect(String(line)).toContain(`listens on ${at}`);
    return running;
  }

  const start = async (...args: string[]) => {
    agent = await started(run(...args), address);
  };
  /** Ends the process of the agent, and not the one that starts it again. */
  const crash = ({ pid }: ChildProcess) =>
    process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")), "SIGKILL");

  const joining = () => ["--url", url, "--token", token(5), "--address", address, "--name", "second"];

  it("is told what is wrong with its token, its name or what it was not given", async () => {
    const asked = ["--url", url, "--address", address, "--token"];
    const wrong: [args: string[], message: string][] = [
      [[], "give --url and --token"],
      [[...asked, `svc_join_${"A".repeat(43)}`], "not one of this installation"],
      [[...asked, token(-1)], "has expired"],
      [["--url", url, "--token", token(5)], "--address is missing"],
    ];
    const said = wrong.map(([args], i) => {
      const failed = runIn(path.join(otherDir, `wrong-${i}`), args);
      return Promise.all([text(failed.stderr as NodeJS.ReadableStream), once(failed, "exit")]);
    });
    for (const [i, [message, [status]]] of (await Promise.all(said)).entries())
      expect([message, status]).toEqual([expect.stringContaining(wrong[i]?.[1] ?? ""), 1]);
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
    // Its agent reports what its disk has for pods, and what they take of it.
    const { db } = test.app.cloud;
    const { nodeId } = await db.podRun.findFirstOrThrow({ where: { podId: id } });
    const { diskMb } = await db.podNode.findUniqueOrThrow({ where: { id: nodeId ?? "" } });
    expect(diskMb).toBeGreaterThan(0);
    await eventually(async () => (await db.diskUse.count({ where: { id: `${id}-1`, noun: "pods" } })) === 1);
    crash(agent);
    await eventually(async () => (await exec()).status === 503);
    expect(await exec()).toMatchObject({ body: { error: { details: { reason: "node_unreachable" } } } });
    await eventually(async () => (await exec()).status === 200);
    expect(await listNodes(test.engines)).toMatchObject([{ name: "second", pods: 1, runtime: "namespaces" }]);
    await client.call(`/${id}/stop`, { method: "POST" });
    expect(await client.until(id, "stopped")).toMatchObject({ runs: 1, exit: { code: 9 } });
    expect(await client.logs(id)).toMatch(/^begin\n(Terminated\n)?saved\n$/);
    expect(await test.app.cloud.db.podUsage.count({ where: { podId: id } })).toBe(1);
  });

  it("passes the volume of a pod on to the node that the pod runs on next", async () => {
    const { db } = test.app.cloud;
    const script = "echo run >> /workspace/log; cat /workspace/log";
    const fields = { image: shell, memory_mb: 64 };
    const { id } = await client.create({ ...fields, command: ["/bin/sh", "-c", script], volume: { size_gb: 1 } });
    expect(await client.until(id, "completed")).toMatchObject({ volume: { mount_path: "/workspace", size_gb: 1 } });
    const filling = await client.create({ ...fields, command: ["/bin/sh", "-c", TICKS] });
    await client.until(filling.id, "ready");
    // Nothing more fits on the first node.
    await db.pod.update({ where: { id: filling.id }, data: { memoryMb: 1e9 } });
    const otherAddress = `127.0.0.1:${await freePort()}`;
    const asThird = ["--url", url, "--token", token(5), "--address", otherAddress, "--name", "third"];
    other = await started(runIn(otherDir, asThird), otherAddress);
    const nodes = () => listNodes(test.engines);
    await eventually(async () => (await nodes()).filter(({ state }) => state === "reporting").length === 2);
    await client.call(`/${id}/start`, { body: {} });
    expect(await client.until(id, "completed")).toMatchObject({ runs: 2 });
    expect(await client.logs(id)).toBe("run\nrun\n");
    const { data } = (await client.call<{ data: { message: string }[] }>(`/${id}/events`)).body;
    expect(data.map(({ message }) => message)).toContain(
      "It started with the files of run 1. Its volume was copied from the node of run 1.",
    );
    for (const pod of [id, filling.id]) await client.call(`/${pod}`, { method: "DELETE" });
    const left = { podId: { in: [id, filling.id] }, removedAt: null };
    await eventually(async () => (await db.podRun.count({ where: left })) === 0);
  });

  it("upgrades restart the agents one after the other, with what is installed then, and their pods run on", async () => {
    const nodes = () => listNodes(test.engines);
    await eventually(async () => (await nodes()).every(({ boot_id, state }) => boot_id && state === "reporting"));
    // One on each.
    const pods: string[] = [];
    for (const _ of await nodes()) {
      const { id } = await client.create({ image: shell, command: ["/bin/sh", "-c", TICKS], memory_mb: 64 });
      await client.until(id, "ready");
      pods.push(id);
    }
    const starts = { second: 0, third: 0 };
    agent.stdout?.on("data", () => starts.second++);
    other.stdout?.on("data", () => starts.third++);
    const before = await nodes();
    const { db } = test.app.cloud;
    const ctx = { db, clock: test.clock };
    install("0.2.0");
    await createFleetUpgrade(ctx, CreateFleetUpgrade.parse({ pool: "joined-nodes", target_version: "0.2.0" }));
    let inHand = 0;
    await eventually(async () => {
      inHand = Math.max(inHand, (await nodes()).filter(({ upgrade }) => upgrade !== null).length);
      return (await listFleetUpgrades(ctx))[0]?.state !== "running";
    });
    const ended = { state: "completed", nodes: 2, upgraded_nodes: 2, simulated: false };
    expect(await listFleetUpgrades(ctx)).toMatchObject([ended]);
    const after = await nodes();
    expect(after).toMatchObject([
      { version: "0.2.0", pods: 1 },
      { version: "0.2.0", pods: 1 },
    ]);
    expect(after.every(({ boot_id }, i) => boot_id !== before[i]?.boot_id)).toBe(true);
    expect({ inHand, starts }).toEqual({ inHand: 1, starts: { second: 1, third: 1 } });
    for (const id of pods) await client.call(`/${id}/stop`, { method: "POST" });
    for (const id of pods) expect(await client.until(id, "stopped")).toMatchObject({ runs: 1, exit: { code: 9 } });
    await db.pod.updateMany({ data: { deletedAt: new Date() } });
    await eventually(async () => (await db.podRun.count({ where: { removedAt: null } })) === 0);
    other.kill("SIGTERM");
    const [, third] = after;
    await removeNode(test.app.cloud, "third");
    await db.podNode.delete({ where: { id: third?.id ?? "" } });
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
    // With a valid token, and without the keys of the node.
    const { id: nodeId, name } = await db.joinedNode.findFirstOrThrow();
    const stranger = { id: nodeId, name, address: "127.0.0.1:9", cpu: 1, memory_mb: 1, gpus: [], version: "1" };
    const valid = token(5);
    for (const proof of [undefined, "", joinProof(Buffer.alloc(32), valid)]) {
      const body = JSON.stringify({ ...stranger, proof, token: valid });
      const answer = await fetch(`${url}/v1/nodes/join`, { method: "POST", body });
      expect(await answer.json()).toMatchObject({ error: { code: "conflict", details: { reason: "not_proven" } } });
    }
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
