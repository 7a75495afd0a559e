import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJoinToken } from "../../../server/cloud/compute/nodes/join-token";
import { removeNode } from "../../../server/cloud/compute/nodes/list-nodes";
import type { Pod } from "../../../server/cloud/compute/pods/pod";
import type { GpuPool, GpuPoolPicture } from "../../../server/cloud/compute/pools/pool";
import type { Reservation } from "../../../server/cloud/compute/reservations/reservation";
import { deriveKey } from "../../../server/kernel/secrets";
import { runAgent } from "../../../server/node-agent/run-agent";
import { eventually, type TestApp, testApp } from "../../factories/app";
import { manage } from "../../factories/calls";
import { shellLayer } from "../../factories/image-layers";
import { minorOf, nvidiaDouble } from "../../factories/nvidia-double";
import { newPodClient, type PodClient } from "../../factories/pod-scene";
import { startRegistryDouble } from "../../factories/registry-double";
import { SHELL_CONFIG } from "../../factories/runtime-scene";
import { missingForWorkloads } from "../../factories/workload-node";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const layer = missingForWorkloads() ?? (await shellLayer());
const skipped = typeof layer === "string" ? ` (skipped: ${layer})` : "";

const GPUS = [{ uuid: "GPU-aaaa" }, { uuid: "GPU-bbbb" }];
const SCRIPT = `
  trap "exit 0" TERM
  ls /dev
  echo "visible: $NVIDIA_VISIBLE_DEVICES $NVIDIA_DRIVER_CAPABILITIES"
  cat $LD_LIBRARY_PATH/libcuda.so.1
  echo changed 2>/dev/null > $LD_LIBRARY_PATH/libcuda.so.1 || echo read-only
  nvidia-smi >/dev/null 2>&1; echo "nvidia-smi: $?"
  echo end
  while :; do sleep 0.05; done`;

describe.skipIf(skipped)(`a node with GPUs that joins${skipped}`, () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "svc-gpu-node-"));
  const nvidia = nvidiaDouble(GPUS);
  const stopping = new AbortController();
  let test: TestApp;
  let registry: Awaited<ReturnType<typeof startRegistryDouble>>;
  let shell: string;
  let client: PodClient;
  let server: Server;
  let agent: Promise<void>;

  beforeAll(async () => {
    // This process runs no pods itself.
    test = await testApp();
    registry = await startRegistryDouble();
    if (typeof layer === "object") shell = registry.add("shell", { layers: [layer], config: SHELL_CONFIG }).reference;
    client = await newPodClient(test, { mode: "live" });
    server = createServer(async (request, response) => {
      const target = new URL(request.url ?? "/", "http://localhost");
      const [body, headers] = [await text(request), { host: "localhost" }];
      const asked = new Request(target, { method: request.method ?? "", body, headers });
      const answer = await test.app.platform.fetch(asked, { address: "127.0.0.1" });
      response.writeHead(answer.status).end(await answer.text());
    });
  });
  afterAll(async () => {
    await deletePods();
    stopping.abort();
    await agent;
    server?.close();
    await registry?.stop();
    await test?.stop();
    nvidia.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Their node deletes what it has of them, which it does only while it is a node. */
  async function deletePods(): Promise<void> {
    const { db } = test.app.cloud;
    await db.pod.updateMany({ data: { deletedAt: new Date() } });
    const left = { nodeId: { not: null }, removedAt: null };
    await eventually(async () => (await db.podRun.count({ where: left })) === 0);
  }
  /** Also waits until its program ends when it is told to: one that has not begun would be killed only after 30 seconds. */
  const untilReady = async (id: string): Promise<Pod> => {
    const ready = await client.until(id, "ready");
    await client.said(id, "end");
    return ready;
  };
  const portOf = async (listening: Server): Promise<number> => {
    await once(listening.listen(0, "127.0.0.1"), "listening");
    return (listening.address() as AddressInfo).port;
  };
  const pod = (more: object = {}) => ({
    image: shell,
    gpu: "h100",
    command: ["/bin/sh", "-c", SCRIPT],
    memory_mb: 64,
    ...more,
  });
  const pools = async <T>(query = ""): Promise<T> =>
    (await manage(test, `/v1/gpu-pools${query}`, { key: client.key })).json();
  const livePool = async () => (await pools<{ data: GpuPool[] }>()).data.find(({ simulated }) => !simulated);
  const picture = () => pools<GpuPoolPicture>("/nodes?region=use&gpu=h100");

  it("is not there before, so that a live pod with GPUs has no capacity", async () => {
    const { status, body } = await client.call("", { body: pod() });
    expect(status).toBe(503);
    expect(body.error).toMatchObject({ param: "gpu", details: { reason: "no_capacity" } });
    expect(body.error?.message).toContain("This installation has no GPUs");
    expect(await livePool()).toBeUndefined();
  });

  it("offers its GPUs to pods of live keys, each of which has its own", async () => {
    const probe = createServer();
    const address = { host: "127.0.0.1", port: await portOf(probe) };
    await new Promise((resolve) => probe.close(resolve));
    const token = createJoinToken(deriveKey(test.engines.secret, "nodes"), new Date(Date.now() + 60_000));
    agent = runAgent({
      rootDir,
      dataDir,
      address,
      version: "0.1.0",
      log: pino({ level: "silent" }),
      print: () => undefined,
      joining: { url: `http://127.0.0.1:${await portOf(server)}`, token, name: "gpu-box", region: "use" },
      gpus: { driver: nvidia.driver, everyMs: 100 },
      signal: stopping.signal,
    });
    await eventually(async () => (await livePool()) !== undefined);
    expect(await livePool()).toMatchObject({ region: "use", gpu: "h100", nodes: 1, gpus: 2, free_gpus: 2 });
    const other = await client.call("", { body: pod({ gpu: "l40s" }) });
    expect(other.body.error).toMatchObject({ message: expect.stringContaining("It has: h100 in use."), param: "gpu" });

    const made = [await client.create(pod()), await client.create(pod())];
    for (const { id } of made) {
      const { runtime, simulated, allocation } = await untilReady(id);
      expect(runtime).toMatchObject({ kind: "namespaces", gpu: "nvidia" });
      expect({ simulated, allocation }).toMatchObject({
        simulated: false,
        allocation: { pool: "use/h100/live", node: "gpu-box" },
      });
      const [device = -1] = allocation?.devices ?? [];
      const said = (await client.logs(id)).split("\n");
      expect(said.filter((line) => line.startsWith("nvidia") && !line.includes(":"))).toEqual([
        "nvidia-uvm",
        `nvidia${minorOf(device)}`,
        "nvidiactl",
      ]);
      expect(said).toEqual(
        expect.arrayContaining([
          `visible: ${GPUS[device]?.uuid} compute,utility`,
          "a double of libcuda",
          "read-only",
          "end",
        ]),
      );
    }
    const devices = (await Promise.all(made.map(({ id }) => client.get(id)))).flatMap(
      (one) => one.allocation?.devices ?? [],
    );
    expect(devices.toSorted()).toEqual([0, 1]);

    const third = await client.create(pod());
    expect(third.status_reason).toEqual({
      code: "no_gpus",
      message: "On-demand pods can have 0 more GPUs of this pool; the others are in use or kept for reservations.",
    });
    await client.call(`/${made[0]?.id}/stop`, { method: "POST" });
    const { allocation } = await untilReady(third.id);
    expect(allocation?.devices).toEqual([devices[0]]);
    for (const { id } of [third, made[1] ?? third]) {
      await client.call(`/${id}/stop`, { method: "POST" });
      await client.until(id, "stopped");
    }
    expect(await livePool()).toMatchObject({ used_gpus: 0, free_gpus: 2 });
  });

  it("has reservations, which say what they miss: a GPU with an error, and all while it does not report", async () => {
    const call = async (path: string, body?: object) =>
      manage(test, `/v1/reservations${path}`, { key: client.key, ...(body && { body }) });
    const tooMany = await call("", { gpu: "h100", count: 3, duration: "30d" });
    const { error } = (await tooMany.json()) as { error: { message: string } };
    expect([tooMany.status, error.message]).toEqual([
      422,
      "count: the nodes of the region use have 2 h100 GPUs in all.",
    ]);
    const made = await call("", { gpu: "h100", count: 2, duration: "30d" });
    const reservation = (await made.json()) as Reservation;
    expect([made.status, reservation]).toMatchObject([201, { simulated: false, assigned: 2, lacking: null }]);
    const lacking = async () => ((await (await call(`/${reservation.id}`)).json()) as Reservation).lacking;

    nvidia.set([{ uuid: "GPU-aaaa", state: "Disabled, 2, No" }, { uuid: "GPU-bbbb" }]);
    await eventually(async () => (await livePool())?.free_gpus === 1);
    expect((await picture()).node_list[0]?.devices.map(({ use }) => use)).toEqual(["unavailable", "free"]);
    expect(await lacking()).toMatchObject({
      gpus: 1,
      message: expect.stringMatching(/^1 of its 2 GPUs are missing: /),
    });
    expect((await client.create(pod())).status_reason).toMatchObject({ code: "no_gpus" });
    const { gpu: _gpu, ...reserved } = pod({ reservation_id: reservation.id });
    const { id } = await client.create(reserved);
    expect((await untilReady(id)).allocation?.devices).toEqual([1]);
    await client.call(`/${id}/stop`, { method: "POST" });
    await client.until(id, "stopped");

    nvidia.set(GPUS);
    const { db } = test.app.cloud;
    await db.podNode.updateMany({ data: { seenAt: new Date(Date.now() - 60_000) } });
    await eventually(async () => (await picture()).node_list[0]?.accepts_pods === false);
    expect((await lacking())?.gpus).toBe(2);
    // It still reports every few seconds.
    await eventually(async () => (await lacking()) === null);
    expect(await livePool()).toMatchObject({ free_gpus: 2 });
    await db.reservedDevice.deleteMany();
    await db.reservation.updateMany({ data: { status: "canceled" } });
    await deletePods();
  });

  it("runs a spot gang, which makes room for an on-demand pod as a whole and resumes as a whole", async () => {
    const gang = { spot: true, auto_resume: true, gang: { name: "workers", size: 2 } };
    const members = [await client.create(pod(gang)), await client.create(pod(gang))];
    const allReady = () => Promise.all(members.map(({ id }) => untilReady(id)));
    const ready = await allReady();
    expect(ready.flatMap(({ allocation }) => allocation?.devices ?? []).toSorted()).toEqual([0, 1]);
    const other = await client.create(pod());
    expect((await untilReady(other.id)).runtime?.gpu).toBe("nvidia");
    const again = await Promise.all(members.map(({ id }) => client.until(id, "pending")));
    expect(again.map(({ runs, allocation }) => [runs, allocation])).toEqual([
      [2, null],
      [2, null],
    ]);
    await client.call(`/${other.id}/stop`, { method: "POST" });
    await allReady();
  });

  it("is offered no more when it is removed", async () => {
    await deletePods();
    await removeNode(test.app.cloud, "gpu-box");
    await eventually(async () => (await livePool()) === undefined);
    expect((await client.call("", { body: pod() })).status).toBe(503);
  });
});
