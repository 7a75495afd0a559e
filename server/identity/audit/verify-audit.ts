import { z } from "zod";
import type { AuditEntry as AuditRow } from "../../engines/postgres/generated/client";
import type { ActorCtx } from "../identity-ctx";
import { type AuditEnd, type AuditHead, readEnd } from "./audit.sql";
import { type AuditFacts, entryHash } from "./entry-hash";

const BATCH_ENTRIES = 1000;

/** For a tenant's own log; operators name a tenant. */
export const VerifyAudit = z.strictObject({});

export const AuditVerdict = z
  .object({
    valid: z.boolean(),
    entries: z.int().describe("How many entries were found good, from the first on"),
    first_bad_sequence: z
      .int()
      .nullable()
      .describe("The first sequence number whose entry is missing, changed or out of place"),
    head_hash: z
      .string()
      .describe("Of the newest entry; whoever keeps it elsewhere can tell later that the log was not written anew"),
  })
  .meta({ id: "AuditVerdict" });
export type AuditVerdict = z.output<typeof AuditVerdict>;

/**
 * Recomputes a tenant's chain from its first entry to the head as it was when the walk began, 1,000 entries at a time.
 * An entry that was edited, removed, inserted or moved breaks it, and so does a cut tail, since the head tells how far
 * the chain goes.
 */
export async function verifyAudit({ db }: Pick<ActorCtx, "db">, tenantId: string): Promise<AuditVerdict> {
  const end = await readEnd(db, tenantId);
  let last: AuditHead = { sequence: 0n, hash: "" };
  for await (const row of entriesUpTo(db, tenantId, end.sequence)) {
    const expected = last.sequence + 1n;
    if (row.sequence !== expected) return verdictOf(end, last, row.sequence < expected ? row.sequence : expected);
    if (!follows(row, last) || (expected === end.sequence && row.hash !== end.hash)) {
      return verdictOf(end, last, expected);
    }
    last = row;
  }
  return verdictOf(end, last, last.sequence < end.sequence ? last.sequence + 1n : end.beyond);
}

async function* entriesUpTo(db: ActorCtx["db"], tenantId: string, to: bigint): AsyncGenerator<AuditRow> {
  for (let after: bigint | undefined, isMore = true; isMore; ) {
    const rows: AuditRow[] = await db.auditEntry.findMany({
      where: { tenantId, sequence: { lte: to, ...(after !== undefined && { gt: after }) } },
      orderBy: { sequence: "asc" },
      take: BATCH_ENTRIES,
    });
    yield* rows;
    after = rows.at(-1)?.sequence;
    isMore = rows.length === BATCH_ENTRIES;
  }
}

/** JSON columns come back as the JSON that was hashed. */
const follows = (row: AuditRow, last: AuditHead): boolean =>
  row.previousHash === last.hash && entryHash(row as AuditFacts) === row.hash;

const verdictOf = (end: AuditEnd, last: AuditHead, firstBad: bigint | null): AuditVerdict => ({
  valid: firstBad === null,
  entries: Number(last.sequence),
  first_bad_sequence: firstBad === null ? null : Number(firstBad),
  head_hash: end.hash,
});
