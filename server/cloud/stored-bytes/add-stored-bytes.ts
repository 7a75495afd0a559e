import type { Prisma } from "../../engines/postgres/generated/client";
import { CLOUD_QUOTAS } from "../quotas/cloud-quotas";
import { exceeded, type Noun, sumOf } from "./nouns";
import { addStoredIn } from "./stored-bytes.sql";

/**
 * `StoredBytes.take` in a transaction that locks a quota of the tenant. Call it last: it locks the figure. Throws
 * `quota_exceeded`.
 */
export async function addStoredBytes(
  tx: Prisma.TransactionClient,
  added: { tenantId: string; noun: Noun; bytes: number; now: Date },
): Promise<void> {
  const { tenantId, bytes } = added;
  const resource = CLOUD_QUOTAS.stored_bytes.resource;
  const set = await tx.quota.findUnique({ where: { tenantId_resource: { tenantId, resource } } });
  const limit = set ? Number(set.limit) : CLOUD_QUOTAS.stored_bytes.defaultLimit;
  const rows = await tx.storedBytes.findMany({ where: { tenantId } });
  const nouns = Object.fromEntries(rows.map((row) => [row.noun, Number(row.bytes)]));
  if (sumOf(nouns) + bytes > limit) throw exceeded({ nouns, limit });
  await addStoredIn(tx, added);
}
