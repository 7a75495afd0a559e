import { z } from "zod";
import type { Tier } from "../../../engines/objects/blob-tiers";
import type { Family } from "../../core/kinds/family";
import type { DesiredResource, Kind, Observation } from "../../core/kinds/kind";
import { runAsCreator } from "../../core/kinds/run-as-creator";
import type { StoredBucket } from "../../data/buckets/bucket";
import { createBucket } from "../../data/buckets/create-bucket";
import { deleteBucket } from "../../data/buckets/delete-bucket";
import { S3_PATH } from "../../data/buckets/s3-endpoint";
import { StorageTier } from "../../data/buckets/storage-tier";
import { updateBucket } from "../../data/buckets/update-bucket";
import type { GpucParts } from "./gpuc-ctx";

const SLUG_LENGTH_MAX = 40;
const SUFFIX_LENGTH = 10;
const DAYS_MAX = 3650;
/** The name of its lifecycle rule. */
const RULE = "tiers";

const days = (tier: string) =>
  z
    .int()
    .min(1)
    .max(DAYS_MAX)
    .describe(`Objects move to ${tier} when they are this many days old; absent: they do not`);

const BucketSpec = z
  .strictObject({
    tier: StorageTier.default("hot").describe(
      "The storage class of new objects; warm and cold are compressed, and objects in archive are restored before they are read",
    ),
    lifecycle_days_to_warm: days("warm").optional(),
    lifecycle_days_to_cold: days("cold").optional(),
    lifecycle_days_to_archive: days("archive").optional(),
  })
  .superRefine((spec, issue) => {
    const steps = transitionsOf(spec);
    for (const [i, { days, tier }] of steps.entries()) {
      const before = steps[i - 1];
      if (before === undefined || before.days < days) continue;
      const message = `expected more days than lifecycle_days_to_${before.tier} has`;
      issue.addIssue({ code: "custom", path: [`lifecycle_days_to_${tier}`], message });
    }
  });
type BucketSpec = z.output<typeof BucketSpec>;

/** The moves of a spec, from warmer to colder. */
function transitionsOf(spec: Partial<BucketSpec>): { days: number; tier: Tier }[] {
  const { lifecycle_days_to_warm: warm, lifecycle_days_to_cold: cold, lifecycle_days_to_archive: archive } = spec;
  const asked = [
    { days: warm, tier: "warm" as const },
    { days: cold, tier: "cold" as const },
    { days: archive, tier: "archive" as const },
  ];
  return asked.flatMap(({ days, tier }) => (days === undefined ? [] : [{ days, tier }]));
}

/** The settings of a bucket that has a spec. */
function settingsOf(spec: BucketSpec) {
  const transitions = transitionsOf(spec);
  return { tier: spec.tier, lifecycle_rules: transitions.length === 0 ? [] : [{ id: RULE, transitions }] };
}

/** Buckets of object storage. */
export const objectFamily = (parts: () => GpucParts): Family => ({
  plane: "gpuc",
  service: "object",
  label: "Object storage",
  summary: "Buckets with the S3 API.",
  meters: ["storage"],
  skus: [],
  kinds: { bucket: bucketKind(parts) },
  tools: {
    create: [
      {
        signature:
          "gpuc_object_create name*:s tier:s lifecycle_days_to_warm:i lifecycle_days_to_cold:i lifecycle_days_to_archive:i",
        about:
          "Creates a bucket of object storage whose objects may move to colder, cheaper storage classes by age. observed.bucket is its name for svc_storage_objects_list and S3 clients.",
      },
    ],
    list: { signature: "gpuc_object_list" },
    delete: "gpuc_object_delete bucket_id*:s",
  },
});

const bucketKind = (parts: () => GpucParts): Kind<BucketSpec> => ({
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
 * The name of the bucket of a resource, which follows the rules of S3 whatever the name of the resource is, and is unique
 * in the installation.
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
