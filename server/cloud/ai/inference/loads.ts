import type { InferenceParts } from "./inference-ctx";

/** A process that has not reported for so long passes nothing any more. */
const FRESH_MS = 5000;
const KEPT_MS = 3600_000;

type LoadCtx = Pick<InferenceParts, "db" | "clock">;

/** What one process passes to the replicas of an endpoint. */
export interface ReportedLoad {
  endpointId: string;
  processId: string;
  /** By the id of the pod. */
  outstanding: Record<string, number>;
  queued: number;
  /** Requests since the report before. */
  added: number;
}

export async function reportLoad({ db, clock }: LoadCtx, load: ReportedLoad): Promise<void> {
  const { endpointId, processId, outstanding, queued, added } = load;
  const now = clock.now();
  const data = { outstanding, queued, seenAt: now };
  await db.inferenceLoad.upsert({
    where: { endpointId_processId: { endpointId, processId } },
    create: { endpointId, processId, ...data },
    update: data,
  });
  if (added === 0) return;
  await db.inferenceEndpoint.updateMany({
    where: { id: endpointId },
    data: { requests: { increment: added }, usedAt: now },
  });
}

/** What all processes together pass to an endpoint. */
export interface EndpointLoad {
  /** By the id of the pod. */
  outstanding: ReadonlyMap<string, number>;
  queued: number;
}

export async function readLoads(
  { db, clock }: LoadCtx,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, EndpointLoad>> {
  const since = new Date(clock.now().getTime() - FRESH_MS);
  const rows = await db.inferenceLoad.findMany({
    where: { endpointId: { in: [...endpointIds] }, seenAt: { gte: since } },
  });
  const loads = new Map<string, { outstanding: Map<string, number>; queued: number }>();
  for (const { endpointId, outstanding, queued } of rows) {
    const sum = loads.get(endpointId) ?? { outstanding: new Map<string, number>(), queued: 0 };
    sum.queued += queued;
    for (const [podId, count] of Object.entries(outstanding as Record<string, number>))
      sum.outstanding.set(podId, (sum.outstanding.get(podId) ?? 0) + count);
    loads.set(endpointId, sum);
  }
  return loads;
}

/** Deletes the reports of processes that have ended long ago. */
export async function forgetLoads({ db, clock }: LoadCtx): Promise<void> {
  await db.inferenceLoad.deleteMany({ where: { seenAt: { lt: new Date(clock.now().getTime() - KEPT_MS) } } });
}
