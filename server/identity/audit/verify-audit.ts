import { z } from "zod";
import type { AuditEntry as AuditRow } from "../../engines/postgres/generated/client";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import type { LogHead } from "../lock-log";
import { type AuditEnd, readEnd } from "./audit.sql";
import { type AuditRecord, entryHash } from "./entry-hash";

const BATCH_ENTRIES = 1000;

export const AuditVerdict = z
  .object({
    valid: z.boolean(),
    entries: z.int().describe("The number of valid entries, counted from the first"),
    first_bad_sequence: z
      .int()
      .nullable()
      .describe("The first sequence number whose entry is missing, changed or out of place"),
    head_hash: z
      .string()
      .describe("The hash of the newest entry; store it elsewhere to detect later whether the log was rewritten"),
  })
  .meta({ id: "AuditVerdict" });
export type AuditVerdict = z.output<typeof AuditVerdict>;

/** Verifies the chain of the actor's tenant. */
export const verifyAudit = operation({
  id: "verifyAudit",
  summary: "Verify that nothing in the audit log was changed, removed or added",
  access: "audit:read",
  cost: "bulk",
  input: z.strictObject({}),
  output: AuditVerdict,
  example: { input: {}, output: { valid: true, entries: 42, first_bad_sequence: null, head_hash: "9f2c".repeat(16) } },
  run: ({ db, actor }: Pick<ActorCtx, "db" | "actor">) => verifyChain(db, actor.tenantId),
});

/**
 * Recomputes a tenant's chain from its first entry to the head as read at the start, 1,000 entries at a time. It
 * detects an entry that was edited, removed, inserted or moved, and a truncated end, because the head stores the
 * length.
 */
export async function verifyChain(db: ActorCtx["db"], tenantId: string): Promise<AuditVerdict> {
  const end = await readEnd(db, tenantId);
  let last: LogHead = { sequence: 0n, hash: "" };
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

/** JSON columns are returned as the JSON that was hashed. */
const follows = (row: AuditRow, last: LogHead): boolean =>
  row.previousHash === last.hash && entryHash(row as AuditRecord) === row.hash;

const verdictOf = (end: AuditEnd, last: LogHead, firstBad: bigint | null): AuditVerdict => ({
  valid: firstBad === null,
  entries: Number(last.sequence),
  first_bad_sequence: firstBad === null ? null : Number(firstBad),
  head_hash: end.hash,
});
