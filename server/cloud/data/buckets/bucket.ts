import { z } from "zod";
import type { Bucket as BucketRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { toWire } from "../../../kernel/to-wire";
import type { Actor } from "../../../operation/actor";
import { AccessList, bucketGrants, ObjectOwnership } from "./access-list";
import { ObjectLock } from "./bucket-lock";
import { BucketTags, CorsRules } from "./bucket-rules";
import { BucketEncryption, PublicAccessBlock, publicAccessBlockIn } from "./bucket-security";
import { LifecycleRules } from "./lifecycle-rules";
import { StorageTier } from "./storage-tier";

export const BUCKET_ID_PREFIX = "bkt";

export const Versioning = z.enum(["off", "on", "suspended"]);
const Count = z.int().min(0);

export const Bucket = z
  .object({
    id: z.string().meta({ examples: ["bkt_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    name: z.string(),
    is_default: z.boolean().describe("Calls without a bucket use it"),
    versioning: Versioning.describe(
      "`on`: a replaced or deleted object stays as an older version; `suspended`: older versions stay, and no further ones are kept",
    ),
    public_read: z
      .boolean()
      .describe("Anyone may read the objects that have no access list of their own, without credentials"),
    tier: StorageTier.describe("The storage class of new objects that name none"),
    cors_rules: CorsRules,
    lifecycle_rules: LifecycleRules,
    tags: BucketTags,
    policy: z.string().nullable().describe("The JSON of the bucket policy, as it was sent; null: none"),
    public_access_block: PublicAccessBlock.nullable().describe("What blocks public access; null: nothing"),
    acl: AccessList,
    object_ownership: ObjectOwnership,
    encryption: BucketEncryption,
    object_lock: ObjectLock.nullable().describe("That versions can be locked; null: they cannot be"),
    usage: z.object({
      objects: Count.describe("Keys with a current version"),
      versions: Count.describe("Stored versions, current ones included"),
      bytes: Count.describe("Bytes of all versions and of the parts of unfinished uploads"),
      tiers: z
        .object({ hot: Count, warm: Count, cold: Count, archive: Count })
        .describe("`bytes` by storage class, before compression; parts of unfinished uploads count as hot"),
    }),
    deletion: z
      .object({
        started_at: z.iso.datetime(),
        deleted: Count.describe("Versions that are deleted already"),
        total: Count.describe("Versions when the deletion began"),
      })
      .nullable()
      .describe("The progress of a deletion with `force`; null unless the bucket is being deleted"),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Bucket" });
export type Bucket = z.infer<typeof Bucket>;

/** A stored bucket. It is a `BucketRef` of the engine of objects too. */
export type StoredBucket = BucketRow;

export const toBucket = (row: StoredBucket): Bucket =>
  toWire(Bucket, row, {
    cors_rules: corsRulesOf(row),
    lifecycle_rules: lifecycleRulesOf(row),
    tags: bucketTagsOf(row),
    public_access_block: publicAccessBlockOf(row) ?? null,
    object_lock: objectLockOf(row),
    acl: bucketGrants(row),
    usage: {
      objects: Number(row.objects),
      versions: Number(row.versions),
      bytes: Number(row.bytes),
      tiers: tierBytesOf(row),
    },
    deletion: row.deletingSince && {
      started_at: row.deletingSince.toISOString(),
      deleted: Math.max(0, Number((row.deletingTotal ?? 0n) - row.versions)),
      total: Number(row.deletingTotal ?? 0n),
    },
  });

const tierBytesOf = ({ bytes, warmBytes, coldBytes, archiveBytes }: StoredBucket) => ({
  hot: Number(bytes - warmBytes - coldBytes - archiveBytes),
  warm: Number(warmBytes),
  cold: Number(coldBytes),
  archive: Number(archiveBytes),
});

/** The stored rules, which were validated when they were stored. */
export const corsRulesOf = ({ corsRules }: Pick<StoredBucket, "corsRules">) =>
  corsRules as unknown as z.output<typeof CorsRules>;

export const lifecycleRulesOf = ({ lifecycleRules }: Pick<StoredBucket, "lifecycleRules">) =>
  lifecycleRules as unknown as z.output<typeof LifecycleRules>;

export const bucketTagsOf = ({ tags }: Pick<StoredBucket, "tags">) => tags as z.output<typeof BucketTags>;
/** The stored settings that block public access; undefined: none was ever set. */
export const publicAccessBlockOf = ({ publicAccessBlock }: Pick<StoredBucket, "publicAccessBlock">) =>
  publicAccessBlockIn(publicAccessBlock);

/** That versions can be locked, and how long by default; null: they cannot be. */
export const objectLockOf = ({ objectLock }: Pick<StoredBucket, "objectLock">) =>
  (objectLock ?? null) as z.output<typeof ObjectLock> | null;

/** Whether a bucket is visible to an actor: a key sees those of its own project and mode, a person all of the tenant. */
export const isVisible = (
  actor: Actor,
  { tenantId, projectId, mode }: Pick<StoredBucket, "tenantId" | "projectId" | "mode">,
): boolean =>
  actor.tenantId === tenantId && (actor.kind === "person" || (actor.projectId === projectId && actor.mode === mode));

export const bucketTarget = targetOf("bucket");

/** Where a bucket belongs. */
export const ownerOf = ({ tenantId, projectId, mode }: StoredBucket) => ({ tenantId, projectId, mode });

/** The same error for a bucket that does not exist and for one that the caller may not see. */
export const noSuchBucket = (asked: string): ServiceError =>
  new ServiceError("not_found", `No bucket has the id or name "${asked.slice(0, 80)}".`, {
    param: "bucket",
    details: { reason: "no_such_bucket" },
  });

export const isBeingDeleted = (name: string): ServiceError =>
  new ServiceError("conflict", `The bucket "${name}" is being deleted; use another bucket.`, {
    param: "bucket",
    details: { reason: "bucket_being_deleted" },
  });
