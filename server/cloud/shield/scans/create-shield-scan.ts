import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { operation } from "../../cloud-operation";
import { isBeingDeleted, type StoredBucket } from "../../data/buckets/bucket";
import { KeyPrefix } from "../../data/buckets/bucket-rules";
import { findBucket } from "../../data/buckets/find-bucket";
import type { ScanCtx } from "./scan-ctx";
import { SCAN_QUOTAS } from "./scans.quotas";
import { newScanExample } from "./shield.example";
import { originOf, SCAN_ID_PREFIX, ShieldScan, scanTarget, toShieldScan } from "./shield-scan";
import { shieldScanCreated } from "./shield-scan.events";

/**
 * Requests a scan, which a worker runs. Throws `not_found`, `quota_exceeded`, and `conflict` (reasons `scan_running`
 * while the bucket is being scanned, `bucket_being_deleted`).
 */
export const createShieldScan = operation({
  id: "createShieldScan",
  summary: "Scan a bucket",
  description:
    "Scans the current objects of a bucket for secrets, personal data and the malware test file, and at the settings of the bucket. The scan is `queued` until a worker takes it; get it to follow its progress. Objects that did not change since the last scan are not read again, and a value that is still there stays the same finding. A bucket has one scan at a time: 409 with the reason `scan_running` and the `scan_id`.",
  access: "shield:write",
  stores: true,
  idempotent: true,
  result: "accepted",
  quota: SCAN_QUOTAS.shield_scans,
  input: z.strictObject({
    bucket: z.string().min(1).max(100).describe("The id or name of the bucket"),
    prefix: KeyPrefix.default("").describe("Only objects whose keys begin with it; empty: all"),
  }),
  output: ShieldScan,
  example: { input: { bucket: newScanExample.bucket, prefix: newScanExample.prefix }, output: newScanExample },
  run: async (ctx: ScanCtx, { bucket: asked, prefix }) => {
    const bucket = await findBucket(ctx, { bucket: asked });
    if (bucket.deletingSince) throw isBeingDeleted(bucket.name);
    return ctx.db.$transaction(async (tx) => {
      await assertQuota(tx, { tenantId: bucket.tenantId }, SCAN_QUOTAS.shield_scans);
      const data = newScan(bucket, prefix, ctx.clock.now());
      const [row] = await tx.shieldScan.createManyAndReturn({ data, skipDuplicates: true });
      if (!row) {
        const running = await tx.shieldScan.findFirst({ where: { bucketId: bucket.id, finishedAt: null } });
        throw scanRunning(bucket.name, running?.id);
      }
      const scan = toShieldScan(row);
      await recordAudit(tx, ctx, {
        action: "shield_scan.created",
        targets: [scanTarget(row)],
        details: { prefix },
        events: [newEvent(shieldScanCreated, scan, originOf(row))],
      });
      return scan;
    });
  },
});

const newScan = ({ tenantId, projectId, mode, id, name }: StoredBucket, prefix: string, now: Date) => ({
  id: newId(SCAN_ID_PREFIX, now.getTime()),
  tenantId,
  projectId,
  mode,
  bucketId: id,
  bucketName: name,
  prefix,
  createdAt: now,
});

const scanRunning = (bucket: string, id: string | undefined): ServiceError =>
  new ServiceError("conflict", `The bucket "${bucket}" is being scanned; wait for that scan or cancel it.`, {
    param: "bucket",
    details: { reason: "scan_running", ...(id !== undefined && { scan_id: id }) },
  });
