import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Actor } from "../../../operation/actor";
import { LAST_RUN } from "../pod-records/stored-pod";
import { findAndLockPod, findPod } from "../pods/find-pod";
import type { StoredWorkspace } from "./workspace";

interface FindCtx {
  db: Prisma.TransactionClient;
  actor: Actor;
}

/** Returns a workspace: a key sees those of its own project and mode, a person all of the tenant. Throws `not_found`. */
export async function findWorkspace({ db, actor }: FindCtx, id: string): Promise<StoredWorkspace> {
  const pod = await findPod({ db, actor, kind: "workspace" }, id);
  return { pod, row: await db.workspace.findUniqueOrThrow({ where: { id } }) };
}

/** Like `findWorkspace`, and locks the workspace until the transaction ends. */
export async function findAndLockWorkspace({ db, actor }: FindCtx, id: string): Promise<StoredWorkspace> {
  const pod = await findAndLockPod({ db, actor, kind: "workspace" }, id);
  return { pod, row: await db.workspace.findUniqueOrThrow({ where: { id } }) };
}

/** The workspace with an id that exists, deleted or not. */
export async function readWorkspace(db: Prisma.TransactionClient, id: string): Promise<StoredWorkspace> {
  const pod = await db.pod.findUniqueOrThrow({ where: { id }, include: LAST_RUN });
  return { pod, row: await db.workspace.findUniqueOrThrow({ where: { id } }) };
}
