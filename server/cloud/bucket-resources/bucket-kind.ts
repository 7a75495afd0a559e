import { z } from "zod";
import type { CloudParts } from "../cloud-ctx";
import { creatorCtx } from "../resources/creator-ctx";
import type { Family, Kind, Seen, Wanted } from "../resources/family";
import type { StoredBucket } from "../storage/bucket";
import { createBucket } from "../storage/create-bucket";
import { deleteBucket } from "../storage/delete-bucket";
import { S3_PATH } from "../storage/s3-endpoint";

const SLUG_LENGTH_MAX = 40;
const SUFFIX_LENGTH = 10;

export const BucketSpec = z.strictObject({});
export type BucketSpec = z.output<typeof BucketSpec>;

/** Buckets of object storage: `object`. */
export const objectFamily = (parts: () => CloudParts): Family => ({
  ...{ plane: "gpuc", service: "object" },
  kinds: { bucket: bucketKind(parts) },
});

const bucketKind = (parts: () => CloudParts): Kind<BucketSpec> => ({
  spec: BucketSpec,
  plan: (_spec, name) => [
    {
      step: "create",
      what: `A bucket for "${name}", whose name is unique in this installation`,
      proof: "An S3 client lists it",
    },
  ],
  provision: async (wanted) => {
    const ctx = creatorCtx(parts(), wanted);
    const name = bucketNameOf(wanted);
    const { mode, projectId: project } = wanted;
    if (!(await ctx.db.bucket.findUnique({ where: { name } })))
      await createBucket.run(ctx, createBucket.input.parse({ name, mode, project }));
    return seenOf(await ctx.db.bucket.findUnique({ where: { name } }));
  },
  observe: async (all) => {
    const names = new Map(all.map((wanted) => [bucketNameOf(wanted), wanted.rid]));
    const rows = await parts().db.bucket.findMany({ where: { name: { in: [...names.keys()] } } });
    return new Map(rows.map((row) => [names.get(row.name) ?? "", seenOf(row)]));
  },
  remove: async (wanted) => {
    const ctx = creatorCtx(parts(), wanted);
    const name = bucketNameOf(wanted);
    const found = await ctx.db.bucket.findUnique({ where: { name } });
    if (found && !found.deletingSince) await deleteBucket.run(ctx, { bucket: name, force: true });
    return !(await ctx.db.bucket.findUnique({ where: { name } }));
  },
  endpoints: (wanted) => [{ protocol: "s3", url: `${parts().publicUrl}${S3_PATH}/${bucketNameOf(wanted)}` }],
  tryIt: (wanted) => [
    { title: "List its objects", command: `svc storage ls svc://${bucketNameOf(wanted)}` },
    {
      title: "List them with an S3 client",
      command: `aws --endpoint-url ${parts().publicUrl}${S3_PATH} s3 ls s3://${bucketNameOf(wanted)}`,
    },
  ],
});

/**
 * The name of the bucket of a resource, which follows the rules of S3 whatever the name of the resource is, and is unique
 * in the installation.
 */
export function bucketNameOf({ rid, name }: Pick<Wanted, "rid" | "name">): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/-+$/, "");
  return `b-${slug === "" ? "" : `${slug}-`}${rid.slice(-SUFFIX_LENGTH)}`;
}

function seenOf(row: StoredBucket | null): Seen {
  if (!row) return { is: "absent" };
  const { id, name, objects, bytes } = row;
  const observed = { bucket: name, bucket_id: id, objects: Number(objects), bytes: Number(bytes) };
  return row.deletingSince
    ? { is: "faulty", observed, message: "Its bucket is being deleted." }
    : { is: "present", observed };
}
