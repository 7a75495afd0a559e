import type { Prisma } from "../../engines/postgres/generated/client";
import type { LogHead } from "../lock-log";
import type { AuditRecord } from "./entry-hash";

/** Inserts an entry and moves the head to it in one round trip, since other appends to the chain of the tenant wait. */
export async function insertEntry(tx: Prisma.TransactionClient, entry: AuditRecord & { hash: string }): Promise<void> {
  const { tenantId, sequence, id, at, action, previousHash, hash } = entry;
  const [actor, targets, context, details] = [entry.actor, entry.targets, entry.context, entry.details].map((part) =>
    JSON.stringify(part),
  );
  await tx.$executeRaw`
    WITH entry AS (
      INSERT INTO audit_entries
        (tenant_id, sequence, id, at, action, actor, targets, context, details, previous_hash, hash)
      VALUES (${tenantId}, ${sequence}, ${id}, ${at}::timestamptz, ${action}, ${actor}::jsonb, ${targets}::jsonb,
        ${context}::jsonb, ${details}::jsonb, ${previousHash}, ${hash})
    )
    UPDATE audit_heads SET sequence = ${sequence}, hash = ${hash} WHERE tenant_id = ${tenantId}`;
}

/** Reads the end of a tenant's chain according to its head, and the first entry after it, in one snapshot. */
export interface AuditEnd extends LogHead {
  beyond: bigint | null;
}

export async function readEnd(db: Pick<Prisma.TransactionClient, "$queryRaw">, tenantId: string): Promise<AuditEnd> {
  const [end] = await db.$queryRaw<AuditEnd[]>`
    WITH head AS (
      SELECT coalesce(max(sequence), 0)::bigint AS sequence, coalesce(max(hash), '') AS hash
      FROM audit_heads WHERE tenant_id = ${tenantId}
    )
    SELECT head.sequence, head.hash, (
      SELECT min(entry.sequence) FROM audit_entries AS entry
      WHERE entry.tenant_id = ${tenantId} AND entry.sequence > head.sequence
    ) AS beyond
    FROM head`;
  if (!end) throw new Error("an aggregate returned no row");
  return end;
}
