import type { Prisma } from "../../../engines/postgres/generated/client";
import { exceeded, type Noun, sumOf } from "./nouns";
import { STORED_BYTES_QUOTAS } from "./stored-bytes.quotas";
import { addStoredIn, type Stored } from "./stored-bytes.sql";

/**
 * `StoredBytes.take` in a transaction that locks a quota of the tenant. Call it last: it locks the figure. Throws
 * `quota_exceeded`.
 */
export async function addStoredBytes(
  tx: Prisma.TransactionClient,
  added: { tenantId: string; noun: Noun; bytes: number; now: Date },
): Promise<void> {
  const stored = await readStoredIn(tx, added.tenantId);
  if (sumOf(stored.nouns) + added.bytes > stored.limit) throw exceeded(stored);
  await addStoredIn(tx, added);
}

/** `StoredBytes.assertRoom` in the snapshot of a transaction, for what only reads. Throws `quota_exceeded`. */
export async function checkStoredBytes(tx: Prisma.TransactionClient, tenantId: string): Promise<void> {
  const stored = await readStoredIn(tx, tenantId);
  if (sumOf(stored.nouns) >= stored.limit) throw exceeded(stored);
}

async function readStoredIn(tx: Prisma.TransactionClient, tenantId: string): Promise<Stored> {
  const resource = STORED_BYTES_QUOTAS.stored_bytes.resource;
  const set = await tx.quota.findUnique({ where: { tenantId_resource: { tenantId, resource } } });
  const limit = set ? Number(set.limit) : STORED_BYTES_QUOTAS.stored_bytes.defaultLimit;
  const rows = await tx.storedBytes.findMany({ where: { tenantId } });
  return { limit, nouns: Object.fromEntries(rows.map((row) => [row.noun, Number(row.bytes)])) };
}
