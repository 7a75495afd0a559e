import type { RuleText, Severity } from "../../../guard/detectors/rule";
import { bucketGrants, isGroup } from "../../data/buckets/access-list";
import { corsRulesOf, lifecycleRulesOf, type StoredBucket } from "../../data/buckets/bucket";

const rule = (id: string, severity: Severity, [title, remedy]: [string, string]): RuleText => ({
  id,
  severity,
  title,
  remedy,
  category: id.startsWith("public") || id.startsWith("cors") ? "exposure" : "configuration",
});

const PUBLIC_OBJECTS = rule("public_objects", "high", [
  "Objects are public",
  "Set public_read of the bucket to false, and share single objects with presigned URLs.",
]);
const PUBLIC_LIST = rule("public_access_list", "high", [
  "The access list of the bucket lets everyone in",
  "Set an access list over S3 that names tenants, or private, and share single objects with presigned URLs.",
]);
const CORS_ANY_ORIGIN = rule("cors_any_origin", "medium", [
  "Pages of any origin may write",
  "Name the origins that upload or delete in cors_rules.",
]);
const LIFECYCLE_MISSING = rule("lifecycle_missing", "low", [
  "No lifecycle rule deletes objects",
  "Add a lifecycle rule with expire_days, at least for prefixes with temporary or personal data.",
]);
const OLD_VERSIONS_KEPT = rule("old_versions_kept", "low", [
  "Replaced and deleted objects stay as older versions",
  "Add a lifecycle rule with expire_noncurrent_days; a deleted secret otherwise stays readable.",
]);
const NOT_ENCRYPTED = rule("encryption_missing", "low", [
  "Objects are not encrypted by svc",
  "Encrypt sensitive content before it is uploaded, or use an encrypted disk or an encrypting store (S3_ENDPOINT).",
]);

/** The rules for the settings of a bucket. What lists of single objects grant is not looked at. */
export const BUCKET_RULES: readonly RuleText[] = [
  PUBLIC_OBJECTS,
  PUBLIC_LIST,
  CORS_ANY_ORIGIN,
  LIFECYCLE_MISSING,
  OLD_VERSIONS_KEPT,
  NOT_ENCRYPTED,
];

export interface BucketFinding {
  rule: RuleText;
  evidence: string;
  /** Objects that it concerns, or 1. */
  count: number;
}

/** What is wrong with the settings of a bucket. */
export function bucketFindings(bucket: StoredBucket): BucketFinding[] {
  const rules = lifecycleRulesOf(bucket).filter(({ enabled }) => enabled);
  const writers = corsRulesOf(bucket).filter(
    ({ allowed_origins: origins, allowed_methods: methods }) =>
      origins.includes("*") && methods.some((method) => method !== "GET" && method !== "HEAD"),
  );
  const objects = Number(bucket.objects);
  const groups = bucketGrants({ ...bucket, publicRead: false }).filter(({ grantee }) => isGroup(grantee));
  const found: (BucketFinding | false)[] = [
    bucket.publicRead &&
      objects > 0 && { rule: PUBLIC_OBJECTS, evidence: `public_read is true; ${objects} objects`, count: objects },
    groups.length > 0 && {
      rule: PUBLIC_LIST,
      count: groups.length,
      evidence: groups.map(({ grantee, permission }) => `${grantee}: ${permission}`).join(", "),
    },
    writers.length > 0 && {
      rule: CORS_ANY_ORIGIN,
      count: writers.length,
      evidence: `allowed_origins has * with ${writers.flatMap((one) => one.allowed_methods).join(", ")}`,
    },
    rules.every((one) => (one.expire_days ?? one.expire_date) === undefined) && {
      rule: LIFECYCLE_MISSING,
      evidence: "no enabled rule has expire_days",
      count: 1,
    },
    bucket.versioning !== "off" &&
      rules.every((one) => one.expire_noncurrent_days === undefined) && {
        rule: OLD_VERSIONS_KEPT,
        evidence: `versioning is ${bucket.versioning}`,
        count: 1,
      },
    { rule: NOT_ENCRYPTED, evidence: "svc stores objects as they are sent", count: 1 },
  ];
  return found.filter((one): one is BucketFinding => one !== false);
}

const HIGHER: Readonly<Record<Severity, Severity>> = {
  low: "medium",
  medium: "high",
  high: "critical",
  critical: "critical",
};

/** How severe a finding in an object is: one step more where anyone may read it, one less where it is unlikely. */
export function severityIn(
  { publicRead }: Pick<StoredBucket, "publicRead">,
  { severity, category }: RuleText,
  confidence: string,
): Severity {
  if (confidence === "low") return "low";
  return publicRead && category !== "malware" ? HIGHER[severity] : severity;
}
