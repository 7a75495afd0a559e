import type { DesiredResource, Kind, Observation } from "../../core/kinds/kind";
import { runAsCreator } from "../../core/kinds/run-as-creator";
import type { StoredBucket } from "../../data/buckets/bucket";
import { createBucket } from "../../data/buckets/create-bucket";
import { deleteBucket } from "../../data/buckets/delete-bucket";
import { S3_PATH } from "../../data/buckets/s3-endpoint";
import { updateBucket } from "../../data/buckets/update-bucket";
import { BucketSpec, settingsOf, transitionsOf } from "./bucket-spec";
import type { GpucParts } from "./gpuc-ctx";

const SLUG_LENGTH_MAX = 40;
const SUFFIX_LENGTH = 10;

/** A bucket of object storage. */
export const bucketKind = (parts: () => GpucParts): Kind<BucketSpec> => ({
  spec: BucketSpec,
  plan: (spec, name) => [
    {
      step: "create",
      what: `A bucket for "${name}", whose name is unique in this installation and whose new objects are ${spec.tier}`,
      proof: "An S3 client lists it",
    },
    ...transitionsOf(spec).map(({ days, tier }) => ({
      step: "move",
      what: `Objects move to ${tier} after ${days} days`,
      proof: "x-amz-storage-class of the object changes",
    })),
  ],
  provision: async (desired) => {
    const { db } = parts();
    const name = bucketNameOf(desired);
    const { mode, projectId: project } = desired;
    const settings = settingsOf(desired.spec);
    if (await db.bucket.findUnique({ where: { name } }))
      await runAsCreator(parts(), desired, { operation: updateBucket, sent: { bucket: name, ...settings } });
    else await runAsCreator(parts(), desired, { operation: createBucket, sent: { name, mode, project, ...settings } });
    return observationOf(await db.bucket.findUnique({ where: { name } }));
  },
  observe: async (all) => {
    const names = new Map(all.map((desired) => [bucketNameOf(desired), desired.rid]));
    const rows = await parts().db.bucket.findMany({ where: { name: { in: [...names.keys()] } } });
    return new Map(rows.map((row) => [names.get(row.name) ?? "", observationOf(row)]));
  },
  remove: async (desired) => {
    const { db } = parts();
    const name = bucketNameOf(desired);
    const found = await db.bucket.findUnique({ where: { name } });
    const deletion = { operation: deleteBucket, sent: { bucket: name, force: true } };
    if (found && !found.deletingSince) await runAsCreator(parts(), desired, deletion);
    return !(await db.bucket.findUnique({ where: { name } }));
  },
  endpoints: (desired) => [{ protocol: "s3", url: `${parts().publicUrl}${S3_PATH}/${bucketNameOf(desired)}` }],
  tryIt: (desired) => [
    { title: "List its objects", command: `svc storage ls svc://${bucketNameOf(desired)}` },
    {
      title: "List them with an S3 client",
      command: `aws --endpoint-url ${parts().publicUrl}${S3_PATH} s3 ls s3://${bucketNameOf(desired)}`,
    },
  ],
});

/**
 * The name of a resource's bucket: derived from the name of the resource, valid in S3, and unique in the installation.
 */
export function bucketNameOf({ rid, name }: Pick<DesiredResource, "rid" | "name">): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/-+$/, "");
  return `b-${slug === "" ? "" : `${slug}-`}${rid.slice(-SUFFIX_LENGTH)}`;
}

function observationOf(row: StoredBucket | null): Observation {
  if (!row) return { is: "absent" };
  const { id, name, tier, objects, bytes } = row;
  const observed = { bucket: name, bucket_id: id, tier, objects: Number(objects), bytes: Number(bytes) };
  return row.deletingSince
    ? { is: "faulty", observed, message: "Its bucket is being deleted." }
    : { is: "present", observed };
}
