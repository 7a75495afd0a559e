import type { Pool, PoolClient } from "pg";
import type { Lease } from "../../../engines/postgres/lease";
import type { ContentReport } from "../../../guard/detectors/scan-content";
import { severityIn } from "./bucket-posture";
import { countBySeverity, type FindingsOf, keepFindings, type NewFinding, storeFindings } from "./findings.sql";
import type { Batch, ReadObject } from "./read-batch";
import { recordScanned } from "./scanned-objects.sql";
import { SCANS } from "./scans.sql";
import { RULES } from "./shield-finding";

export interface CommitBatch {
  sql: Pool;
  scan: Lease;
  of: FindingsOf;
}

/**
 * Stores what a batch has found, and how far the scan is, all or nothing: a batch that is repeated adds nothing. Throws
 * `LostLease`.
 */
export const commitBatch = ({ sql, scan, of }: CommitBatch, batch: Batch): Promise<void> =>
  SCANS.whileHeld(sql, scan, async (client) => {
    const found = batch.read.flatMap((one) => findingsOf(of, one));
    const { added, omitted } = await storeFindings(client, of, found);
    const unchanged = batch.unchanged.map(({ key }) => key);
    await keepFindings(client, of, unchanged);
    const cut = new Set(omitted.map(({ key }) => key));
    // An object whose findings had no room is read again by the next scan.
    const complete = batch.read.filter(({ object }) => !cut.has(object.key));
    const objects = [
      ...complete.map(({ object, report }) => ({ ...object, omitted: omittedOf(report) })),
      ...batch.unchanged,
    ];
    await recordScanned(client, { bucketId: of.bucket.id, scanId: of.scanId }, objects);
    const beyond = objects.reduce((sum, one) => sum + one.omitted, omitted.length);
    await advance(client, of, { batch, added, beyond });
  });

function findingsOf({ bucket }: FindingsOf, { object: { key }, report }: ReadObject): NewFinding[] {
  return report.findings.flatMap((one) => {
    const rule = RULES.get(one.rule);
    if (!rule) return [];
    const severity = severityIn(bucket, rule, one.confidence);
    return [
      {
        key,
        rule: rule.id,
        valueHash: one.valueHash,
        category: rule.category,
        severity,
        confidence: one.confidence,
        evidence: one.evidence,
        offset: one.offset,
        encoding: report.encoding,
        occurrences: one.occurrences,
        matches: report.matches[one.rule] ?? one.occurrences,
      },
    ];
  });
}

/** Matches of values that are not kept. */
function omittedOf({ matches, findings }: ContentReport): number {
  const all = Object.values(matches).reduce((sum, count) => sum + count, 0);
  return findings.reduce((left, { occurrences }) => left - occurrences, all);
}

async function advance(
  client: PoolClient,
  of: FindingsOf,
  { batch, added, beyond }: { batch: Batch; added: number; beyond: number },
): Promise<void> {
  const coverage = [...batch.read.map(({ report }) => report.coverage), ...batch.unchanged.map((one) => one.coverage)];
  const countOf = (kind: string) => coverage.filter((one) => one === kind).length;
  await client.query(
    `UPDATE shield_scans SET position = coalesce($2, position), objects = objects + $3, bytes = bytes + $4,
       batch_bytes = 0, unchanged = unchanged + $5, "binary" = "binary" + $6, partly = partly + $7,
       unreadable = unreadable + $8, new_findings = new_findings + $9, omitted = omitted + $10, findings = $11,
       attempts = 0
     WHERE id = $1`,
    [
      of.scanId,
      batch.last ?? null,
      batch.objects,
      batch.bytes,
      batch.unchanged.length,
      countOf("binary"),
      countOf("partly"),
      batch.unreadable,
      added,
      beyond,
      JSON.stringify(await countBySeverity(client, of)),
    ],
  );
}
