import type { Pool } from "pg";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Lease } from "../../../engines/postgres/lease";
import { recordEvent } from "../../../identity/events/record-event";
import type { Clock } from "../../../kernel/clock";
import { bucketFindings } from "./bucket-posture";
import { countBySeverity, type FindingsOf, resolveMissing, storeFindings } from "./findings.sql";
import { forgetMissing } from "./scanned-objects.sql";
import { lockScan, SCANS } from "./scans.sql";
import { originOf, toShieldScan } from "./shield-scan";
import { shieldScanCompleted, shieldScanFailed } from "./shield-scan.events";

export interface EndScan {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  scan: Lease;
}

/**
 * Stores what is wrong with the settings of the bucket, and resolves earlier findings that are gone. The scan is completed
 * afterwards; if the process is killed in between, both are repeated.
 */
export async function completeScan(ctx: EndScan, of: FindingsOf, prefix: string): Promise<void> {
  const settings = bucketFindings(of.bucket).map(({ rule, evidence, count }) => ({
    key: "",
    rule: rule.id,
    valueHash: "",
    category: rule.category,
    severity: rule.severity,
    confidence: "high",
    evidence,
    offset: null,
    encoding: "none",
    occurrences: count,
    matches: count,
  }));
  await SCANS.whileHeld(ctx.sql, ctx.scan, async (client) => {
    const { added } = await storeFindings(client, of, settings);
    const resolved = await resolveMissing(client, of, prefix);
    await forgetMissing(client, { bucketId: of.bucket.id, scanId: of.scanId }, prefix);
    const findings = JSON.stringify(await countBySeverity(client, of));
    await client.query(
      `UPDATE shield_scans SET findings = $2, new_findings = new_findings + $3, resolved = resolved + $4 WHERE id = $1`,
      [of.scanId, findings, added, resolved],
    );
  });
  await finish(ctx, undefined);
}

/** Ends a scan that cannot be completed; what it has found stays. */
export const failScan = (ctx: EndScan, failure: string): Promise<void> => finish(ctx, failure);

/** Does nothing if the scan was canceled or another process has it. */
async function finish({ db, clock, scan: { id, owner, fence } }: EndScan, failure: string | undefined): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockScan(tx, id);
    const isOurs = await tx.shieldScan.count({ where: { id, leaseOwner: owner, leaseFence: fence, finishedAt: null } });
    if (isOurs === 0) return;
    const now = clock.now();
    const row = await tx.shieldScan.update({
      where: { id },
      data: {
        status: failure === undefined ? "completed" : "failed",
        failure: failure ?? null,
        finishedAt: now,
        leaseOwner: null,
        leaseUntil: null,
        batchBytes: 0n,
      },
    });
    const kind = failure === undefined ? shieldScanCompleted : shieldScanFailed;
    const origin = { tenantId: row.tenantId, at: now, ...originOf(row) };
    await recordEvent(tx, origin, { kind, data: toShieldScan(row) });
  });
}
