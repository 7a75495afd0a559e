import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { findScan, scanChoice } from "./find-scan";
import type { ScanCtx } from "./scan-ctx";
import { lockScan } from "./scans.sql";
import { newScanExample } from "./shield.example";
import { originOf, ShieldScan, scanTarget, toShieldScan } from "./shield-scan";
import { shieldScanCanceled } from "./shield-scan.events";

/** Cancels a scan; one that is canceled stays as it is. Throws `not_found` and `conflict` (reason `ended`). */
export const cancelShieldScan = operation({
  id: "cancelShieldScan",
  summary: "Cancel a scan of a bucket",
  description: "What it has found until then stays. A scan that has ended is a conflict with the reason `ended`.",
  access: "shield:write",
  input: z.strictObject(scanChoice),
  output: ShieldScan,
  example: {
    input: { scan_id: newScanExample.id },
    output: { ...newScanExample, status: "canceled", finished_at: "2026-11-20T09:00:04.000Z" },
  },
  run: async (ctx: ScanCtx, { scan_id: id }) =>
    ctx.db.$transaction(async (tx) => {
      const { actor } = ctx;
      await findScan({ db: tx, actor }, id);
      await lockScan(tx, id);
      const found = await findScan({ db: tx, actor }, id);
      if (found.status === "canceled") return toShieldScan(found);
      if (found.finishedAt) throw hasEnded();
      const row = await tx.shieldScan.update({
        where: { id },
        data: { status: "canceled", finishedAt: ctx.clock.now(), leaseOwner: null, leaseUntil: null },
      });
      const scan = toShieldScan(row);
      await recordAudit(tx, ctx, {
        action: "shield_scan.canceled",
        targets: [scanTarget(row)],
        events: [newEvent(shieldScanCanceled, scan, originOf(row))],
      });
      return scan;
    }),
});

const hasEnded = (): ServiceError =>
  new ServiceError("conflict", "The scan has ended.", { details: { reason: "ended" } });
