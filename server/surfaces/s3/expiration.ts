import { lifecycleRulesOf } from "../../cloud/data/buckets/bucket";
import type { BucketSettings } from "../../cloud/data/buckets/buckets-by-name";
import { firstExpiry } from "../../cloud/data/objects/lifecycle";
import type { ObjectVersion } from "../../cloud/data/objects/objects";

/** When a lifecycle rule of the bucket expires a current version, and which one; S3 tells it with every put and read. */
export function expirationHeader(bucket: BucketSettings, version: ObjectVersion): Record<string, string> {
  if (!version.isLatest) return {};
  const first = firstExpiry(lifecycleRulesOf(bucket), { ...version, lastModified: version.lastModified.getTime() });
  if (!first) return {};
  const { rule, at } = first;
  const header = `expiry-date="${new Date(at).toUTCString()}", rule-id="${encodeURIComponent(rule.id)}"`;
  return { "x-amz-expiration": header };
}
