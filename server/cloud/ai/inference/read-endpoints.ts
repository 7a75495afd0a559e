import type { InferenceEndpoint } from "../../../engines/postgres/generated/client";
import { groupedBy } from "../../../kernel/grouped";
import type { DesiredResource } from "../../core/kinds/kind";
import { type EndpointSpec, hashOf, type ReplicaProgram, replicaProgram } from "./endpoint-spec";
import type { InferenceParts } from "./inference-ctx";
import { type EndpointLoad, readLoads } from "./loads";
import { hasSteps, planReplicas, type ReplicaPlan, type ReplicaState } from "./plan-replicas";
import { isHealthy } from "./reach-replica";
import { isServing, type Replica, readReplicas } from "./replicas";
import { neededReplicas, scaleOf } from "./scale";

/** An endpoint, and what is to be done about its replicas. */
export interface EndpointSnapshot {
  endpoint: InferenceEndpoint;
  program: ReplicaProgram;
  /** How many replicas there should be now. */
  wanted: number;
  replicas: readonly Replica[];
  states: readonly ReplicaState[];
  load: EndpointLoad;
  plan: ReplicaPlan;
  /** Something is to be done now. */
  hasSteps: boolean;
}

const NO_LOAD: EndpointLoad = { outstanding: new Map(), queued: 0 };
const ALIVE: ReadonlySet<string> = new Set(["pending", "ready", "reclaiming"]);

/** How many replicas an endpoint has. */
export interface ReplicaCounts {
  ready: number;
  wanted: number;
  starting: number;
}

export const countsOf = ({ replicas, wanted }: EndpointSnapshot): ReplicaCounts & { [name: string]: number } => ({
  ready: replicas.filter(isServing).length,
  wanted,
  starting: replicas.filter(({ row }) => row.readyAt === null && row.drainingAt === null).length,
});

interface ReadEndpointsOptions {
  /** Ask also those that were ready before. */
  probesReady?: boolean;
}

/** Looks at endpoints that were provisioned, and asks the engines of their replicas whether they are ready. */
export async function readEndpoints(
  parts: InferenceParts,
  all: readonly DesiredResource<EndpointSpec>[],
  { probesReady = false }: ReadEndpointsOptions = {},
): Promise<ReadonlyMap<string, EndpointSnapshot>> {
  const rids = all.map(({ rid }) => rid);
  const wantedBy = new Map(all.map((wanted) => [wanted.rid, wanted]));
  await probe(parts, { wantedBy, replicas: await readReplicas(parts, rids), probesReady });
  const [endpoints, replicas, loads] = await Promise.all([
    parts.db.inferenceEndpoint.findMany({ where: { id: { in: rids } } }),
    readReplicas(parts, rids),
    readLoads(parts, rids),
  ]);
  const byEndpoint = groupedBy(replicas, ({ row }) => row.endpointId);
  const snapshots = endpoints.flatMap((endpoint): EndpointSnapshot[] => {
    const wanted = wantedBy.get(endpoint.id);
    const load = loads.get(endpoint.id) ?? NO_LOAD;
    return wanted ? [snapshotOf(parts, { wanted, endpoint, replicas: byEndpoint.get(endpoint.id) ?? [], load })] : [];
  });
  await recordBusy(parts, snapshots, wantedBy);
  return new Map(snapshots.map((snapshot) => [snapshot.endpoint.id, snapshot]));
}

interface Known {
  wanted: DesiredResource<EndpointSpec>;
  endpoint: InferenceEndpoint;
  replicas: readonly Replica[];
  load: EndpointLoad;
}

function snapshotOf(
  { clock }: InferenceParts,
  { wanted: { spec, mode }, endpoint, replicas, load }: Known,
): EndpointSnapshot {
  const nowMs = clock.now().getTime();
  const program = replicaProgram(spec, mode);
  const wanted = scaleOf({
    ...loadOf(spec, load),
    current: endpoint.wanted,
    quietMs: nowMs - quietSince(endpoint),
    scaleDownMs: spec.scale_down_seconds * 1000,
  });
  const hash = hashOf(program);
  const states = replicas.map((one) => stateOf(one, { hash, nowMs, load }));
  const planned = planReplicas(wanted, states);
  const mayCreate = endpoint.retryAt === null || endpoint.retryAt.getTime() <= nowMs;
  const plan = { ...planned, create: mayCreate ? planned.create : 0 };
  const isDue = hasSteps(plan) || wanted !== endpoint.wanted;
  return { endpoint, program, wanted, replicas, states, load, plan, hasSteps: isDue };
}

const loadOf = (spec: EndpointSpec, { outstanding, queued }: EndpointLoad) => ({
  outstanding: [...outstanding.values()].reduce((sum, count) => sum + count, 0),
  queued,
  target: spec.target_concurrency,
  min: spec.min_replicas,
  max: spec.max_replicas,
  scaleDownMs: spec.scale_down_seconds * 1000,
});

/** The last replica ends only after a time without any request, also one between two looks. */
const quietSince = ({ wanted, busyAt, usedAt }: InferenceEndpoint): number =>
  Math.max(busyAt.getTime(), wanted <= 1 ? (usedAt?.getTime() ?? 0) : 0);

interface ReplicaContext {
  hash: string;
  nowMs: number;
  load: EndpointLoad;
}

const stateOf = ({ row, pod }: Replica, { hash, nowMs, load }: ReplicaContext): ReplicaState => ({
  podId: row.podId,
  isAlive: pod !== undefined && ALIVE.has(pod.status),
  isReady: pod?.status === "ready" && row.readyAt !== null && row.unreadyAt === null,
  isCurrent: row.program === hash && pod?.status !== "reclaiming",
  drainingMs: row.drainingAt === null ? undefined : nowMs - row.drainingAt.getTime(),
  unreadyMs: row.unreadyAt === null ? 0 : nowMs - row.unreadyAt.getTime(),
  wasReady: row.readyAt !== null,
  outstanding: load.outstanding.get(row.podId) ?? 0,
});

interface Probe {
  wantedBy: ReadonlyMap<string, DesiredResource<EndpointSpec>>;
  replicas: readonly Replica[];
  probesReady: boolean;
}

async function probe(parts: InferenceParts, { wantedBy, replicas, probesReady }: Probe): Promise<void> {
  const asked = replicas.filter(({ row, pod }) => pod?.status === "ready" && (probesReady || row.unreadyAt !== null));
  await Promise.all(
    asked.map(async ({ row, pod }) => {
      const wanted = wantedBy.get(row.endpointId);
      if (!pod || !wanted) return;
      const { healthPath } = replicaProgram(wanted.spec, wanted.mode);
      await recordHealth(parts, row, await isHealthy(parts, { pod, port: row.port }, healthPath));
    }),
  );
}

type Row = Replica["row"];

async function recordHealth({ db, clock }: InferenceParts, row: Row, isReady: boolean): Promise<void> {
  const { podId, readyAt, unreadyAt, endpointId } = row;
  const now = clock.now();
  if (!isReady) return unreadyAt === null ? markUnready({ db, clock }, podId) : undefined;
  if (unreadyAt === null) return;
  await db.inferenceReplica.updateMany({ where: { podId }, data: { readyAt: readyAt ?? now, unreadyAt: null } });
  await db.inferenceEndpoint.updateMany({ where: { id: endpointId }, data: { failures: 0, retryAt: null } });
}

/** No new requests are passed to a replica until its engine says again that it is ready. */
export async function markUnready({ db, clock }: Pick<InferenceParts, "db" | "clock">, podId: string): Promise<void> {
  await db.inferenceReplica.updateMany({ where: { podId, unreadyAt: null }, data: { unreadyAt: clock.now() } });
}

/** Remembers when all replicas were needed. Where there are no more than always, it does not matter. */
async function recordBusy(
  { db, clock }: InferenceParts,
  snapshots: readonly EndpointSnapshot[],
  wantedBy: ReadonlyMap<string, DesiredResource<EndpointSpec>>,
): Promise<void> {
  const busy = snapshots.filter(({ endpoint: { id, wanted }, load }) => {
    const spec = wantedBy.get(id)?.spec;
    return spec && wanted > spec.min_replicas && neededReplicas(loadOf(spec, load)) >= wanted;
  });
  const ids = busy.map(({ endpoint }) => endpoint.id);
  if (ids.length > 0)
    await db.inferenceEndpoint.updateMany({ where: { id: { in: ids } }, data: { busyAt: clock.now() } });
}
