import { z } from "zod";
import type { ShieldScan as ScanRow } from "../../../engines/postgres/generated/client";
import type { AuditTarget } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { toWire } from "../../../kernel/to-wire";

export const SCAN_ID_PREFIX = "scn";
export const SCAN_STATUSES = ["queued", "running", "completed", "failed", "canceled"] as const;

const Count = z.int().min(0);

export const ShieldScan = z
  .object({
    id: z.string().meta({ examples: ["scn_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    bucket_id: z.string(),
    bucket: z.string().describe("The name of the bucket"),
    prefix: z.string().describe("Only objects whose keys begin with it; empty: all"),
    status: z.enum(SCAN_STATUSES),
    progress: z
      .object({
        objects: Count.describe("Objects that are done"),
        objects_total: Count.nullable().describe("Counted when the scan began; null before"),
        bytes: Count,
        bytes_total: Count.nullable(),
        unchanged: Count.describe("Objects that were not read: neither they nor the rules changed since the last scan"),
        binary: Count.describe("Objects that are no text, which are only checked for the malware test file"),
        partly: Count.describe("Compressed objects that are damaged or longer than 4 GiB, of which a part was read"),
        unreadable: Count.describe("Objects whose content is archived, lost or damaged"),
      })
      .describe("How far the scan is"),
    findings: z
      .object({
        critical: Count,
        high: Count,
        medium: Count,
        low: Count,
        new: Count.describe("Findings that no earlier scan had"),
        resolved: Count.describe("Earlier findings that no longer exist; set at the end"),
        omitted: Count.describe("Matches beyond the limits, which are counted but not kept as findings"),
      })
      .describe("What the scan has found, by severity"),
    failure: z.string().nullable().describe("Why the scan failed; null unless `status` is `failed`"),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "ShieldScan" });
export type ShieldScan = z.infer<typeof ShieldScan>;

type BySeverity = Partial<Record<"critical" | "high" | "medium" | "low", number>>;

export function toShieldScan(row: ScanRow): ShieldScan {
  const { critical = 0, high = 0, medium = 0, low = 0 } = row.findings as BySeverity;
  return toWire(ShieldScan, row, {
    bucket: row.bucketName,
    progress: {
      objects: Number(row.objects),
      objects_total: row.objectsTotal === null ? null : Number(row.objectsTotal),
      bytes: Number(row.bytes + row.batchBytes),
      bytes_total: row.bytesTotal === null ? null : Number(row.bytesTotal),
      unchanged: Number(row.unchanged),
      binary: Number(row.binary),
      partly: Number(row.partly),
      unreadable: Number(row.unreadable),
    },
    findings: {
      critical,
      high,
      medium,
      low,
      new: row.newFindings,
      resolved: row.resolved,
      omitted: Number(row.omitted),
    },
  });
}

export const scanTarget = ({ id, bucketName }: Pick<ScanRow, "id" | "bucketName">): AuditTarget => ({
  type: "shield_scan",
  id,
  name: bucketName,
});

/** Where a scan belongs. */
export const originOf = ({ projectId, mode }: Pick<ScanRow, "projectId" | "mode">) => ({ projectId, mode });

export const noSuchScan = (id: string): ServiceError =>
  new ServiceError("not_found", `No scan has the id "${id.slice(0, 80)}".`, { param: "scan_id" });
