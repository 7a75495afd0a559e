import type { EdgeFunction as EdgeRow, Prisma } from "../../../engines/postgres/generated/client";
import { findProject } from "../../../identity/projects/find-project";
import { modeOf } from "../../../operation/actor";
import type { EdgeCtx } from "./edge-ctx";
import { EDGE_ID_PREFIX, noSuchEdgeFunction } from "./edge-function";

/**
 * Returns the edge function that a request names. A key sees those of its own project and mode; a person sees all of the
 * tenant by id, and by name those of the first project in test mode. Throws `not_found`.
 */
export async function findEdgeFunction(ctx: Pick<EdgeCtx, "db" | "actor">, asked: string): Promise<EdgeRow> {
  const found = await ctx.db.edgeFunction.findFirst({ where: await whereOf(ctx, asked) });
  if (!found) throw noSuchEdgeFunction(asked);
  return found;
}

async function whereOf({ db, actor }: Pick<EdgeCtx, "db" | "actor">, asked: string) {
  const { tenantId } = actor;
  const isId = asked.startsWith(`${EDGE_ID_PREFIX}_`);
  const named = { tenantId, ...(isId ? { id: asked } : { name: asked }) };
  if (actor.kind === "key") return { ...named, projectId: actor.projectId, mode: actor.mode };
  if (isId) return named;
  return { ...named, projectId: (await findProject(db, actor, undefined)).id, mode: modeOf(actor, undefined) };
}

/** Reads an edge function again and locks it until the transaction ends. Throws `not_found` if it was deleted since. */
export async function lockEdgeFunction(tx: Prisma.TransactionClient, id: string): Promise<EdgeRow> {
  await tx.$queryRaw`SELECT id FROM edge_functions WHERE id = ${id} FOR NO KEY UPDATE`;
  const row = await tx.edgeFunction.findUnique({ where: { id } });
  if (!row) throw noSuchEdgeFunction(id);
  return row;
}
