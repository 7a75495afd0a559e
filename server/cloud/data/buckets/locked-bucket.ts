import type { Prisma } from "../../../engines/postgres/generated/client";
import { isBeingDeleted, noSuchBucket, type StoredBucket } from "./bucket";

/** Locks a bucket until the transaction ends and reads it again: changes of its objects wait. It may be deleted since. */
export async function lockedBucket(tx: Prisma.TransactionClient, id: string): Promise<StoredBucket | undefined> {
  await tx.$queryRaw`SELECT id FROM buckets WHERE id = ${id} FOR UPDATE`;
  return (await tx.bucket.findUnique({ where: { id } })) ?? undefined;
}

/** As `lockedBucket`. Throws `not_found`, and `conflict` (reason `bucket_being_deleted`). */
export async function lockedForChange(tx: Prisma.TransactionClient, id: string, asked: string): Promise<StoredBucket> {
  const row = await lockedBucket(tx, id);
  if (!row) throw noSuchBucket(asked);
  if (row.deletingSince) throw isBeingDeleted(row.name);
  return row;
}
