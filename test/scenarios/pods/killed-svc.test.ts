import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LAST_RUN } from "../../../server/cloud/compute/pod-records/stored-pod";
import { requestReclaim } from "../../../server/cloud/compute/pods/request-reclaim";
import { eventually, makeTenant, type TestApp, testApp } from "../../factories/app";
import { platformKey, raiseRate } from "../../factories/calls";
import { layerOf } from "../../factories/image-layers";
import { PodClient } from "../../factories/pod-scene";
import { cgroupsOf, type RuntimeScene, runtimeScene, SHELL_CONFIG, textOf } from "../../factories/runtime-scene";
import { sampled } from "../../factories/sampled";
import { testProgram } from "../../factories/test-program";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const scene = await runtimeScene();
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";
const program = await testProgram(path.join(import.meta.dirname, "pods-process.ts"));
/** Tells how often it started, and has time to end. */
const TICKS = 'trap "sleep 0.4; echo saved; exit 9" TERM; echo begin; while :; do sleep 0.05; done';

/** A shell may say "Terminated" of the program that the signal ended. */
const STOPPED_ONCE = /^begin\n(Terminated\n)?saved\n$/;

describe.skipIf(skipped)(`pods of a svc that is killed with SIGKILL${skipped}`, () => {
  const { runtime, registry, output, shell, shellLayer, dataDir } = scene as RuntimeScene;
  let test: TestApp;
  let client: PodClient;
  let svc: ChildProcess;
  beforeAll(async () => {
    test = await testApp();
    const ctx = await makeTenant(test);
    await raiseRate(test, ctx.tenantId);
    client = new PodClient(test, await platformKey(ctx, { mode: "test", scopes: ["pods:read", "pods:write"] }));
    await start();
  });
  afterAll(async () => {
    await kill();
    await test.stop();
    await (scene as RuntimeScene).close();
  });

  async function start(): Promise<void> {
    svc = await startSvc();
  }

  async function startSvc(): Promise<ChildProcess> {
    const { secret, sql } = test.engines;
    const args = [program, rootDir, dataDir, sql.options.connectionString ?? "", secret];
    const started = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    await once(started.stdout, "data");
    return started;
  }

  async function kill(): Promise<void> {
    svc.kill("SIGKILL");
    await once(svc, "exit");
  }

  /** That no device is held by a run that has ended, and each run that has not ended holds what its record says. */
  async function expectNoDeviceLeaked(): Promise<void> {
    const { db } = test.app.cloud;
    const [held, runs] = await db.$transaction(
      [
        db.gpuDevice.findMany({ orderBy: [{ runId: "asc" }, { device: "asc" }] }),
        db.podRun.findMany({ where: { endedAt: null, node: { not: null } }, orderBy: { id: "asc" } }),
      ],
      { isolationLevel: "RepeatableRead" },
    );
    const recorded = runs.flatMap(({ id: runId, pool, node, devices }) =>
      devices.map((device) => ({ pool, node, device, runId })),
    );
    expect(held).toEqual(recorded);
  }

  async function create(script: string, { image = shell, ...more }: { image?: string; [field: string]: unknown } = {}) {
    const fields = { image, command: ["/bin/sh", "-c", script], memory_mb: 64, gpu: "a100", ...more };
    return client.create(fields);
  }
  const begins = async (runId: string) => (await output(runId)).match(/begin/g)?.length ?? 0;

  /** That a run used what the runtime observed, and nothing else was written. */
  async function expectMetered(podId: string): Promise<void> {
    const runId = `${podId}-1`;
    const observed = await runtime.observe(runId);
    if (observed.state !== "exited") throw new Error(`it is ${observed.state}`);
    const used = await test.app.cloud.db.podUsage.findMany({ where: { podId } });
    expect(used).toMatchObject([{ runId, from: observed.startedAt, to: observed.exitedAt }]);
    const seconds = Math.ceil((observed.exitedAt.getTime() - observed.startedAt.getTime()) / 1000);
    expect((await client.get(podId)).metered_seconds).toBe(seconds);
  }

  afterEach(expectNoDeviceLeaked);

  it("run on, and the next svc stops them and meters them once", async () => {
    const volume = { size_gb: 1 };
    const { id } = await create(`echo kept > /workspace/file; ${TICKS}`, { volume });
    await client.until(id, "ready");
    await kill();
    await sleep(300);
    await start();
    expect(await runtime.observe(`${id}-1`)).toMatchObject({ state: "running" });
    const { stdout } = await runtime.exec(`${id}-1`, ["cat", "/workspace/file"]);
    expect(await textOf(stdout)).toBe("kept\n");
    await client.call(`/${id}/stop`, { method: "POST" });
    expect(await client.until(id, "stopped")).toMatchObject({ runs: 1, exit: { code: 9 } });
    expect(await output(`${id}-1`)).toMatch(STOPPED_ONCE);
    await expectMetered(id);
  });

  it("are reached through a process that runs no pods, and not while nothing runs them", async () => {
    const { id } = await create(TICKS);
    await client.until(id, "ready");
    await client.said(id, "begin");
    const exec = (command: string[], stdin = "") =>
      client.call<{ exit_code: number; stdout: string }>(`/${id}/exec`, { body: { command, stdin } });
    expect(await exec(["/bin/sh", "-c", "cat; exit 4"], "typed")).toMatchObject({
      status: 200,
      body: { exit_code: 4, stdout: "typed" },
    });
    expect(await exec(["/no-such-program"])).toMatchObject({ status: 422, body: { error: { param: "command" } } });
    const followed = client.call(`/${id}/logs?follow=true`).catch(() => undefined);
    await kill();
    expect(await exec(["/bin/true"])).toMatchObject({
      status: 503,
      body: { error: { code: "unavailable", details: { reason: "node_unreachable" } } },
    });
    expect(await client.call(`/${id}/logs`)).toMatchObject({ status: 503 });
    await followed;
    await start();
    await client.said(id, "begin");
    await client.call(`/${id}/stop`, { method: "POST" });
    await client.until(id, "stopped");
    expect(await client.logs(id)).toMatch(STOPPED_ONCE);
  });

  it.each(sampled([80, 0, 250], 1))("start once if it is killed %i ms after a pod was created", async (ms) => {
    const { id } = await create(TICKS);
    await sleep(ms);
    await kill();
    await start();
    await client.until(id, "ready");
    await eventually(async () => (await begins(`${id}-1`)) > 0);
    await client.call(`/${id}/stop`, { method: "POST" });
    await client.until(id, "stopped");
    expect(await begins(`${id}-1`)).toBe(1);
    expect((await runtime.list()).filter((one) => one.startsWith(id))).toEqual([`${id}-1`]);
    await expectMetered(id);
  });

  it("start once if it is killed while the image is pulled", async () => {
    const layers = [shellLayer, await layerOf([{ name: "unique", content: randomBytes(1024 * 1024) }])];
    const { reference } = registry.add("pulled", { layers, config: SHELL_CONFIG });
    const before = registry.requests.length;
    const { id } = await create(TICKS, { image: reference });
    await eventually(() => registry.requests.slice(before).some(({ path: asked }) => asked.includes("/blobs/")));
    await kill();
    expect(await runtime.observe(`${id}-1`)).not.toMatchObject({ state: "running" });
    await start();
    await client.until(id, "ready");
    await client.call(`/${id}/stop`, { method: "POST" });
    await client.until(id, "stopped");
    expect(await begins(`${id}-1`)).toBe(1);
    await expectMetered(id);
  });

  it("are not metered for the time after their end, although no svc saw it", async () => {
    const { id } = await create("echo begin; sleep 0.5; exit 4");
    await client.until(id, "ready");
    await kill();
    await eventually(async () => (await runtime.observe(`${id}-1`)).state === "exited");
    await sleep(1500);
    const startedAgainAt = Date.now();
    await start();
    const failed = await client.until(id, "failed");
    expect(failed.exit).toMatchObject({ code: 4 });
    expect(Date.parse(failed.stopped_at ?? "")).toBeLessThan(startedAgainAt - 1000);
    await expectMetered(id);
  });

  it("are stopped by the next svc if it is killed while they stop", async () => {
    const { id } = await create(TICKS);
    await client.until(id, "ready");
    await client.call(`/${id}/stop`, { method: "POST" });
    await sleep(200);
    await kill();
    await start();
    expect(await client.until(id, "stopped")).toMatchObject({ exit: { code: 9 } });
    expect((await output(`${id}-1`)).match(/saved/g)).toHaveLength(1);
    await expectMetered(id);
  });

  it("are run by one of two processes, and by the other one when that is killed", async () => {
    const other = await startSvc();
    const { id } = await create(TICKS);
    await client.until(id, "ready");
    await eventually(async () => (await begins(`${id}-1`)) > 0);
    await kill();
    svc = other;
    await client.call(`/${id}/stop`, { method: "POST" });
    await client.until(id, "stopped");
    expect(await output(`${id}-1`)).toMatch(STOPPED_ONCE);
    await expectMetered(id);
  });

  const NOTICE_MS = 600;
  /** Before the signal, during the notice, at its end, and while files are saved and put in place. */
  it.each(sampled([600, 0, 1000], 1))("are reclaimed once if it is killed %i ms after their notice", async (ms) => {
    const counts = 'trap "" TERM; echo start >> /count; cat /count; echo begin; while :; do sleep 0.05; done';
    const { id } = await create(counts, { spot: true, auto_resume: true });
    await client.until(id, "ready");
    await eventually(async () => (await begins(`${id}-1`)) > 0);
    const { db, clock } = test.app.cloud;
    await db.$transaction(async (tx) => {
      const pod = await tx.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
      await requestReclaim(tx, test.app.cloud, { pod, reason: { code: "capacity_needed", message: "Needed." } });
      const reclaimAt = new Date(clock.now().getTime() + NOTICE_MS);
      await tx.podRun.update({ where: { id: `${id}-1` }, data: { reclaimAt } });
    });
    await sleep(ms);
    await kill();
    await start();
    const resumed = async () => {
      const { runs, status } = await client.get(id);
      return runs === 2 && status === "ready" && (await begins(`${id}-2`)) > 0;
    };
    await eventually(resumed);
    expect(await output(`${id}-2`)).toBe("start\nstart\nbegin\n");
    await eventually(async () => (await db.podCheckpoint.count({ where: { podId: id, state: "saved" } })) === 1);
    expect(await db.podCheckpoint.count({ where: { podId: id } })).toBe(1);
    await client.call(`/${id}/stop`, { method: "POST" });
    await client.call(`/${id}`, { method: "DELETE" });
    await eventually(async () => (await db.podRun.count({ where: { podId: id, removedAt: null } })) === 0);
    const used = await db.podUsage.findMany({ where: { podId: id } });
    expect(used.map(({ runId }) => runId).sort()).toEqual([`${id}-1`, `${id}-2`]);
    expect(await db.podRun.count({ where: { podId: id } })).toBe(2);
  });

  it("leave nothing on the node and hold no GPU once they are deleted, also if it is killed meanwhile", async () => {
    const running = await Promise.all([create(TICKS), create(TICKS)]);
    for (const { id } of running) await client.until(id, "ready");
    const { body } = await client.call<{ data: { id: string }[] }>("");
    await Promise.all(body.data.map(({ id }) => client.call(`/${id}`, { method: "DELETE" })));
    await kill();
    await start();
    const { db } = test.app.cloud;
    await eventually(async () => (await db.podRun.count({ where: { removedAt: null } })) === 0);
    expect(await runtime.list()).toEqual([]);
    expect(await db.gpuDevice.count()).toBe(0);
    expect(await cgroupsOf(`${running[0]?.id}-1`)).toEqual([]);
    expect(await db.podUsage.count()).toBe(await db.podRun.count({ where: { startedAt: { not: null } } }));
  });
});
