import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import { EXAMPLE_TIME } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { hasLocked, lockIfEmpty } from "../objects/bucket-contents";
import { Bucket, bucketTarget, noSuchBucket, ownerOf, type StoredBucket, toBucket } from "./bucket";
import { bucketUpdated } from "./bucket.events";
import { bucketExample } from "./bucket.example";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice } from "./bucket-fields";
import { publishBucketChange } from "./buckets-by-name";
import { removeBucket, startDeletions } from "./delete-buckets";
import { findBucket } from "./find-bucket";
import { lockedBucket } from "./locked-bucket";

export const DeleteBucket = z.strictObject({
  ...bucketChoice,
  force: z
    .preprocess((value: unknown) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
    .default(false)
    .describe("Deletes the bucket with everything in it, in the background"),
});

/**
 * Deletes a bucket. One with objects is deleted in the background, if `force` is set: the record is returned.
 * Otherwise throws `conflict` (reason `bucket_not_empty`). Throws `conflict` (reason `locked_objects`) and `not_found`.
 */
export const deleteBucket = operation({
  id: "deleteBucket",
  summary: "Delete a bucket, with `force` also one that has objects",
  description:
    "An empty bucket is deleted at once: 204. A bucket with objects, older versions or delete markers is 409 with the reason `bucket_not_empty`; with `force=true` it accepts no more objects, everything in it is deleted in the background, and the response is 202 with the bucket, whose `deletion` shows the progress. A bucket with a version that object lock protects is not deleted: 409 with the reason `locked_objects`. Unfinished multipart uploads do not keep a bucket from being deleted.",
  access: "storage:write",
  mayContinue: true,
  input: DeleteBucket,
  output: Bucket.optional(),
  example: {
    input: { bucket: bucketExample.name, force: true },
    output: { ...bucketExample, deletion: { started_at: EXAMPLE_TIME, deleted: 0, total: 150 } },
  },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "counters" | "objects">, input) => {
    const { id } = await findBucket(ctx, input);
    const row = await begin(ctx, id, input);
    await publishBucketChange(ctx.counters, row.name);
    if (row.deletingTotal === 0n && (await ctx.objects.empty(row, 1000)).isEmpty) {
      await removeBucket(ctx, id, { actor: auditActorOf(ctx.actor), request: ctx.request });
      return undefined;
    }
    return toBucket(row);
  },
});

const auditActorOf = (actor: Actor) =>
  actor.kind === "key"
    ? ({ type: "api_key", id: actor.keyId } as const)
    : ({ type: "user", id: actor.userId } as const);

/** Marks the bucket: from now on it accepts no objects, and the jobs delete it even if this process ends. */
const begin = (ctx: ActorCtx, id: string, { bucket, force }: z.output<typeof DeleteBucket>): Promise<StoredBucket> =>
  ctx.db.$transaction(async (tx) => {
    const before = await lockedBucket(tx, id);
    if (!before) throw noSuchBucket(bucket);
    if (before.deletingSince) return before;
    // Changes of objects wait for the lock, so what this reads cannot change.
    const isEmpty = await lockIfEmpty(tx, id);
    if (!isEmpty && !force) throw notEmpty(before);
    const now = ctx.clock.now();
    if (!isEmpty && (await hasLocked(tx, id, now))) throw hasLockedObjects(before);
    const row = await tx.bucket.update({
      where: { id },
      data: { deletingSince: now, deletingTotal: before.versions, updatedAt: now },
    });
    if (isEmpty) return row;
    await startDeletions(tx);
    await recordBeginning(tx, ctx, row);
    return row;
  });

async function recordBeginning(tx: Prisma.TransactionClient, ctx: ActorCtx, row: StoredBucket): Promise<void> {
  const event = newEvent(bucketUpdated, { ...toBucket(row), changed: ["deletion"] }, ownerOf(row));
  await recordAudit(tx, ctx, {
    action: "bucket.deletion_started",
    targets: [bucketTarget(row)],
    details: { objects: Number(row.objects), versions: Number(row.versions), bytes: Number(row.bytes) },
    events: [event],
  });
}

const hasLockedObjects = ({ name }: StoredBucket): ServiceError =>
  new ServiceError(
    "conflict",
    `The bucket "${name}" has versions that object lock protects; it can be deleted when they are no longer retained or held.`,
    { details: { reason: "locked_objects" } },
  );

const notEmpty = ({ name, versions }: StoredBucket): ServiceError =>
  new ServiceError(
    "conflict",
    `The bucket "${name}" is not empty: delete its objects, older versions and delete markers first, or delete it with force=true.`,
    { details: { reason: "bucket_not_empty", versions: Number(versions) } },
  );
