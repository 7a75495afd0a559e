import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Actor } from "../../../operation/actor";
import { LAST_RUN } from "../pod-records/stored-pod";
import { findPod } from "../pods/find-pod";
import type { StoredSandbox } from "./sandbox";

interface FindCtx {
  db: Prisma.TransactionClient;
  actor: Actor;
}

/** Returns a sandbox: a key sees those of its own project and mode, a person all of the tenant. Throws `not_found`. */
export async function findSandbox({ db, actor }: FindCtx, id: string): Promise<StoredSandbox> {
  const pod = await findPod({ db, actor, kind: "sandbox" }, id);
  return { pod, row: await db.sandbox.findUniqueOrThrow({ where: { id } }) };
}

/** The sandbox with an id that exists, deleted or not. */
export async function readSandbox(db: Prisma.TransactionClient, id: string): Promise<StoredSandbox> {
  const pod = await db.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
  return { pod, row: await db.sandbox.findUniqueOrThrow({ where: { id } }) };
}
