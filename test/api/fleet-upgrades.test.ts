import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lockNodes } from "../../server/cloud/compute/placement/pod-nodes.sql";
import { maintainPods } from "../../server/cloud/compute/pods/maintain-pods";
import { recordExit } from "../../server/cloud/compute/pods/record-run";
import {
  advanceFleetUpgrades,
  type UpgradeNodeSoftware,
} from "../../server/cloud/compute/pools/advance-fleet-upgrades";
import type { FleetUpgradeLine } from "../../server/cloud/compute/pools/fleet-upgrade";
import type { GpuNodeLine } from "../../server/cloud/compute/pools/list-gpu-nodes";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import { runAdmin } from "../../server/operators/admin";
import type { OperatorCtx } from "../../server/operators/operator-ctx";
import { eventually, type TestApp, testApp } from "../factories/app";
import { manage } from "../factories/calls";
import { emptyPools, idleNode, newPodClient, type PodClient } from "../factories/pod-scene";

const MINUTE_MS = 60_000;
const works: UpgradeNodeSoftware = () => Promise.resolve();

describe("fleet upgrades", () => {
  let test: TestApp;
  let client: PodClient;
  let nowMs = Date.now();
  const clock = { now: () => new Date(nowMs) };
  const db = () => test.app.cloud.db;
  beforeAll(async () => {
    test = await testApp({ env: { RUNTIME: "auto", ROLE: "web" } });
    await idleNode(test, 1_000_000);
    client = await newPodClient(test);
  });
  afterAll(() => test.stop());
  beforeEach(() => emptyPools(test));

  async function admin<T = FleetUpgradeLine[]>(line: string, ...texts: string[]): Promise<T> {
    const said = { out: "", err: "" };
    const { sql } = test.app.cloud;
    const status = await runAdmin([...line.split(" "), ...texts, "--json"], {
      print: (text) => {
        said.out += text;
      },
      printError: (text) => {
        said.err += text;
      },
      withAccounts: (act) => act({ db: db(), sql, clock } as OperatorCtx),
      engines: () => {
        throw new Error("no command of these opens the engines");
      },
    });
    if (status !== 0) throw new Error(said.err);
    return JSON.parse(said.out) as T;
  }
  const upgrade = async (pool: string, flags = ""): Promise<string> =>
    (await admin(`upgrade-fleet --version 1.2.0 --pool ${pool}${flags}`))[0]?.id ?? "";
  const lineOf = async (id: string) => (await admin("fleet-upgrades")).find((line) => line.id === id);
  const nodesOf = (pool: string) => admin<GpuNodeLine[]>(`gpu-nodes ${pool}`);
  const closedIn = async (pool: string) =>
    (await nodesOf(pool)).filter(({ state }) => state !== "open").map(({ node }) => node);
  const versionsOf = async (pool: string) => [...new Set((await nodesOf(pool)).map(({ version }) => version))].sort();
  const advance = (upgradeNode = works) =>
    advanceFleetUpgrades({ db: db(), clock, upgradeNode, lookingSince: new Date(0) });
  /** Until nothing is due any more. */
  const advanceAll = async (upgradeNode = works) => {
    while (await advance(upgradeNode));
  };
  const podRound = () => maintainPods({ ...test.app.cloud, gpuPools: new GpuPools() });
  const health = (pool: string, node: string, severity = "crit") =>
    admin<object>(`node-health ${pool} ${node} --severity ${severity} --kind xid_79 --message`, "GPU lost");

  /** Pods that run on nodes of their own. */
  async function runningPods(count: number, gpu: string): Promise<string[]> {
    const fields = { image: "alpine", gpu, region: "apac", gpu_count: 8, spot: true, auto_resume: true };
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push((await client.create(fields)).id);
    await start();
    return ids;
  }
  const start = async () => {
    const placed = { endedAt: null, nodeId: { not: null }, pod: { status: "pending" as const } };
    for (const { id, podId } of await db().podRun.findMany({ where: placed })) {
      await db().podRun.update({ where: { id }, data: { startedAt: new Date(), observedAt: new Date() } });
      await db().pod.update({ where: { id: podId }, data: { status: "ready", startedAt: new Date() } });
    }
  };
  /** The notice of pods is over, and they wait again. */
  const endNoticed = async () => {
    const noticed = { endedAt: null, noticeAt: { not: null } };
    for (const { id } of await db().podRun.findMany({ where: noticed }))
      await recordExit(test.app.cloud, id, { endedAt: new Date(), outcome: "complete" });
  };

  it("rolling: pods have notice and go on elsewhere, and no more nodes are closed than allowed", async () => {
    const pool = "apac/h200";
    const pods = await runningPods(3, "h200");
    const id = await upgrade(pool, " --max-unavailable 2");
    const seen: number[] = [];
    for (let round = 0; (await lineOf(id))?.state === "running"; round++) {
      expect(round).toBeLessThan(60);
      await advance();
      seen.push((await closedIn(pool)).length);
      await podRound();
      await endNoticed();
      await podRound();
      await start();
    }
    expect(Math.max(...seen)).toBe(2);
    expect(await versionsOf(pool)).toEqual(["1.2.0"]);
    expect(await closedIn(pool)).toEqual([]);
    const after = await Promise.all(pods.map((pod) => client.get(pod)));
    expect(after.every(({ status, allocation }) => status === "ready" && allocation !== null)).toBe(true);
    expect(after.some(({ runs }) => runs > 1)).toBe(true);
    expect(await lineOf(id)).toMatchObject({ state: "completed", nodes: 4, upgraded_nodes: 4, simulated: true });
  });

  it("rolling by two processes after a third was killed: a node that health events have cordoned counts, is upgraded, and stays cordoned", async () => {
    const pool = "apac/h100";
    const ill = "h100-4";
    await health(pool, ill);
    const id = await upgrade(pool, " --max-unavailable 3");
    await advance();
    // A process that is killed while it upgrades nodes.
    void advance(() => new Promise(() => undefined));
    await eventually(async () => (await db().gpuNode.count({ where: { pool, upgradeState: "upgrading" } })) === 3);
    const seen: number[] = [];
    while ((await lineOf(id))?.state === "running") {
      const [, , during] = await Promise.all([advance(), advance(), closedIn(pool)]);
      seen.push(during.length, (await closedIn(pool)).length);
    }
    expect(Math.max(...seen)).toBe(3);
    expect(await lineOf(id)).toMatchObject({ state: "completed", upgraded_nodes: 8 });
    expect([await versionsOf(pool), await closedIn(pool)]).toEqual([["1.2.0"], [ill]]);
  });

  it("a node whose upgrade fails stays cordoned and pauses the upgrade, which resume tries again", async () => {
    const pool = "apac/a100";
    const id = await upgrade(pool);
    await advanceAll(({ node }) =>
      node === "a100-2" ? Promise.reject(new Error("no disk")) : works({ pool, node, targetVersion: "" }),
    );
    const reason = "Its upgrade to 1.2.0 failed: no disk";
    const failed = { state: "paused", pause_reason: `a100-2: ${reason}`, upgraded_nodes: 1, failed_nodes: 1 };
    expect(await lineOf(id)).toMatchObject(failed);
    const [, second] = await nodesOf(pool);
    expect(second).toMatchObject({ version: "0.1.0", cordon: { by: "upgrade", reason } });
    await admin(`resume-upgrade ${id}`);
    await advanceAll();
    expect(await lineOf(id)).toMatchObject({ state: "completed", pause_reason: null, failed_nodes: 0 });
    expect(await closedIn(pool)).toEqual([]);
  });

  it("a critical health event within 5 minutes after the upgrade of a node pauses, and not again after resume", async () => {
    const pool = "apac/b300";
    const id = await upgrade(pool);
    for (let i = 0; i < 3; i++) await advance();
    expect(await lineOf(id)).toMatchObject({ upgraded_nodes: 1 });
    nowMs += 4 * MINUTE_MS;
    await health(pool, "b300-1");
    await advanceAll();
    const pause_reason = "b300-1 had a critical health event within 5 minutes after its upgrade.";
    expect(await lineOf(id)).toMatchObject({ state: "paused", pause_reason });
    nowMs += MINUTE_MS;
    await admin(`resume-upgrade ${id}`);
    await advanceAll();
    // One node may be unavailable, and the ill one is.
    expect(await lineOf(id)).toMatchObject({ state: "running", unavailable_nodes: 1 });
    nowMs += 5 * MINUTE_MS;
    await health(pool, "b300-1", "ok");
    await advanceAll();
    expect(await lineOf(id)).toMatchObject({ state: "completed", upgraded_nodes: 2 });
  });

  it("cancel and pause: nothing more begins, and what only waited for pods to leave is opened; cordons of operators stay", async () => {
    const pool = "apac/b200";
    await runningPods(4, "b200");
    await admin("cordon-node apac/b200 b200-4", "--reason", "Fan");
    const id = await upgrade(pool, " --max-unavailable 3");
    await advanceAll();
    const closed = await closedIn(pool);
    expect(closed).toHaveLength(3);
    const [mine = ""] = closed.filter((node) => node !== "b200-4");
    await expect(admin(`uncordon-node ${pool} ${mine}`)).rejects.toThrow(
      `The upgrade ${id} has ${mine} of ${pool} in hand`,
    );
    await admin(`pause-upgrade ${id}`);
    await db().gpuDevice.deleteMany();
    await advanceAll();
    expect(await lineOf(id)).toMatchObject({ state: "paused", upgraded_nodes: 0, draining_nodes: 2 });
    await admin(`cancel-upgrade ${id}`);
    await advanceAll();
    expect([await closedIn(pool), await versionsOf(pool)]).toEqual([["b200-4"], ["0.1.0"]]);
    await expect(admin(`resume-upgrade ${id}`)).rejects.toThrow(
      `The upgrade ${id} is cancelled and cannot be resumed.`,
    );
  });

  it("blue_green: the first half is closed without notice, drained after the wait, and opens together before the other", async () => {
    const pool = "apac/a100";
    await db().gpuNode.updateMany({ where: { pool }, data: { softwareVersion: "0.1.0", upgradedAt: null } });
    await runningPods(3, "a100");
    const id = await upgrade(pool, " --strategy blue_green --max-unavailable 2");
    await advanceAll();
    const picture = await manage(test, "/v1/gpu-pools/nodes?region=apac&gpu=a100", { key: client.key });
    expect((await picture.json()).upgrade).toEqual({
      target_version: "1.2.0",
      strategy: "blue_green",
      max_unavailable: 2,
      state: "running",
      nodes: 4,
      upgraded_nodes: 0,
    });
    const wanted = { image: "alpine", gpu: "a100", region: "apac", gpu_count: 8 };
    await client.create({ ...wanted, spot: true });
    const waiting = await client.create({ ...wanted, spot: true });
    expect(waiting.status_reason?.message).toMatch(/ 2 nodes of this pool are being upgraded\.$/);
    const green = ["a100-1", "a100-2"];
    expect(await closedIn(pool)).toEqual(green);
    await podRound();
    expect(await db().pod.count({ where: { status: "reclaiming" } })).toBe(0);
    nowMs += 10 * MINUTE_MS;
    await advanceAll();
    await podRound();
    expect(await db().pod.count({ where: { status: "reclaiming" } })).toBeGreaterThan(0);
    await endNoticed();
    await advanceAll();
    expect([await closedIn(pool), await versionsOf(pool)]).toEqual([[], ["0.1.0", "1.2.0"]]);
    nowMs += 5 * MINUTE_MS;
    await db().gpuDevice.deleteMany();
    await advance();
    expect(await closedIn(pool)).toEqual(["a100-3", "a100-4"]);
    await advanceAll();
    expect(await lineOf(id)).toMatchObject({ state: "completed", upgraded_nodes: 4 });
  });

  describe("of nodes that have joined", () => {
    const boots = { a: randomUUID(), b: randomUUID(), c: randomUUID() };
    type Name = keyof typeof boots;
    const address = "127.0.0.1:1";
    const NODE = { generation: 1, cpu: 4, memoryMb: 1000, gpus: [], version: "1.0.0", joinedAt: new Date() };
    beforeEach(async () => {
      await db().joinedNode.deleteMany();
      for (const name of ["a", "b", "c"] as const) {
        const id = randomUUID();
        await db().joinedNode.create({ data: { ...NODE, id, name, address, bootId: boots[name] } });
        const node = {
          isolation: "",
          limitsEnforced: true,
          memoryMb: 1000,
          seenAt: new Date(Date.now() + 3_600_000),
        };
        await db().podNode.create({ data: { id, kind: "namespaces", address, ...node } });
      }
    });
    afterAll(() => db().joinedNode.deleteMany());

    const upgradeNodes = async (flags: string): Promise<string> =>
      (await admin(`upgrade-fleet --pool joined-nodes${flags}`))[0]?.id ?? "";
    /** Those whose agents are to be restarted now. */
    const restarting = async () => {
      const rows = await db().joinedNode.findMany({ where: { upgradeState: "upgrading" }, orderBy: { name: "asc" } });
      return rows.map(({ name }) => name);
    };
    /** Its agent reports as another process. */
    const isBack = (name: Name, version: string) =>
      db().joinedNode.update({ where: { name }, data: { version, bootId: randomUUID() } });
    const inHand = () => db().joinedNode.count({ where: { upgradeId: { not: null } } });

    it("batches are restarted one after the other, by several processes too, and each node once", async () => {
      const id = await upgradeNodes(" --max-unavailable 2");
      const rounds: string[][] = [];
      while ((await lineOf(id))?.state === "running") {
        // Of processes that are killed, nothing is left but what they have recorded.
        await Promise.all([advanceAll(), advanceAll()]);
        const names = await restarting();
        rounds.push(names);
        expect(await inHand()).toBe(names.length);
        for (const name of names) await isBack(name as Name, "1.0.0");
      }
      expect(rounds).toEqual([["a", "b"], ["c"], []]);
      expect(await lineOf(id)).toMatchObject({ target_version: null, nodes: 3, upgraded_nodes: 3, simulated: false });
    });

    it("a wrong version or a missed deadline pauses with the reason, nothing more is restarted, and resume goes on", async () => {
      const id = await upgradeNodes(" --version 1.1.0");
      await advanceAll();
      expect(await lineOf(id)).toMatchObject({ restarting_nodes: 1, unavailable_nodes: 1, upgraded_nodes: 0 });
      await isBack("a", "1.0.9");
      await advanceAll();
      const wrong = "a was restarted and runs 1.0.9, not 1.1.0: install 1.1.0 there.";
      expect(await lineOf(id)).toMatchObject({ state: "paused", pause_reason: wrong, failed_nodes: 1 });
      expect([await restarting(), await inHand()]).toEqual([[], 1]);
      await admin(`resume-upgrade ${id}`);
      await advanceAll();
      expect(await restarting()).toEqual(["a"]);
      nowMs += 5 * MINUTE_MS;
      await advanceAll();
      const late = "a was not back 5 minutes after its restart: the log of its agent says why.";
      expect(await lineOf(id)).toMatchObject({ state: "paused", pause_reason: late });
      // It is back after all, and need not be restarted again.
      await isBack("a", "1.1.0");
      await admin(`resume-upgrade ${id}`);
      await advanceAll();
      expect([await restarting(), (await lineOf(id))?.upgraded_nodes]).toEqual([["b"], 1]);
      await admin(`cancel-upgrade ${id}`);
      expect(await restarting()).toEqual(["b"]);
      await isBack("b", "1.1.0");
      await advanceAll();
      expect([await inHand(), await restarting()]).toEqual([0, []]);
      expect(await lineOf(id)).toMatchObject({ state: "cancelled", upgraded_nodes: 2 });
    });

    it("those that do not report are waited for, without more at once, and then it pauses", async () => {
      const report = (seenAt: Date) => db().podNode.updateMany({ where: { address }, data: { seenAt } });
      const id = await upgradeNodes("");
      await report(new Date(0));
      await advanceAll();
      expect([await restarting(), await inHand(), (await lineOf(id))?.unavailable_nodes]).toEqual([[], 1, 3]);
      await report(new Date(Date.now() + 3_600_000));
      await advanceAll();
      expect([await restarting(), await inHand()]).toEqual([["a"], 1]);
      await isBack("a", "1.0.0");
      await report(new Date(0));
      await advanceAll();
      nowMs += 5 * MINUTE_MS;
      // A process that has just begun to look has not reached any yet.
      await advanceFleetUpgrades({ db: db(), clock, upgradeNode: works, lookingSince: clock.now() });
      expect(await lineOf(id)).toMatchObject({ state: "running", draining_nodes: 1 });
      await advanceAll();
      const gone = "b has not reported for 5 minutes: start its agent, or remove the node.";
      expect(await lineOf(id)).toMatchObject({ state: "paused", pause_reason: gone, failed_nodes: 1 });
    });

    it("one whose agent does not tell its boot id pauses, and the others of its batch are not restarted", async () => {
      const id = await upgradeNodes(" --max-unavailable 3");
      await db().joinedNode.update({ where: { name: "c" }, data: { bootId: null } });
      await advanceAll();
      const old = "c has an agent of an earlier version, which svc cannot restart: do it there.";
      expect(await lineOf(id)).toMatchObject({ state: "paused", pause_reason: old });
      expect(await restarting()).toEqual([]);
    });

    it("blue_green restarts the other half 5 minutes after the first, and pods avoid nodes in hand", async () => {
      const id = await upgradeNodes(" --strategy blue_green --max-unavailable 3");
      await advanceAll();
      expect(await restarting()).toEqual(["a", "b"]);
      await isBack("a", "1.0.0");
      await advanceAll();
      // The batch opens together.
      expect(await inHand()).toBe(2);
      await isBack("b", "1.0.0");
      await advanceAll();
      expect([await inHand(), await restarting()]).toEqual([0, []]);
      nowMs += 5 * MINUTE_MS;
      await advanceAll();
      expect(await restarting()).toEqual(["c"]);
      const chosen = await db().$transaction((tx) => lockNodes(tx, null));
      const { id: c } = await db().joinedNode.findUniqueOrThrow({ where: { name: "c" } });
      const { id: a } = await db().joinedNode.findUniqueOrThrow({ where: { name: "a" } });
      const ids = chosen.map((one) => one.id);
      expect([ids.includes(a), ids.includes(c)]).toEqual([true, false]);
      await admin(`cancel-upgrade ${id}`);
    });
  });

  it("a pool has one at a time, also of those of all pools, and bad input names its flag", async () => {
    const id = await upgrade("apac/l40s");
    await expect(admin("upgrade-fleet --version 2.0.0")).rejects.toThrow(
      `apac/l40s has the upgrade ${id} to 1.2.0, which is running.`,
    );
    await admin(`cancel-upgrade ${id}`);
    expect(await admin("upgrade-fleet --version 2.0.0")).toHaveLength(24);
    for (const [flags, error] of [
      ["--pool use/l40s", "--version: Expected a version, such as 1.2.0: only joined nodes are upgraded without one."],
      ["--pool joined-nodes", "pool: joined-nodes has no nodes that have joined with svc node join."],
      ["--version ../x", "--version: Expected a version"],
      ["--version 1 --pool moon/h100", "Pools: apac/h100"],
      ["--version 1 --max-unavailable 0", "--max-unavailable: Expected a whole number from 1."],
      ["--version 1 --max-unavailable 3", "has 2 nodes. Expected 1 to 2."],
      ["--version 1 --strategy red", "--strategy: expected rolling or blue_green"],
      ["--version 1 --wait-minutes 1441", "--wait-minutes: Expected whole minutes from 0 to 1440."],
    ])
      await expect(admin(`upgrade-fleet ${flags}`)).rejects.toThrow(error);
    await expect(admin("pause-upgrade upg_x")).rejects.toThrow("upg_x");
  });
});
