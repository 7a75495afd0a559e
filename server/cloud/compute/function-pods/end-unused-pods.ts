import type { Tasks } from "../../../engines/jobs/start-jobs";
import { lockPod } from "../pod-records/pod-locks.sql";
import { LAST_RUN } from "../pod-records/stored-pod";
import { requestStop } from "../pods/request-stop";
import type { FunctionPodsCtx } from "./pod-of-version";

/** Longer than processes of svc keep a process in a pod without using it. */
const POD_IDLE_MS = 6 * 60_000;
const UNUSED = { code: "unused", message: "Its function was not called for some minutes." };

const GOES_ON = "p.status IN ('pending', 'ready', 'reclaiming')";

/** Whether there are pods of functions that run, or will. */
export const HAS_FUNCTION_PODS = `SELECT FROM function_pods f JOIN pods p ON p.id = f.id WHERE ${GOES_ON}`;
export const END_UNUSED_PODS = "end_unused_function_pods";
export const functionPodTasks = (ctx: EndCtx): Tasks => ({ [END_UNUSED_PODS]: () => endUnusedPods(ctx) });

type EndCtx = Pick<FunctionPodsCtx, "db" | "sql" | "clock" | "currency" | "publicUrl">;

/** Pods that run, or will, and were not used since a time. */
async function unusedPods({ sql }: EndCtx, since: Date): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT f.id FROM function_pods f JOIN pods p ON p.id = f.id
      WHERE f.used_at < $1 AND ${GOES_ON} ORDER BY f.id LIMIT 100`,
    [since],
  );
  return rows.map(({ id }) => id);
}

/** Ends pods of functions that no process of svc has used for some minutes. */
export async function endUnusedPods(ctx: EndCtx): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - POD_IDLE_MS);
  const ids = await unusedPods(ctx, since);
  for (const id of ids) {
    await ctx.db.$transaction(async (tx) => {
      await lockPod(tx, id);
      const { usedAt } = await tx.functionPod.findUniqueOrThrow({ where: { id } });
      const pod = await tx.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
      if (usedAt < since) await requestStop(tx, ctx, { pod, reason: UNUSED });
    });
  }
}
