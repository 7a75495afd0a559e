import type { Prisma } from "../../../engines/postgres/generated/client";
import { notFound } from "../../../kernel/errors";
import { type CheckpointRow, WITHOUT_CHUNKS } from "../checkpoints/checkpoint";

/** Returns a checkpoint of a pod that the caller may see. Throws `not_found`. */
export async function findCheckpoint(
  db: Prisma.TransactionClient,
  { podId, id }: { podId: string; id: string },
): Promise<CheckpointRow> {
  const found = await db.podCheckpoint.findFirst({ where: { podId, id }, ...WITHOUT_CHUNKS });
  if (!found) throw notFound("checkpoint", id);
  return found;
}
