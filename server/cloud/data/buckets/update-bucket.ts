import { z } from "zod";
import { Prisma } from "../../../engines/postgres/generated/client";
import { recordUpdate } from "../../../identity/audit/record-update";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import type { Grant } from "../objects/object-access";
import { assertGrantees, isGroup } from "./access-list";
import { Bucket, bucketTarget, ownerOf, type StoredBucket, toBucket } from "./bucket";
import { bucketUpdated } from "./bucket.events";
import { bucketExample } from "./bucket.example";
import { assertPublicAccess } from "./bucket-access";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice, bucketFields } from "./bucket-fields";
import { assertVersioned, objectLockData } from "./bucket-lock";
import { publishBucketChange } from "./buckets-by-name";
import { findBucket } from "./find-bucket";
import { lockedForChange } from "./locked-bucket";

export const UpdateBucket = z.strictObject({
  ...bucketChoice,
  versioning: bucketFields.versioning
    .optional()
    .describe("`off` for a bucket whose versioning was on is the same as `suspended`: older versions stay"),
  public_read: bucketFields.public_read
    .optional()
    .describe("Switched off, it also removes what the access list grants to groups"),
  tier: bucketFields.tier.optional(),
  cors_rules: bucketFields.cors_rules.optional(),
  lifecycle_rules: bucketFields.lifecycle_rules.optional(),
  tags: bucketFields.tags.optional(),
  policy: bucketFields.policy.optional(),
  public_access_block: bucketFields.public_access_block.optional(),
  encryption: bucketFields.encryption.optional(),
  object_lock: bucketFields.object_lock.optional(),
  acl: bucketFields.acl
    .optional()
    .describe("Replaces the access list and, unless it is sent too, switches `public_read` off"),
  object_ownership: bucketFields.object_ownership.optional(),
});
type UpdateBucket = z.output<typeof UpdateBucket>;

/**
 * Changes the given settings; rules replace all rules of their kind. Throws `not_found`, and `conflict` (reason
 * `bucket_being_deleted`, `versioning_required` or `object_lock_enabled`); for a policy `invalid_request` (reason
 * `malformed_policy`), and `forbidden` (reason `public_access_blocked`) for one, or a list, that lets everyone in where
 * that is blocked; for a grantee that does not exist `invalid_request` (reason `unknown_grantee`).
 */
export const updateBucket = operation({
  id: "updateBucket",
  summary: "Update a bucket",
  description:
    "Settings apply at once, in the S3 endpoint too. Lists of rules are replaced as a whole. A bucket's name cannot change.",
  access: "storage:write",
  input: UpdateBucket,
  output: Bucket,
  example: { input: { bucket: bucketExample.name, versioning: "on" }, output: bucketExample },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "counters">, input) => {
    const { id, name } = await findBucket(ctx, input);
    const bucket = await ctx.db.$transaction(async (tx) => {
      const before = await lockedForChange(tx, id, input.bucket);
      assertPublicAccess(before, input);
      assertVersioned(before, input);
      if (input.acl) await assertGrantees(tx, input.acl, [before.tenantId]);
      const row = await tx.bucket.update({
        where: { id },
        data: { ...changesOf(before, input), updatedAt: ctx.clock.now() },
      });
      const [old, after] = [toBucket(before), toBucket(row)];
      const event = (changed: string[]) => newEvent(bucketUpdated, { ...after, changed }, ownerOf(row));
      await recordUpdate(tx, ctx, { target: bucketTarget(row), before: old, after, event });
      return after;
    });
    await publishBucketChange(ctx.counters, name);
    return bucket;
  },
});

const changesOf = (before: StoredBucket, input: UpdateBucket): Prisma.BucketUpdateInput => ({
  ...(input.versioning !== undefined && { versioning: versioningAfter(before.versioning, input.versioning) }),
  ...accessAfter(before, input),
  ...(input.tier !== undefined && { tier: input.tier }),
  ...(input.cors_rules !== undefined && { corsRules: input.cors_rules }),
  ...(input.lifecycle_rules !== undefined && { lifecycleRules: input.lifecycle_rules as Prisma.InputJsonValue }),
  ...(input.tags !== undefined && { tags: input.tags }),
  ...(input.policy !== undefined && { policy: input.policy }),
  ...(input.public_access_block !== undefined && {
    publicAccessBlock: input.public_access_block ?? Prisma.DbNull,
  }),
  ...(input.encryption !== undefined && { encryption: input.encryption }),
  ...objectLockData(input),
  ...(input.object_ownership !== undefined && { objectOwnership: input.object_ownership }),
});

/** What was set last decides who may read: a list, or `public_read`. */
function accessAfter(before: StoredBucket, { acl, public_read }: UpdateBucket): Prisma.BucketUpdateInput {
  if (acl) return { acl, publicRead: public_read ?? false };
  if (public_read === undefined) return {};
  if (public_read || !before.publicRead || before.acl === null) return { publicRead: public_read };
  const named = (before.acl as unknown as Grant[]).filter(({ grantee }) => !isGroup(grantee));
  return { publicRead: false, acl: named.map((grant) => ({ ...grant })) };
}

/** Versions that exist stay, so versioning that was on once is never off again. */
const versioningAfter = (before: StoredBucket["versioning"], asked: StoredBucket["versioning"]) =>
  asked === "off" && before !== "off" ? "suspended" : asked;
