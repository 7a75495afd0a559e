import type { CloudFunction as FunctionRow, Prisma } from "../../../engines/postgres/generated/client";
import { findProject } from "../../../identity/projects/find-project";
import { modeOf } from "../../../operation/actor";
import { FUNCTION_ID_PREFIX, noSuchFunction } from "./function";
import type { FunctionCtx } from "./function-ctx";

/**
 * Returns the function that a request names. A key sees those of its own project and mode; a person sees all of the tenant
 * by id, and by name those of the first project in test mode. Throws `not_found`.
 */
export async function findFunction(ctx: Pick<FunctionCtx, "db" | "actor">, asked: string): Promise<FunctionRow> {
  const found = await ctx.db.cloudFunction.findFirst({ where: await whereOf(ctx, asked) });
  if (!found) throw noSuchFunction(asked);
  return found;
}

async function whereOf({ db, actor }: Pick<FunctionCtx, "db" | "actor">, asked: string) {
  const { tenantId } = actor;
  const isId = asked.startsWith(`${FUNCTION_ID_PREFIX}_`);
  const named = isId ? { id: asked } : { name: asked };
  if (actor.kind === "key") return { tenantId, ...named, projectId: actor.projectId, mode: actor.mode };
  if (isId) return { tenantId, ...named };
  return {
    tenantId,
    ...named,
    projectId: (await findProject(db, actor, undefined)).id,
    mode: modeOf(actor, undefined),
  };
}

/** Reads a function again and locks it until the transaction ends. Throws `not_found` if it was deleted since. */
export async function lockFunction(tx: Prisma.TransactionClient, id: string): Promise<FunctionRow> {
  await tx.$queryRaw`SELECT id FROM functions WHERE id = ${id} FOR NO KEY UPDATE`;
  const row = await tx.cloudFunction.findUnique({ where: { id } });
  if (!row) throw noSuchFunction(id);
  return row;
}
