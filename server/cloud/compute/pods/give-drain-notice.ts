import type { Prisma } from "../../../engines/postgres/generated/client";
import { podsToDrain } from "../placement/endable-runs.sql";
import { NODE_DRAINING } from "./notice-reasons";
import type { PodsCtx } from "./pods-ctx";
import { lockWithGang, reclaimPods } from "./reclaim-pods";

type DrainCtx = Pick<PodsCtx, "db" | "sql" | "clock" | "currency" | "publicUrl">;

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
  const pods = await lockWithGang(tx, id);
  const [pod] = pods;
  const [run] = pod.runs;
  // It may have ended, or been placed elsewhere, since it was found.
  if (!run || run.endedAt || pod.deletedAt || run.pool === null || run.node === null) return;
  const place = { pool: run.pool, node: run.node };
  if (!(await tx.gpuNode.findFirst({ where: { ...place, drains: true } }))) return;
  await reclaimPods(tx, ctx, { pods, reason: NODE_DRAINING, now: ctx.clock.now() });
}
