import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Actor } from "../../../operation/actor";
import { assertPlaneScope } from "../planes/plane-scope";
import { type ServiceId, serviceOf } from "../planes/planes";
import { noSuchResource, type StoredResource } from "./resource";

export interface Chosen {
  rid: string;
  /** Only a resource of one of these services. */
  services?: readonly ServiceId[] | undefined;
  /** What the caller must be allowed to do in the plane of the resource; `checked`: the access of the operation says that. */
  right: "read" | "write" | "checked";
}

/**
 * Returns the resource with an id that the caller may see: a key those of its own project and mode, a person all of the
 * tenant. Throws `not_found`, and `forbidden` for a resource of a plane of which the caller has no scope.
 */
export async function findResource(
  { db, actor }: { db: Prisma.TransactionClient; actor: Actor },
  { rid, services, right }: Chosen,
): Promise<StoredResource> {
  const own = actor.kind === "key" ? { projectId: actor.projectId, mode: actor.mode } : {};
  const row = await db.resource.findFirst({ where: { id: rid, tenantId: actor.tenantId, ...own, archivedAt: null } });
  if (!row || (services && !services.some((one) => isOf(row, one)))) throw noSuchResource(rid);
  if (right !== "checked") assertPlaneScope(actor, serviceOf(row).plane, right);
  return row;
}

const isOf = (row: StoredResource, { plane, service }: ServiceId): boolean =>
  row.plane === plane && row.service === service;

/** The same, locked until the transaction ends. */
export async function findAndLockResource(
  ctx: { db: Prisma.TransactionClient; actor: Actor },
  asked: Chosen,
): Promise<StoredResource> {
  await ctx.db.$queryRaw`SELECT id FROM resources WHERE id = ${asked.rid} FOR NO KEY UPDATE`;
  return findResource(ctx, asked);
}
