import type { Prisma } from "../../engines/postgres/generated/client";
import type { Actor } from "../../operation/actor";
import { LAST_RUN, noSuchPod, type StoredPod } from "./pod";
import { lockPod } from "./pods.sql";

interface FindCtx {
  db: Prisma.TransactionClient;
  actor: Actor;
}

/** Returns a pod: a key sees those of its own project and mode, a person all of the tenant. Throws `not_found`. */
export async function findPod({ db, actor }: FindCtx, id: string): Promise<StoredPod> {
  const seen = actor.kind === "key" ? { projectId: actor.projectId, mode: actor.mode } : {};
  const where = { tenantId: actor.tenantId, id, deletedAt: null, ...seen };
  const found = await db.pod.findFirst({ where, include: LAST_RUN });
  if (!found) throw noSuchPod(id);
  return found;
}

/** Like `findPod`, and locks the pod until the transaction ends. */
export async function findAndLockPod(ctx: FindCtx, id: string): Promise<StoredPod> {
  await findPod(ctx, id);
  await lockPod(ctx.db, id);
  return findPod(ctx, id);
}
