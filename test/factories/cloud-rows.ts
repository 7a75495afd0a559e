import { BaremetalSpec, CpuSpec } from "../../server/cloud/compute/instances/instance-spec";
import type { ResourceState } from "../../server/cloud/core/records/resource-states";
import { newId } from "../../server/kernel/ids";
import type { Mode } from "../../server/operation/actor";
import type { TestApp } from "./app";

type Ctx = Pick<TestApp["app"]["cloud"], "db" | "clock">;

/** What the rows of pods, sandboxes and workspaces have in common here. */
const SMALL_POD = {
  name: "theirs",
  image: "alpine",
  gpuCount: 0,
  cpu: 1,
  memoryMb: 64,
  env: {},
  labels: {},
  oomKilled: false,
  runNumber: 1,
  meteredSeconds: 0,
  priceNanosPerHour: 1n,
} as const;

/** Writes a saved checkpoint without files; returns its id. */
export async function makeCheckpoint({ db, clock }: Ctx, podId: string): Promise<string> {
  const now = clock.now();
  const { id } = await db.podCheckpoint.create({
    data: {
      id: newId("ckp", now.getTime()),
      podId,
      run: 1,
      cause: "request",
      state: "saved",
      sizeBytes: 0n,
      chunks: [],
      createdAt: now,
      savedAt: now,
    },
  });
  return id;
}

interface RowOwner {
  tenantId: string;
  projectId: string;
  mode: Mode;
}

/** Writes a shared volume of which no node knows; returns its id. */
export async function makeSharedVolume({ db, clock }: Ctx, owner: RowOwner): Promise<string> {
  const now = clock.now();
  const id = newId("res", now.getTime());
  const spec = { capacity_gb: 1 };
  await db.resource.create({
    data: {
      id,
      ...owner,
      plane: "gpuc",
      service: "dfs",
      kind: "volume",
      name: id,
      spec,
      specHash: JSON.stringify(spec),
      createdBy: { type: "user", id: "usr_1" },
      state: "ready",
      generation: 1,
      observedGeneration: 1,
      createdAt: now,
      updatedAt: now,
    },
  });
  await db.sharedVolume.create({
    data: { id, ...owner, nodeId: "none", capacityGb: 1, madeGb: 1, state: "made", createdAt: now },
  });
  return id;
}

/** Writes a saved snapshot of a volume, without files; returns its id. */
export async function makeVolumeSnapshot({ db, clock }: Ctx, owner: RowOwner & { volumeId: string }): Promise<string> {
  const now = clock.now();
  const id = newId("vsn", now.getTime());
  await db.volumeSnapshot.create({
    data: { id, ...owner, capacityGb: 1, state: "saved", sizeBytes: 0n, createdAt: now, savedAt: now },
  });
  return id;
}

const DAY_MS = 24 * 3600 * 1000;

/** Writes a scheduled reservation in live mode, as an installation with GPUs has them; returns its id. */
export async function makeReservation(
  { db, clock }: Ctx,
  { tenantId, projectId }: { tenantId: string; projectId: string },
): Promise<string> {
  const now = clock.now();
  const [startsAt, endsAt] = [10, 40].map((days) => new Date(now.getTime() + days * DAY_MS));
  const { id } = await db.reservation.create({
    data: {
      id: newId("rsv", now.getTime()),
      tenantId,
      projectId,
      mode: "live",
      name: "theirs",
      status: "scheduled",
      gpu: "l40s",
      count: 1,
      region: "use",
      pool: "use/l40s",
      durationDays: 30,
      priceNanosPerHour: 1n,
      createdAt: now,
      startsAt: startsAt ?? now,
      endsAt: endsAt ?? now,
    },
  });
  return id;
}

/** Writes a sandbox that has ended; returns its id. */
export async function makeSandbox(
  { db, clock }: Ctx,
  owner: { tenantId: string; projectId: string; mode: "test" | "live" },
): Promise<string> {
  const now = clock.now();
  const id = newId("sbx", now.getTime());
  await db.pod.create({
    data: {
      id,
      kind: "sandbox",
      ...owner,
      ...SMALL_POD,
      status: "stopped",
      createdAt: now,
      stoppedAt: now,
      expiresAt: now,
      secondsMax: 60,
    },
  });
  await db.sandbox.create({ data: { id, tenantId: owner.tenantId, keepAlive: false, endedAt: now } });
  return id;
}

/** Writes a workspace that is stopped; returns its id. */
export async function makeWorkspace(
  { db, clock }: Ctx,
  owner: { tenantId: string; projectId: string; mode: "test" | "live" },
): Promise<string> {
  const now = clock.now();
  const id = newId("wsp", now.getTime());
  await db.pod.create({
    data: {
      id,
      kind: "workspace",
      ...owner,
      ...SMALL_POD,
      status: "stopped",
      createdAt: now,
      stoppedAt: now,
      expiresAt: now,
      volumeGb: 1,
      volumePath: "/workspace",
    },
  });
  const used = { idleTimeoutSeconds: 0, lastUsedAt: now, announced: "1 stopped" };
  await db.workspace.create({ data: { id, tenantId: owner.tenantId, ...used } });
  return id;
}

interface Owner {
  tenantId: string;
  projectId: string;
  mode?: Mode;
}

/** Writes a scan that some other process has, so that no worker of the test takes it; returns its lease. */
export async function makeShieldScan({ db, clock }: Ctx, { mode = "live", ...owner }: Owner & { bucketId?: string }) {
  const now = clock.now();
  const id = newId("scn", now.getTime());
  const leaseOwner = `another process, for ${id}`;
  await db.shieldScan.create({
    data: {
      id,
      mode,
      bucketId: id,
      bucketName: "theirs",
      prefix: "",
      ...owner,
      status: "running",
      createdAt: now,
      startedAt: now,
      leaseOwner,
      leaseUntil: new Date(now.getTime() + DAY_MS),
      leaseFence: 1,
    },
  });
  return { id, owner: leaseOwner, fence: 1 };
}

/** Writes an open finding. */
export async function makeShieldFinding({ db, clock }: Ctx, { mode = "live", ...owner }: Owner): Promise<void> {
  const now = clock.now();
  const id = newId("fnd", now.getTime());
  await db.shieldFinding.create({
    data: {
      id,
      mode,
      ...owner,
      bucketId: "bkt_1",
      bucketName: "theirs",
      key: id,
      rule: "github_token",
      valueHash: id,
      category: "secret",
      severity: "critical",
      confidence: "high",
      evidence: "ghp_…17 (40 characters)",
      offset: 0n,
      encoding: "none",
      occurrences: 1,
      matches: 1,
      firstSeenAt: now,
      lastSeenAt: now,
      lastScanId: "scn_1",
    },
  });
}

/** The rest of the row of an instance in its first generation. */
export const instanceFields = (id: string, spec: object, now: Date) => ({
  plane: "gpuc",
  kind: "instance",
  name: id,
  createdBy: { type: "user", id: "usr_1" },
  spec,
  specHash: JSON.stringify(spec),
  generation: 1,
  observedGeneration: 1,
  createdAt: now,
  updatedAt: now,
});

/**
 * Writes a CPU instance that no process looks at by itself, without a pod, as it is in a state; returns its id. Its
 * service is not activated.
 */
export async function makeInstance(
  { db, clock }: Ctx,
  { state, ...owner }: Required<Owner> & { state: ResourceState },
): Promise<string> {
  const now = clock.now();
  const id = newId("res", now.getTime());
  const spec = CpuSpec.parse({ sku: "Genoa", image_id: "debian-12", memory_mb: 64 });
  await db.resource.create({ data: { id, ...owner, service: "cpu", state, ...instanceFields(id, spec, now) } });
  return id;
}

/** Writes a node that a baremetal instance has for itself, beside the simulated ones; returns its name and the id of the instance. */
export async function makeOwnNode(
  { db, clock }: Ctx,
  { mode = "live", ...owner }: Owner,
): Promise<{ node: string; rid: string }> {
  const now = clock.now();
  const [rid, podId] = [newId("res", now.getTime()), newId("pod", now.getTime())];
  const at = { pool: "euw/b300", node: `of-${rid}` };
  const owned = { ...owner, mode };
  await db.gpuPool.upsert({ where: { pool: at.pool }, create: { pool: at.pool, version: 1n }, update: {} });
  await db.gpuNode.create({
    data: { ...at, gpus: 1, cpuMilli: 1000, memoryMib: 1024, version: 1n, simulated: true },
  });
  const spec = BaremetalSpec.parse({ sku: "B300", image_id: "debian-12" });
  await db.resource.create({
    data: { id: rid, ...owned, service: "baremetal", state: "ready", ...instanceFields(rid, spec, now) },
  });
  await db.pod.create({
    data: {
      id: podId,
      ...owned,
      ...SMALL_POD,
      gpu: "b300",
      region: "euw",
      gpuCount: 1,
      status: "ready",
      createdAt: now,
      startedAt: now,
      expiresAt: new Date(now.getTime() + DAY_MS),
      resourceId: rid,
      runs: {
        create: { id: `${podId}-1`, number: 1, createdAt: now, startedAt: now, observedAt: now, ...at, devices: [0] },
      },
    },
  });
  return { node: at.node, rid };
}

/** Writes a health event of a node. */
export async function makeNodeEvent({ db, clock }: Ctx, { mode = "live", ...owner }: Owner): Promise<void> {
  const now = clock.now();
  const id = newId("nev", now.getTime());
  await db.nodeEvent.create({
    data: {
      id,
      mode,
      ...owner,
      resourceId: "res_1",
      pool: "use/h100",
      node: "h100-1",
      severity: "info",
      signal: "xid_13",
      details: {},
      cordoned: false,
      outcome: "It was recorded.",
      createdAt: now,
    },
  });
}
