import { formatDateTime } from "../../../../format/dates";
import { useQueryOf } from "../../../../trpc/use-operation";
import { FactLine } from "../../../components/facts";
import type { Bucket, StoredObject } from "../bucket";

/** What keeps the current version of an object from being deleted, in a bucket with object lock. */
export function LockFacts({ bucket, object: { key } }: { bucket: Bucket; object: StoredObject }) {
  const { data } = useQueryOf("getObject", { bucket: bucket.id, key });
  if (!data) return null;
  const { retention, legal_hold } = data;
  return (
    <>
      <FactLine name="Retained until">
        {retention ? `${formatDateTime(retention.until)}, in ${retention.mode} mode` : "Not retained"}
      </FactLine>
      <FactLine name="Legal hold">{legal_hold ? "On" : "Off"}</FactLine>
    </>
  );
}

/** What the lock of a bucket does, in a sentence. */
export function lockText({ object_lock: lock }: Pick<Bucket, "object_lock">): string {
  if (!lock)
    return "Off: versions can be deleted at any time. API and S3 clients can enable it where older versions are kept.";
  const rule = lock.default_retention;
  if (!rule) return "On: versions can be retained or held. New versions are not retained unless a request says so.";
  const [count, unit] = rule.days === undefined ? [rule.years ?? 0, "year"] : [rule.days, "day"];
  return `On: new versions are retained for ${count} ${unit}${count === 1 ? "" : "s"} in ${rule.mode} mode unless a request says otherwise.`;
}
