import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import type { GpuNodeLine } from "../../server/cloud/compute/pools/list-gpu-nodes";
import { runAdmin } from "../../server/operators/admin";
import type { OperatorCtx } from "../../server/operators/operator-ctx";
import { eventually } from "../factories/app";
import { type PodClient, type PodScene, podScene } from "../factories/pod-scene";

const scene = await podScene();
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";
/** The first process of a container ignores signals until it has said so. */
const LOOP = 'trap "exit 0" TERM; echo up; while :; do sleep 0.05; done';
/** Counts its starts in a file, and ends as a program does that has saved its state. */
const COUNTER = `echo start >> /count; while read l; do echo "had $l"; done < /count; ${LOOP}`;
const REASON = "Fan; only Acme Corp. uses it";
const MINUTE_MS = 60_000;

describe.skipIf(skipped)(`operators of GPU nodes${skipped}`, () => {
  const { test, shell, client: newClient, close } = scene as PodScene;
  const cloud = skipped ? ({} as PodScene["test"]["app"]["cloud"]) : test.app.cloud;
  let client: PodClient & { tenantId: string };
  beforeAll(async () => {
    client = await newClient();
    await eventually(async () => (await cloud.db.podNode.count({ where: { kind: { not: null } } })) > 0);
  });
  afterAll(() => close());

  /** Runs a command as a process of its own does: it shares nothing but the database. */
  async function admin<T = { changed: boolean }>(line: string, { at, ...texts }: Record<string, unknown> = {}) {
    const said = { out: "", err: "" };
    const { db, sql } = cloud;
    const clock = { now: () => (at instanceof Date ? at : new Date()) };
    const flags = Object.entries(texts).flatMap(([name, value]) => [`--${name}`, `${value}`]);
    const status = await runAdmin([...line.split(" "), ...flags, "--json"], {
      print: (text) => {
        said.out += text;
      },
      printError: (text) => {
        said.err += text;
      },
      withAccounts: (act) => act({ db, sql, clock } as OperatorCtx),
      engines: () => {
        throw new Error("no command of these opens the engines");
      },
    });
    if (status !== 0) throw new Error(said.err);
    return JSON.parse(said.out) as T;
  }
  const nodeOf = async (pool: string, name: string) =>
    (await admin<GpuNodeLine[]>(`gpu-nodes ${pool}`)).find(({ node }) => node === name);
  const create = (gpu_count: number, { script = LOOP, ...more }: { script?: string } & Record<string, unknown>) =>
    client.create({ image: shell, command: ["/bin/sh", "-c", script], memory_mb: 64, gpu: "l40s", gpu_count, ...more });
  const nodeOfPod = ({ allocation }: Pod) => allocation?.node ?? "";

  it("drain a node: every pod has notice, and one that is not spot goes on elsewhere with its files", async () => {
    const place = { region: "euw" };
    const pod = await create(1, { ...place, script: COUNTER });
    const spot = await create(1, { ...place, spot: true });
    expect(nodeOfPod(spot)).toBe(nodeOfPod(pod));
    await Promise.all([client.said(pod.id, "up"), client.said(spot.id, "up")]);
    await Promise.all([client.until(pod.id, "ready"), client.until(spot.id, "ready")]);
    const line = `drain-node euw/l40s ${nodeOfPod(pod)}`;
    expect(await admin(line, { reason: REASON })).toMatchObject({ state: "draining", changed: true });
    expect(await admin(line, { reason: REASON })).toMatchObject({ state: "draining", changed: false });
    await eventually(async () => (await client.get(pod.id)).runs === 2);
    const again = await client.until(pod.id, "ready");
    expect(nodeOfPod(again)).toMatch(/^l40s-[12]$/);
    expect(nodeOfPod(again)).not.toBe(nodeOfPod(pod));
    await client.said(pod.id, "had start\nhad start\nup");
    const ended = await client.until(spot.id, "stopped");
    expect(ended.status_reason?.code).toBe("node_draining");

    const where = { tenantId: client.tenantId, type: { startsWith: "pod.reclaim" } };
    const events = (await cloud.db.event.findMany({ where, orderBy: { sequence: "asc" } })).map(({ type, data }) => ({
      type,
      pod: data as unknown as Pod,
    }));
    const [announced, reclaimed, ...more] = events.filter((event) => event.pod.id === pod.id);
    expect(more).toEqual([]);
    expect([announced?.type, reclaimed?.type]).toEqual(["pod.reclaim_announced", "pod.reclaimed"]);
    const { notice_at = "", ends_at = "" } = announced?.pod.reclaim ?? {};
    expect(Date.parse(ends_at) - Date.parse(notice_at)).toBe(30_000);
    expect(reclaimed?.pod).toMatchObject({ status: "pending", runs: 2, status_reason: { code: "node_draining" } });
    const timeline = await client.call(`/${pod.id}/events`);
    expect(JSON.stringify([events, timeline, ended])).not.toContain("Acme");

    await client.call(`/${pod.id}/stop`, { method: "POST" });
    const stopped = await client.until(pod.id, "stopped");
    const used = await cloud.db.podUsage.findMany({ where: { podId: pod.id } });
    expect(used.map(({ purchase }) => purchase)).toEqual(["on_demand", "on_demand"]);
    for (const { from, to, seconds } of used) expect(seconds).toBe(Math.ceil((to.getTime() - from.getTime()) / 1000));
    expect(stopped.metered_seconds).toBe(used.reduce((sum, { seconds }) => sum + seconds, 0));
    expect(await nodeOf("euw/l40s", nodeOfPod(pod))).toMatchObject({
      state: "draining",
      used_gpus: 0,
      cordon: { by: "operator", reason: REASON },
    });
  });

  it("cordon a node: other processes place nothing on it with their next decision, and what runs on it stays", async () => {
    const place = { region: "apac" };
    const first = await create(8, place);
    await client.until(first.id, "ready");
    const line = `apac/l40s ${nodeOfPod(first)}`;
    expect(await admin(`cordon-node ${line}`, { reason: "Fan" })).toMatchObject({ state: "cordoned", changed: true });
    // The pods of the cordoned node do not count against the GPUs of the others.
    const second = await create(8, place);
    expect(nodeOfPod(second)).toMatch(/^l40s-[12]$/);
    expect(nodeOfPod(second)).not.toBe(nodeOfPod(first));
    expect(await client.get(first.id)).toMatchObject({ status: "ready", allocation: first.allocation });
    await client.call(`/${first.id}`, { method: "DELETE" });
    await eventually(async () => (await nodeOf("apac/l40s", nodeOfPod(first)))?.used_gpus === 0);
    const third = await create(1, place);
    expect(third).toMatchObject({ allocation: null, status_reason: { code: "no_gpus" } });
    expect(await admin(`uncordon-node ${line}`)).toMatchObject({ changed: true });
    expect(await admin(`uncordon-node ${line}`)).toMatchObject({ changed: false });
    await eventually(async () => nodeOfPod(await client.get(third.id)) === nodeOfPod(first));
  });

  it("report its health: crit cordons and drains, ok ends that after 5 minutes, and a node that flaps stays cordoned", async () => {
    const [pool, node] = ["use/gb300", "gb300-rack1-tray18"];
    const start = Date.now();
    const health = (minute: number, severity: string) => {
      const texts = { severity, kind: "xid_79", message: "GPU has fallen off the bus" };
      return admin(`node-health ${pool} ${node}`, { ...texts, at: new Date(start + minute * MINUTE_MS) });
    };
    const [open, cordoned, flaps] = [{ cordoned: false }, { cordoned: true, flapping: false }, { flapping: true }];
    expect(await cloud.db.gpuPool.count({ where: { pool } })).toBe(0);
    expect(await health(0, "crit")).toMatchObject(cordoned);
    expect(await health(4, "ok")).toMatchObject(cordoned);
    expect(await health(5, "ok")).toMatchObject(open);
    expect(await Promise.all([health(6, "crit"), health(6, "crit")])).toContainEqual(expect.objectContaining(flaps));
    expect(await health(600, "ok")).toMatchObject({ cordoned: true, flapping: true, changed: false });
    expect(await nodeOf(pool, node)).toMatchObject({
      state: "draining",
      last_event: { severity: "ok" },
      cordon: { by: "health", flapping: true, reason: "xid_79: GPU has fallen off the bus" },
    });
    await admin(`uncordon-node ${pool} ${node}`);
    expect(await nodeOf(pool, node)).toMatchObject({ state: "open", cordon: null });
    await admin(`cordon-node ${pool} ${node}`, { reason: "Fan" });
    for (const severity of ["crit", "ok"]) await health(severity === "crit" ? 700 : 800, severity);
    expect(await nodeOf(pool, node)).toMatchObject({ cordon: { by: "operator", reason: "Fan" } });
  });

  it("keep the newest 50 events of a node and a severity", async () => {
    const at = new Date();
    const event = { pool: "use/gb200", node: "gb200-rack1-tray1", kind: "noise", message: "x", at } as const;
    const rows = Array.from({ length: 50 }, (_, i) => ({ ...event, severity: "info" as const, number: i + 2 }));
    await cloud.db.gpuNodeEvent.createMany({ data: [{ ...event, severity: "crit", number: 1 }, ...rows] });
    await admin(`node-health ${event.pool} ${event.node}`, { severity: "info", kind: "noise", message: "x" });
    const { _min, _max, _count } = await cloud.db.gpuNodeEvent.aggregate({
      where: { pool: event.pool, severity: "info" },
      _min: { number: true },
      _max: { number: true },
      _count: true,
    });
    expect([_min.number, _max.number, _count]).toEqual([3, 52, 50]);
    expect(await cloud.db.gpuNodeEvent.count({ where: { pool: event.pool, severity: "crit" } })).toBe(1);
  });

  it("are told which pools and nodes exist", async () => {
    const reason = { reason: "Fan" };
    await expect(admin("cordon-node moon/h100 h100-1", reason)).rejects.toThrow(/Pools: apac\/h100, .*euw\/l40s/);
    await expect(admin("drain-node use/a100 a100-5", reason)).rejects.toThrow("Nodes: a100-1, a100-2, a100-3, a100-4.");
    await expect(admin("cordon-node use/a100 a100-1")).rejects.toThrow("--reason is missing");
    await expect(admin("gpu-nodes h100")).rejects.toThrow("<region>/<gpu>");
    expect(await admin<GpuNodeLine[]>("gpu-nodes")).toHaveLength(180);
  });
});
