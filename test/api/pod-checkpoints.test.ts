import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Checkpoint } from "../../server/cloud/compute/checkpoints/checkpoint";
import { lockPod } from "../../server/cloud/compute/pod-records/pod-locks.sql";
import { LAST_RUN } from "../../server/cloud/compute/pod-records/stored-pod";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import { requestReclaim } from "../../server/cloud/compute/pods/request-reclaim";
import { removeOrphans } from "../../server/cloud/data/objects/blob-sweeps";
import { eventually } from "../factories/app";
import { type PodClient, type PodScene, podScene } from "../factories/pod-scene";
import { canLimitWorkloads } from "../factories/workload-node";

const scene = await podScene();
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";
const LOOP = "while :; do sleep 0.05; done";
/** The first process of a container ignores signals that it does not handle. */
const ENDS = 'trap "exit 0" TERM';
const SPOT = { gpu: "a100", spot: true, memory_mb: 64 };
const VOLUME = { mount_path: "/data/volume", size_gb: 1 };
const REASON = { code: "capacity_needed", message: "An on-demand pod needs its GPUs." };
/** Counts its starts in a file and in its volume, and saves that it was told to end. */
const COUNTER =
  'echo start >> /count; trap "cat /run/svc/reclaim.json >> /count; echo told >> /count; exit 7" TERM; while read l; do echo "had $l"; done < /count; echo start >> /data/volume/log; cat /data/volume/log; echo up';

describe.skipIf(skipped)(`files of pods${skipped}`, () => {
  const { test, shell, client: newClient, close } = scene as PodScene;
  let client: PodClient & { tenantId: string };
  beforeAll(async () => {
    client = await newClient();
    // A loaded machine needs a while to try its runtimes.
    await eventually(async () => (await db.podNode.count({ where: { kind: { not: null } } })) > 0);
  });
  afterAll(() => close());
  const { db } = skipped ? ({} as PodScene["test"]["app"]["cloud"]) : test.app.cloud;

  const create = (script: string, more: object = {}) =>
    client.create({ image: shell, command: ["/bin/sh", "-c", script], memory_mb: 64, ...more });
  /** The pod, once its process has begun to wait. */
  async function running(script: string, more: object = {}): Promise<string> {
    const { id } = await create(`${ENDS}; ${script}; ${LOOP}`, more);
    await client.said(id, "up");
    await client.until(id, "ready");
    return id;
  }
  /** Gives notice, as a placement does that needs the GPUs. */
  async function reclaim(id: string, ms = 30_000): Promise<void> {
    await db.$transaction(async (tx) => {
      await lockPod(tx, id);
      const pod = await tx.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
      expect(await requestReclaim(tx, test.app.cloud, { pod, reason: REASON })).toBe(true);
      const reclaimAt = new Date(test.app.cloud.clock.now().getTime() + ms);
      await tx.podRun.update({ where: { id: `${id}-${pod.runNumber}` }, data: { reclaimAt } });
    });
  }
  async function save(id: string): Promise<Checkpoint> {
    const { status, body } = await client.call<Checkpoint>(`/${id}/checkpoint`, { method: "POST" });
    expect([status, body.state]).toEqual([202, "saving"]);
    return savedOrFailed(id, body.id);
  }
  async function savedOrFailed(id: string, checkpointId: string): Promise<Checkpoint> {
    const read = async () => (await client.call<Checkpoint>(`/${id}/checkpoints/${checkpointId}`)).body;
    await eventually(async () => (await read()).state !== "saving");
    return read();
  }
  const listed = async (id: string) => (await client.call<{ data: Checkpoint[] }>(`/${id}/checkpoints`)).body.data;
  const timeline = async (id: string) =>
    (await client.call<{ data: { type: string; message: string }[] }>(`/${id}/events`)).body.data.reverse();
  const start = (id: string, body: object = {}) => client.call(`/${id}/start`, { body });
  async function stop(id: string): Promise<Pod> {
    await client.call(`/${id}/stop`, { method: "POST" });
    return client.until(id, "stopped");
  }

  it("are kept by a reclaim, also a rehearsed one: signal and notice, a checkpoint, and the next run goes on with them", async () => {
    const id = await running(COUNTER, { ...SPOT, auto_resume: true, volume: VOLUME });
    expect((await client.call(`/${id}/reclaim`, { method: "POST" })).body.status).toBe("reclaiming");
    await eventually(async () => (await client.get(id)).runs === 2);
    await client.until(id, "ready");
    await client.said(id, "up");
    const notice =
      /^had start\nhad (.*)\nhad told\nhad start\nstart\nstart\nup\n$/.exec(await client.logs(id))?.[1] ?? "";
    const { noticeAt } = await db.podRun.findUniqueOrThrow({ where: { id: `${id}-1` } });
    const ends = new Date((noticeAt?.getTime() ?? 0) + 30_000);
    const { notice_at, ends_at } = JSON.parse(notice);
    expect(notice_at).toBe(noticeAt?.toISOString());
    expect(Math.abs(Date.parse(ends_at) - ends.getTime())).toBeLessThan(2000);
    const [checkpoint, ...more] = await listed(id);
    expect([checkpoint, more]).toMatchObject([{ cause: "reclaim", run: 1, kind: "filesystem" }, []]);
    expect(await savedOrFailed(id, checkpoint?.id ?? "")).toMatchObject({ state: "saved", reason: null });
    const types = (await timeline(id)).map(({ type }) => type);
    expect(types.filter((type) => !["placed", "checkpoint_saved", "waiting"].includes(type))).toEqual([
      "created",
      "ready",
      "reclaim_announced",
      "reclaimed",
      "files_restored",
      "ready",
    ]);
    const events = await db.event.findMany({
      where: { tenantId: client.tenantId, type: { startsWith: "pod.re" } },
      orderBy: { sequence: "asc" },
    });
    const reclaimed = events.filter(({ data }) => (data as { id: string }).id === id);
    expect(reclaimed.map(({ type }) => type)).toEqual([
      "pod.ready",
      "pod.reclaim_announced",
      "pod.reclaimed",
      "pod.ready",
    ]);
    expect(reclaimed[2]?.data).toMatchObject({ status: "pending", runs: 2, status_reason: { code: "spot_reclaimed" } });
    const stopped = await stop(id);
    const used = await db.podUsage.findMany({ where: { podId: id } });
    expect(used.map(({ purchase }) => purchase)).toEqual(["spot", "spot"]);
    // Each run is metered from the start of its process to its end, which the program of the first one wrote down.
    for (const { from, to, seconds } of used) expect(seconds).toBe(Math.ceil((to.getTime() - from.getTime()) / 1000));
    expect(stopped.metered_seconds).toBe(used.reduce((sum, { seconds }) => sum + seconds, 0));
    await eventually(async () => (await db.podRun.count({ where: { podId: id, removedAt: null } })) === 1);
  });

  it("are those of a process that ignores the notice until it is killed, exactly when the notice ends", async () => {
    const id = await running('trap "" TERM; echo up', SPOT);
    const noticeMs = 3000;
    await reclaim(id, noticeMs);
    const { reclaim: notice } = await client.get(id);
    await client.until(id, "stopped");
    const usage = await db.podUsage.findUniqueOrThrow({ where: { runId: `${id}-1` } });
    const late = usage.to.getTime() - Date.parse(notice?.ends_at ?? "");
    // The time of the end is that of a file, in ticks of the kernel.
    expect(late).toBeGreaterThan(-50);
    expect(late).toBeLessThan(2000);
    const pod = await client.get(id);
    expect(pod).toMatchObject({
      exit: { signal: "SIGKILL" },
      status_reason: { code: "spot_reclaimed" },
      allocation: null,
    });
    expect(await db.gpuDevice.count({ where: { runId: `${id}-1` } })).toBe(0);
    expect((await listed(id)).map(({ cause }) => cause)).toEqual(["reclaim"]);
  });

  it("are not reclaimed from a pod that is stopped or deleted during its notice", async () => {
    const stubborn = 'trap "" TERM; echo up';
    const [stopped, deleted] = await Promise.all([
      running(stubborn, { ...SPOT, auto_resume: true }),
      running(stubborn, { ...SPOT, auto_resume: true }),
    ]);
    await Promise.all([reclaim(stopped, 2500), reclaim(deleted)]);
    expect((await client.call(`/${stopped}/stop`, { method: "POST" })).body.status).toBe("stopping");
    await client.call(`/${deleted}`, { method: "DELETE" });
    // Not after the grace of a stop: the GPUs are needed when the notice ends.
    expect(await client.until(stopped, "stopped")).toMatchObject({
      runs: 1,
      status_reason: { code: "stop_requested" },
    });
    await eventually(async () => (await db.podRun.count({ where: { podId: deleted, removedAt: null } })) === 0);
    expect(await db.podRun.count({ where: { podId: deleted } })).toBe(1);
  });

  it("are there after a stop and a start; with `from: image` only those of the volume, which are nowhere replaced by older ones unless a checkpoint is chosen", async () => {
    const script =
      'echo start >> /data/volume/log; while read l; do echo "had $l"; done < /data/volume/log; [ -e /root-file ] && echo root; echo > /root-file; echo up';
    const id = await running(script, { volume: VOLUME });
    const next = async () => {
      await client.said(id, "up");
      await client.until(id, "ready");
      return client.logs(id);
    };
    const at = (nodeId: string) => db.podRun.updateMany({ where: { podId: id }, data: { nodeId } });
    const { nodeId } = await db.podRun.findUniqueOrThrow({ where: { id: `${id}-1` } });
    expect((await client.get(id)).volume).toEqual({ ...VOLUME, size_enforced: canLimitWorkloads() });
    const first = await save(id);
    expect(first.state).toBe("saved");
    expect(first.volume_bytes).toBeGreaterThan(0);
    await stop(id);
    const again = await start(id);
    expect([again.status, again.body.runs]).toEqual([200, 2]);
    expect(await next()).toBe("had start\nhad start\nroot\nup\n");
    await stop(id);
    await start(id, { from: "image" });
    expect(await next()).toBe("had start\nhad start\nhad start\nup\n");
    expect((await timeline(id)).filter(({ type }) => type === "files_restored").map(({ message }) => message)).toEqual([
      "It started with the files of run 1. Its volume stayed on the node.",
      "Its volume stayed on the node.",
    ]);
    await stop(id);
    // As if the node no longer reported.
    await at("elsewhere");
    expect((await start(id)).body).toMatchObject({ status: "pending", status_reason: { code: "volume_away" } });
    await stop(id);
    await at(nodeId ?? "");
    expect(await save(id)).toMatchObject({ state: "saved", run: 3 });
    await at("elsewhere");
    await start(id);
    expect(await next()).toContain("had start\nhad start\nhad start\nhad start\nroot\nup\n");
    expect((await timeline(id)).at(-2)?.message).toMatch(/Its volume is that of the checkpoint ckp_/);
    await stop(id);
    await at(nodeId ?? "");
    await start(id, { from: "checkpoint", checkpoint_id: first.id });
    expect(await next()).toBe("had start\nhad start\nroot\nup\n");
    expect((await timeline(id)).at(-2)?.message).toContain(first.id);
    await client.call(`/${id}`, { method: "DELETE" });
    await eventually(async () => (await db.podRun.count({ where: { podId: id, removedAt: null } })) === 0);
    const left = async () => [
      ...(await readdir(path.join(test.config.dataDir, "runtime/volumes"))).filter((name) => name.startsWith(id)),
      ...(await readFile("/proc/self/mountinfo", "utf8")).split("\n").filter((line) => line.includes(id)),
    ];
    expect(await left()).toEqual([]);
  });

  it("come from the newest checkpoint if no node has them, and from the image if there is none, which the timeline says", async () => {
    const id = await running('echo "had $(cat /state)"; echo kept > /state; echo up');
    await save(id);
    await stop(id);
    await db.podRun.updateMany({ where: { podId: id }, data: { removedAt: new Date() } });
    expect((await client.call(`/${id}/checkpoint`, { method: "POST" })).body.error?.details?.reason).toBe("no_files");
    await start(id);
    await client.said(id, "had kept");
    await stop(id);
    const [checkpoint] = await listed(id);
    expect(await client.call(`/${id}/checkpoints/${checkpoint?.id}`, { method: "DELETE" })).toMatchObject({
      status: 204,
    });
    await db.podRun.updateMany({ where: { podId: id }, data: { removedAt: new Date() } });
    await start(id);
    await client.said(id, "up");
    await client.until(id, "ready");
    expect((await timeline(id)).at(-2)).toMatchObject({ type: "files_restored" });
    expect((await timeline(id)).at(-2)?.message).toContain("files of the image");
    await stop(id);
    // The node still has them, and removes them with the pod.
    await db.podRun.updateMany({ where: { podId: id }, data: { removedAt: null } });
  });

  it("are uploaded once: a second checkpoint adds what is new, and what no checkpoint has any more is removed", async () => {
    const grow = "cat /bin/* /lib/*/* > /data 2>/dev/null; echo up; while echo more >> /more; do sleep 0.05; done";
    const id = await running(grow);
    const first = await save(id);
    const second = await save(id);
    expect(first.size_bytes).toBeGreaterThan(1_000_000);
    expect(first.new_bytes).toBeGreaterThan(100_000);
    expect(second.new_bytes).toBeLessThan(first.new_bytes / 2);
    const bytes = async () => Number((await db.pod.findUniqueOrThrow({ where: { id } })).checkpointBytes);
    expect(await bytes()).toBe(first.new_bytes + second.new_bytes);
    for (let count = 0; count < 4; count++) await save(id);
    const kept = await listed(id);
    expect(kept).toHaveLength(5);
    expect(kept.map((row) => row.id)).not.toContain(first.id);
    const chunks = await db.podChunk.findMany({ where: { podId: id } });
    expect(await bytes()).toBe(chunks.reduce((sum, { storedBytes }) => sum + storedBytes, 0));
    // The sweep of orphans leaves what a checkpoint names.
    const { sql, clock } = test.app.cloud;
    const after = (days: number) => ({ now: () => new Date(clock.now().getTime() + days * 24 * 3600 * 1000) });
    const parts = { sql, blobs: test.engines.blobs, log: console, stopping: new AbortController().signal };
    for (const days of [1, 9]) await removeOrphans({ ...parts, clock: after(days) });
    for (const chunk of chunks) {
      const name = `${client.tenantId}/${id}/${chunk.id}`;
      expect(await test.engines.blobs.verify(name, chunk.storedBytes)).toBe("ok");
    }
    await client.call(`/${id}`, { method: "DELETE" });
    expect(await db.podChunk.count({ where: { podId: id } })).toBe(0);
    expect(await db.podCheckpoint.count({ where: { podId: id } })).toBe(0);
    const { rows } = await sql.query("SELECT name FROM blob_removals WHERE name LIKE $1", [`%/${id}/%`]);
    expect(rows.length).toBeGreaterThanOrEqual(chunks.length);
  });

  it("of a checkpoint that is damaged are not started with, and the pod says why", async () => {
    const id = await running("echo kept > /state; echo up");
    const { id: checkpointId } = await save(id);
    await stop(id);
    const [chunk] = await db.podChunk.findMany({ where: { podId: id } });
    await test.engines.blobs.remove([`${client.tenantId}/${id}/${chunk?.id}`]);
    await start(id, { from: "checkpoint" });
    const failed = await client.until(id, "failed");
    expect(failed.status_reason).toMatchObject({ code: "checkpoint_damaged" });
    expect(failed.status_reason?.message).toContain(checkpointId);
    // The files of the run that ended are still there.
    await start(id);
    await client.until(id, "ready");
    expect((await timeline(id)).find(({ type }) => type === "files_restored")?.message).toContain("run 1");
    await stop(id);
  });

  it("cannot be saved beyond the quota, and only while they do not change hands", async () => {
    const poor = await newClient();
    const { id } = await poor.create({ image: shell, command: ["/bin/sh", "-c", `${ENDS}; ${LOOP}`], memory_mb: 64 });
    expect((await poor.call(`/${id}/checkpoint`, { method: "POST" })).status).toBe(409);
    await poor.until(id, "ready");
    await db.quota.create({
      data: { tenantId: poor.tenantId, resource: "checkpoint_bytes", limit: 10n, setAt: new Date() },
    });
    const { body } = await poor.call<Checkpoint>(`/${id}/checkpoint`, { method: "POST" });
    await eventually(
      async () => (await poor.call<Checkpoint>(`/${id}/checkpoints/${body.id}`)).body.state === "failed",
    );
    const failed = (await poor.call<Checkpoint>(`/${id}/checkpoints/${body.id}`)).body;
    expect(failed.reason?.code).toBe("quota_exceeded");
    expect(await db.podChunk.count({ where: { podId: id } })).toBe(0);
    const unsaved = await poor.call(`/${id}/start`, { body: { checkpoint_id: body.id } });
    expect([unsaved.status, unsaved.body.error?.param]).toEqual([400, "checkpoint_id"]);
    await poor.call(`/${id}/stop`, { method: "POST" });
    await poor.until(id, "stopped");
    const none = await poor.call(`/${id}/start`, { body: { from: "checkpoint" } });
    expect(none).toMatchObject({ status: 409, body: { error: { details: { reason: "no_checkpoint" } } } });
    for (const method of ["GET", "DELETE"]) {
      expect((await client.call(`/${id}/checkpoints/${body.id}`, { method })).status).toBe(404);
    }
    expect((await client.call(`/${id}/checkpoint`, { method: "POST" })).status).toBe(404);
  });
});
