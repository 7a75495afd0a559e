import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { releaseDevices, takeDevices } from "../../server/cloud/compute/pools/gpu-devices.sql";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import { type TestDatabase, testDatabase } from "../factories/postgres";

const POOL = "use/h100";
const NODES = Array.from({ length: 8 }, (_, i) => `h100-${i + 1}`);

type Turn =
  | { kind: "place"; process: number; gpus: number; cpu: number; isRolledBack: boolean }
  | { kind: "release"; process: number; which: number; isRolledBack: boolean }
  | { kind: "cordon"; process: number; which: number; isRolledBack: boolean };
const turn = (process: number, isRolledBack: boolean, which: number): fc.Arbitrary<Turn> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("place" as const),
        gpus: fc.constantFrom(1, 2, 4, 8),
        cpu: fc.constantFrom(1, 24, 90),
        process: fc.constant(process),
        isRolledBack: fc.constant(isRolledBack),
      }),
    },
    { weight: 3, arbitrary: fc.constant({ kind: "release" as const, process, which, isRolledBack }) },
    { weight: 1, arbitrary: fc.constant({ kind: "cordon" as const, process, which, isRolledBack }) },
  );
const turns = fc.array(
  fc
    .record({ process: fc.nat(1), isRolledBack: fc.nat(3).map((n) => n === 0), which: fc.nat(1000) })
    .chain(({ process, isRolledBack, which }) => turn(process, isRolledBack, which)),
  { minLength: 40, maxLength: 45, size: "max" },
);

describe("a pool of GPUs in two processes", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());

  it("is decided with what all of them committed, whatever was rolled back", async () => {
    await fc.assert(
      fc.asyncProperty(turns, (series) => replay(database, series)),
      { numRuns: 2 },
    );
  });

  it("is not written by a decision on an older state", async () => {
    const { db } = database;
    const pools = new GpuPools();
    const { version } = await db.$transaction((tx) => pools.lock(tx, POOL));
    const take = (device: number) =>
      db.$transaction((tx) =>
        takeDevices(tx, {
          pool: POOL,
          version,
          grants: [{ runId: `pod_${device}-1`, node: "h100-1", devices: [device] }],
        }),
      );
    await db.gpuDevice.deleteMany();
    await db.gpuNode.updateMany({ data: { cordonedAt: null } });
    await take(0);
    await expect(take(1)).rejects.toThrow("changed after the decision");
    expect(await db.gpuDevice.count()).toBe(1);
  });
});

const UNDONE = new Error("rolled back");

async function replay({ db }: TestDatabase, series: readonly Turn[]): Promise<void> {
  for (const of of ["gpuDevice", "gpuNode", "gpuPool", "podRun", "pod"] as const) {
    await (db[of].deleteMany as () => Promise<unknown>)();
  }
  const processes = [new GpuPools(), new GpuPools()];
  const running: string[] = [];
  for (const [i, turn] of series.entries()) {
    const pools = processes[turn.process] as GpuPools;
    const runId = running[(turn.kind === "place" ? 0 : turn.which) % Math.max(1, running.length)];
    const changed = await db
      .$transaction(async (tx) => {
        const { pool, version, cache } = await pools.lock(tx, POOL);
        let placed = false;
        if (turn.kind === "place") {
          const { gpus, cpu } = turn;
          const found = cache.place(
            { cpuMilli: cpu * 1000, memoryMib: 512, gpus, gpuMilli: 1000, models: [] },
            { isNew: true, kept: [] },
          );
          if (!("blocked" in found)) {
            await tx.pod.create({ data: podOf(`pod_${i}`, cpu) });
            await takeDevices(tx, { pool, version, grants: [{ runId: `pod_${i}-1`, ...found }] });
            placed = true;
          }
        } else if (turn.kind === "release") {
          if (runId) await releaseDevices(tx, runId);
        } else {
          const node = NODES[turn.which % NODES.length] as string;
          const { cordonedAt } = await tx.gpuNode.findUniqueOrThrow({ where: { pool_node: { pool, node } } });
          const raised = await tx.gpuPool.update({ where: { pool }, data: { version: { increment: 1 } } });
          await tx.gpuNode.update({
            where: { pool_node: { pool, node } },
            data: { version: raised.version, cordonedAt: cordonedAt ? null : new Date() },
          });
        }
        if (turn.isRolledBack) throw UNDONE;
        return placed;
      })
      .catch((cause: unknown) => {
        if (cause !== UNDONE) throw cause;
        return undefined;
      });
    if (changed === true) running.push(`pod_${i}-1`);
    if (changed !== undefined && turn.kind === "release" && runId) running.splice(running.indexOf(runId), 1);
  }
  const [fresh, ...cached] = await Promise.all([new GpuPools(), ...processes].map((pools) => stateOf(db, pools)));
  for (const state of cached) expect(state).toEqual(fresh);
  const devices = await db.gpuDevice.findMany();
  expect(new Set(devices.map(({ runId }) => runId))).toEqual(new Set(running));
}

/** What a process decides with: free cores, memory and devices of each node, and whether it accepts pods. */
async function stateOf(db: TestDatabase["db"], pools: GpuPools) {
  const { cache } = await db.$transaction((tx) => pools.lock(tx, POOL));
  const { table } = cache.scheduler;
  return NODES.map((name) => {
    const node = cache.indexOf(name) ?? -1;
    const devices = NODES.map((_, device) => table.deviceIdleOf(node, device));
    return { name, devices, cpu: table.cpuFree[node], memory: table.memoryFree[node], isOpen: table.isOpen[node] };
  });
}

const podOf = (id: string, cpu: number) => ({
  id,
  tenantId: "ten_x",
  projectId: "prj_x",
  mode: "test" as const,
  name: id,
  image: "x",
  gpu: "h100",
  gpuCount: 1,
  cpu,
  memoryMb: 512,
  env: {},
  labels: {},
  status: "pending" as const,
  oomKilled: false,
  runNumber: 1,
  meteredSeconds: 0,
  priceNanosPerHour: 0n,
  createdAt: new Date(),
  expiresAt: new Date(),
  runs: { create: { id: `${id}-1`, number: 1, createdAt: new Date() } },
});
