import type { PodKind, Prisma } from "../../../engines/postgres/generated/client";
import { notFound } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import { lockPod } from "../pod-records/pod-locks.sql";
import { LAST_RUN, type StoredPod } from "../pod-records/stored-pod";

interface FindCtx {
  db: Prisma.TransactionClient;
  actor: Actor;
  /** Default: pods. */
  kind?: PodKind;
}

/** Returns a pod: a key sees those of its own project and mode, a person all of the tenant. Throws `not_found`. */
export async function findPod({ db, actor, kind = "pod" }: FindCtx, id: string): Promise<StoredPod> {
  const seen = actor.kind === "key" ? { projectId: actor.projectId, mode: actor.mode } : {};
  const where = { tenantId: actor.tenantId, id, kind, deletedAt: null, ...seen };
  const found = await db.pod.findFirst({ where, include: LAST_RUN });
  if (!found) throw notFound(kind, id);
  return found;
}

/** Like `findPod`, and locks the pod until the transaction ends. */
export async function findAndLockPod(ctx: FindCtx, id: string): Promise<StoredPod> {
  await findPod(ctx, id);
  await lockPod(ctx.db, id);
  return findPod(ctx, id);
}
