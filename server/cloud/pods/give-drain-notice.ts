import type { Prisma } from "../../engines/postgres/generated/client";
import type { CloudCtx } from "../cloud-ctx";
import { podsToDrain } from "./endable-runs.sql";
import { NODE_DRAINING } from "./notice-reasons";
import { LAST_RUN } from "./pod";
import { lockPod } from "./pods.sql";
import { requestReclaim } from "./request-reclaim";
import { requeueRun } from "./requeue-run";

type DrainCtx = Pick<CloudCtx, "db" | "sql" | "clock" | "currency" | "publicUrl">;

/**
 * Gives notice to the pods of all tenants on nodes that drain. Those whose process does not run yet wait for capacity
 * again at once.
 */
export async function giveDrainNotice(ctx: DrainCtx): Promise<void> {
  for (const id of await podsToDrain(ctx.sql)) {
    await ctx.db.$transaction((tx) => noticePod(tx, ctx, id));
  }
}

async function noticePod(tx: Prisma.TransactionClient, ctx: DrainCtx, id: string): Promise<void> {
  await lockPod(tx, id);
  const pod = await tx.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
  const [run] = pod.runs;
  // It may have ended, or been placed elsewhere, since it was found.
  if (!run || run.endedAt || pod.deletedAt || run.pool === null || run.node === null) return;
  const place = { pool: run.pool, node: run.node };
  if (!(await tx.gpuNode.findFirst({ where: { ...place, drains: true } }))) return;
  if (pod.status === "pending") await requeueRun(tx, { pod, run, reason: NODE_DRAINING, now: ctx.clock.now() });
  else await requestReclaim(tx, ctx, { pod, reason: NODE_DRAINING });
}
