import type { Prisma } from "../../../engines/postgres/generated/client";
import { lockNameIn } from "../../../engines/postgres/named-lock";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { newId } from "../../../kernel/ids";
import type { Mode } from "../../../operation/actor";
import { insertPod } from "../placement/insert-pod";
import { requireRuntime } from "../placement/require-runtime";
import { SANDBOX_QUOTAS } from "../sandboxes/sandboxes.quotas";
import type { FunctionPodCtx } from "./function-pod-ctx";

const POD_ID_PREFIX = "fpd";
const NO_GPUS = { gpu: null, gpuCount: 0, region: null } as const;
const CPU = 1;
const SECONDS_MAX = 24 * 3600;
/** How long a pod may wait for capacity and for its image. */
const START_MS_MAX = 15 * 60 * 1000;
/** What its first process does: it waits, and collects what other processes leave behind. */
const IDLE = ["/bin/sh", "-c", "while :; do sleep 86400; done"];
const OPEN: ReadonlySet<string> = new Set(["pending", "ready"]);

export type FunctionPodsCtx = Pick<
  FunctionPodCtx,
  "db" | "sql" | "clock" | "podRuns" | "gpuPools" | "encryptionKey" | "currency" | "publicUrl"
>;

/** A version of a function, and what its pod needs to be. */
export interface PodVersion {
  functionId: string;
  version: number;
  tenantId: string;
  projectId: string;
  mode: Mode;
  image: string;
  memoryMb: number;
}

/** The id of the pod that runs a version, or will: one for all processes of svc. Throws `unavailable` and `quota_exceeded`. */
export async function podOfVersion(ctx: FunctionPodsCtx, of: PodVersion): Promise<string> {
  const { tenantId, mode } = of;
  await requireRuntime(ctx, { tenantId, mode, ...NO_GPUS, ports: [], volumeGb: null });
  return ctx.db.$transaction(async (tx) => {
    // Of several calls, one makes the pod and the others find it.
    await lockNameIn(tx, `${of.functionId}@${of.version}`);
    const known = await findPod(tx, of);
    if (known) {
      await tx.functionPod.update({ where: { id: known }, data: { usedAt: ctx.clock.now() } });
      return known;
    }
    await assertQuota(tx, { tenantId }, SANDBOX_QUOTAS.sandboxes);
    return addPod(tx, ctx, of);
  });
}

type Tx = Prisma.TransactionClient;

async function findPod(tx: Tx, { functionId, version }: PodVersion): Promise<string | undefined> {
  const [last] = await tx.functionPod.findMany({
    where: { functionId, version },
    orderBy: { id: "desc" },
    take: 1,
  });
  const pod = last && (await tx.pod.findUnique({ where: { id: last.id }, select: { status: true } }));
  return pod && OPEN.has(pod.status) ? last.id : undefined;
}

async function addPod(tx: Tx, { clock, gpuPools }: FunctionPodsCtx, of: PodVersion): Promise<string> {
  const { functionId, version, tenantId, projectId, mode, image, memoryMb } = of;
  const now = clock.now();
  const id = newId(POD_ID_PREFIX, now.getTime());
  await insertPod(
    { db: tx, gpuPools },
    {
      id,
      kind: "function",
      tenantId,
      projectId,
      mode,
      name: `${functionId}-${version}`,
      image,
      ...NO_GPUS,
      cpu: CPU,
      memoryMb,
      env: {},
      labels: {},
      command: IDLE,
      secondsMax: SECONDS_MAX,
      createdAt: now,
      expiresAt: new Date(now.getTime() + START_MS_MAX + SECONDS_MAX * 1000),
    },
  );
  await tx.functionPod.create({ data: { id, functionId, version, usedAt: now } });
  return id;
}
