import { z } from "zod";
import { ownerFilter } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { IdText } from "../../../identity/wire-text";
import { PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { findBucket } from "../../data/buckets/find-bucket";
import type { ScanCtx } from "./scan-ctx";
import { scanExample } from "./shield.example";
import { SCAN_STATUSES, ShieldScan, toShieldScan } from "./shield-scan";

/** Lists the scans of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listShieldScans = operation({
  id: "listShieldScans",
  summary: "List scans of buckets",
  access: "shield:read",
  input: z.strictObject({
    ...PageQuery.shape,
    bucket: IdText.min(1).optional().describe("Only scans of this bucket, by its id or name"),
    status: z.enum(SCAN_STATUSES).optional().describe("Only scans with this status"),
    ...ownerFilter("scans"),
  }),
  output: pageOf(ShieldScan),
  example: { input: { status: "completed" as const }, output: examplePage(scanExample) },
  run: async (ctx: ScanCtx, input) => {
    const { status, bucket } = input;
    const bucketId = bucket === undefined ? undefined : (await findBucket(ctx, { bucket })).id;
    const list = { list: "shield_scans", input, filters: { bucketId, status } };
    return pageOfOwner(ctx, list, async ({ where, ...page }) => {
      const filters = { ...(bucketId !== undefined && { bucketId }), ...(status !== undefined && { status }) };
      const rows = await ctx.db.shieldScan.findMany({ where: { ...where, ...filters }, ...page });
      return rows.map(toShieldScan);
    });
  },
});
