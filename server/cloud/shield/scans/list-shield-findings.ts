import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { CATEGORIES, SEVERITIES } from "../../../guard/detectors/rule";
import { listScope } from "../../../identity/list-scope";
import { ownerFilter } from "../../../identity/owner-fields";
import { ownerScope } from "../../../identity/projects/owner-scope";
import { IdText } from "../../../identity/wire-text";
import { fetchPage, PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { KeyPrefix } from "../../data/buckets/bucket-rules";
import { findBucket } from "../../data/buckets/find-bucket";
import type { ScanCtx } from "./scan-ctx";
import { findingExample } from "./shield.example";
import { ShieldFinding, toShieldFinding } from "./shield-finding";

export const ListShieldFindings = z.strictObject({
  ...PageQuery.shape,
  bucket: IdText.min(1).optional().describe("Only findings in this bucket, by its id or name"),
  prefix: KeyPrefix.optional().describe("Only findings in objects whose keys begin with it"),
  rule: z.string().min(1).max(60).optional().describe("Only findings of this rule, such as `github_token`"),
  category: z.enum(CATEGORIES).optional(),
  severity: z.enum(SEVERITIES).optional(),
  status: z.enum(["open", "resolved"]).default("open").describe("`resolved`: those that a later scan did not find"),
  scan_id: IdText.optional().describe("Only findings whose last scan is this one"),
  ...ownerFilter("findings"),
});

/** Lists findings, newest first: those of a key's own project and mode, or a person's of all projects. */
export const listShieldFindings = operation({
  id: "listShieldFindings",
  summary: "List findings of scans",
  access: "shield:read",
  input: ListShieldFindings,
  output: pageOf(ShieldFinding),
  example: { input: { severity: "critical" as const }, output: examplePage(findingExample) },
  run: async (ctx: ScanCtx, input) => {
    const { db, actor } = ctx;
    const { cursor: _, limit: __, bucket, project: ___, ...filters } = input;
    const { mode, projectId } = await ownerScope(ctx, input);
    const bucketId = bucket === undefined ? undefined : (await findBucket(ctx, { bucket })).id;
    const scope = listScope(ctx, "shield_findings", { ...filters, mode, projectId, bucketId });
    return fetchPage(scope, input, async ({ after, take }) => {
      const where = {
        tenantId: actor.tenantId,
        mode,
        ...(projectId !== undefined && { projectId }),
        ...(bucketId !== undefined && { bucketId }),
        ...filtersOf(filters),
        ...(after !== undefined && { id: { lt: after } }),
      };
      const rows = await db.shieldFinding.findMany({ where, orderBy: { id: "desc" }, take });
      return rows.map(toShieldFinding);
    });
  },
});

/** Prisma passes the wildcards of LIKE on. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

type Filters = Pick<
  z.output<typeof ListShieldFindings>,
  "prefix" | "rule" | "category" | "severity" | "status" | "scan_id"
>;

const filtersOf = ({ prefix, rule, category, severity, status, scan_id }: Filters): Prisma.ShieldFindingWhereInput => ({
  ...(prefix !== undefined && { key: { startsWith: literally(prefix) } }),
  ...(rule !== undefined && { rule }),
  ...(category && { category }),
  ...(severity && { severity }),
  ...(scan_id !== undefined && { lastScanId: scan_id }),
  resolvedAt: status === "open" ? null : { not: null },
});
