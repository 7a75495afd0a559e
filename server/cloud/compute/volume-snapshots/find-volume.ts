import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Actor } from "../../../operation/actor";
import { noSuchResource, resourceTarget } from "../../core/records/resource";

/** A volume, also a deleted one, whose snapshots stay. */
export interface FoundVolume {
  id: string;
  name: string;
}

/** The volume with an id that the caller may see, deleted ones included. Throws `not_found`. */
export async function findVolume(
  { db, actor }: { db: Prisma.TransactionClient; actor: Actor },
  rid: string,
): Promise<FoundVolume> {
  const own = actor.kind === "key" ? { projectId: actor.projectId, mode: actor.mode } : {};
  const where = { id: rid, tenantId: actor.tenantId, ...own, service: "dfs", state: { not: "placeholder" } };
  const row = await db.resource.findFirst({ where, select: { id: true, name: true } });
  if (!row) throw noSuchResource(rid);
  return row;
}

export const volumeTarget = (volume: FoundVolume) => resourceTarget(volume);
