import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Actor } from "../../../operation/actor";
import { noSuchResource, type StoredResource } from "./resource";
import type { ResourceService } from "./services";

interface Asked {
  rid: string;
  /** Only a resource of one of these services. */
  services?: readonly ResourceService[] | undefined;
}

/**
 * Returns the resource with an id that the caller may see: a key those of its own project and mode, a person all of the
 * tenant. Throws `not_found`.
 */
export async function findResource(
  { db, actor }: { db: Prisma.TransactionClient; actor: Actor },
  { rid, services }: Asked,
): Promise<StoredResource> {
  const own = actor.kind === "key" ? { projectId: actor.projectId, mode: actor.mode } : {};
  const row = await db.resource.findFirst({ where: { id: rid, tenantId: actor.tenantId, ...own, archivedAt: null } });
  if (!row || (services && !(services as readonly string[]).includes(row.service))) throw noSuchResource(rid);
  return row;
}

/** The same, locked until the transaction ends. */
export async function findAndLockResource(
  ctx: { db: Prisma.TransactionClient; actor: Actor },
  asked: Asked,
): Promise<StoredResource> {
  await ctx.db.$queryRaw`SELECT id FROM resources WHERE id = ${asked.rid} FOR NO KEY UPDATE`;
  return findResource(ctx, asked);
}
