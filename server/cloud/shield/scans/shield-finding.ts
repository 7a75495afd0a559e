import { z } from "zod";
import type { ShieldFinding as FindingRow } from "../../../engines/postgres/generated/client";
import { CATEGORIES, CONFIDENCES, type RuleText, SEVERITIES } from "../../../guard/detectors/rule";
import { CONTENT_RULES } from "../../../guard/detectors/rules";
import { ModeName } from "../../../identity/wire-text";
import { toWire } from "../../../kernel/to-wire";
import { BUCKET_RULES } from "./bucket-posture";

export const FINDING_ID_PREFIX = "fnd";

/** Every rule, by its id. */
export const RULES: ReadonlyMap<string, RuleText> = new Map(
  [...CONTENT_RULES, ...BUCKET_RULES].map((rule) => [rule.id, rule]),
);

const Count = z.int().min(0);

export const ShieldFinding = z
  .object({
    id: z.string().meta({ examples: ["fnd_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    bucket_id: z.string(),
    bucket: z.string().describe("The name of the bucket"),
    key: z.string().nullable().describe("The key of the object; null for a setting of the bucket"),
    rule: z.string().describe("Such as `github_token`; the documentation lists all"),
    title: z.string(),
    category: z.enum(CATEGORIES),
    severity: z.enum(SEVERITIES),
    confidence: z
      .enum(CONFIDENCES)
      .describe("`low`: a checksum does not match, or the value is one that is published for tests"),
    evidence: z
      .string()
      .describe("The first and last characters of the value and its length, never the value; of a setting what it is"),
    offset: Count.nullable().describe("Where the value begins, in bytes of the decoded content; null for a setting"),
    encoding: z.enum(["none", "gzip", "utf-16"]).describe("What was decoded before the content was read"),
    occurrences: Count.describe("How often the value is in the object; more than 1,000 may be counted too low"),
    matches: Count.describe("Matches of the rule in the object; at most 20 different values of them are findings"),
    remedy: z.string().describe("What to do"),
    status: z.enum(["open", "resolved"]).describe("`resolved`: a later scan did not find it again"),
    first_seen_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().nullable(),
    last_scan_id: z.string().describe("The last scan that found it"),
  })
  .meta({ id: "ShieldFinding" });
export type ShieldFinding = z.infer<typeof ShieldFinding>;

export function toShieldFinding(row: FindingRow): ShieldFinding {
  const rule = RULES.get(row.rule);
  return toWire(ShieldFinding, row, {
    bucket: row.bucketName,
    key: row.key === "" ? null : row.key,
    title: rule?.title ?? row.rule,
    category: row.category as ShieldFinding["category"],
    severity: row.severity as ShieldFinding["severity"],
    confidence: row.confidence as ShieldFinding["confidence"],
    encoding: row.encoding as ShieldFinding["encoding"],
    remedy: rule?.remedy ?? "Look at the object.",
    status: row.resolvedAt ? "resolved" : "open",
  });
}
