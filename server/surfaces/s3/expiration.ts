import type { z } from "zod";
import type { LifecycleRules } from "../../cloud/data/buckets/bucket-rules";
import type { BucketSettings } from "../../cloud/data/buckets/buckets-by-name";
import { dueAt } from "../../cloud/data/objects/lifecycle";
import type { ObjectVersion } from "../../cloud/data/objects/objects";

/** When a lifecycle rule of the bucket expires a current version, and which one; S3 tells it with every put and read. */
export function expirationHeader(
  { lifecycleRules }: BucketSettings,
  { key, lastModified, isLatest }: Pick<ObjectVersion, "key" | "lastModified" | "isLatest">,
): Record<string, string> {
  if (!isLatest) return {};
  const rules = (lifecycleRules as unknown as z.input<typeof LifecycleRules>).flatMap((rule) =>
    rule.expire_days && rule.enabled !== false && key.startsWith(rule.prefix ?? "")
      ? [{ id: rule.id, days: rule.expire_days }]
      : [],
  );
  const [first] = rules.toSorted((a, b) => a.days - b.days);
  if (!first) return {};
  const date = new Date(dueAt(lastModified.getTime(), first.days)).toUTCString();
  return { "x-amz-expiration": `expiry-date="${date}", rule-id="${encodeURIComponent(first.id ?? "")}"` };
}
