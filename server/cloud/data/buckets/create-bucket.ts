import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { assertGrantees } from "./access-list";
import { BUCKET_ID_PREFIX, Bucket, bucketTarget, ownerOf, type StoredBucket, toBucket } from "./bucket";
import { bucketCreated } from "./bucket.events";
import { newBucketExample } from "./bucket.example";
import type { BucketCtx } from "./bucket-ctx";
import { bucketFields } from "./bucket-fields";
import { assertVersioned, objectLockData } from "./bucket-lock";
import { BUCKET_QUOTAS } from "./buckets.quotas";

/**
 * Creates a bucket. Throws `conflict` (reasons `name_taken` and `versioning_required`), `not_found` for the project, and
 * `quota_exceeded`; for a grantee that does not exist `invalid_request` (reason `unknown_grantee`).
 */
export const createBucket = operation({
  id: "createBucket",
  summary: "Create a bucket",
  description:
    "A bucket stores objects, which S3 clients and presigned URLs read and write. Its name is unique in this installation, since S3 addresses have no tenant: 409 with the reason `name_taken` if any tenant has it.",
  access: "storage:write",
  idempotent: true,
  result: "created",
  quota: BUCKET_QUOTAS.buckets,
  input: z.strictObject({
    name: bucketFields.name,
    versioning: z
      .enum(["off", "on"])
      .optional()
      .describe(
        "`on` keeps replaced and deleted objects as older versions; default: `off`, and `on` with `object_lock`",
      ),
    object_lock: bucketFields.object_lock.optional(),
    public_read: bucketFields.public_read.default(false),
    tier: bucketFields.tier.default("hot"),
    cors_rules: bucketFields.cors_rules.default([]),
    lifecycle_rules: bucketFields.lifecycle_rules.default([]),
    acl: bucketFields.acl.optional(),
    object_ownership: bucketFields.object_ownership.default("ObjectWriter"),
    ...ownerFields,
  }),
  output: Bucket,
  example: {
    input: {
      name: newBucketExample.name,
      versioning: "on",
      cors_rules: newBucketExample.cors_rules,
      lifecycle_rules: newBucketExample.lifecycle_rules,
    },
    output: newBucketExample,
  },
  run: (ctx: ActorCtx, input) =>
    ctx.db.$transaction(async (tx) => {
      const project = await findProject(tx, ctx.actor, input.project);
      const owner = { tenantId: ctx.actor.tenantId, projectId: project.id, mode: modeOf(ctx.actor, input.mode) };
      const { acl } = input;
      if (acl) await assertGrantees(tx, acl, [owner.tenantId]);
      const row = await insertBucket(tx, ctx, {
        ...owner,
        name: input.name,
        versioning: versioningOf(input),
        ...objectLockData(input),
        publicRead: input.public_read,
        tier: input.tier,
        corsRules: input.cors_rules,
        lifecycleRules: input.lifecycle_rules as Prisma.InputJsonValue,
        ...(acl && { acl }),
        objectOwnership: input.object_ownership,
      });
      if (!row) throw nameTaken(input.name);
      await recordCreation(tx, ctx, row);
      return toBucket(row);
    }),
});

function versioningOf({
  versioning,
  object_lock,
}: Parameters<typeof assertVersioned>[1] & { versioning?: "off" | "on" | undefined }): "off" | "on" {
  if (!object_lock) return versioning ?? "off";
  assertVersioned({ versioning: "on", objectLock: null }, { versioning, object_lock });
  return "on";
}

type NewBucket = Omit<Prisma.BucketCreateManyInput, "id" | "createdAt" | "updatedAt">;

/** Inserts a bucket; undefined if its name is taken, or if its project already has in the mode a default bucket. */
export async function insertBucket(
  tx: Prisma.TransactionClient,
  { clock }: Pick<BucketCtx, "clock">,
  fields: NewBucket,
): Promise<StoredBucket | undefined> {
  const now = clock.now();
  const data = { ...fields, id: newId(BUCKET_ID_PREFIX, now.getTime()), createdAt: now, updatedAt: now };
  const [row] = await tx.bucket.createManyAndReturn({ data, skipDuplicates: true });
  return row;
}

export async function recordCreation(
  tx: Prisma.TransactionClient,
  ctx: Pick<BucketCtx, "clock" | "actor" | "request">,
  row: StoredBucket,
): Promise<void> {
  const bucket = toBucket(row);
  const { versioning, public_read, is_default, tier, object_lock } = bucket;
  const lists = row.acl === null ? {} : { acl: bucket.acl };
  const settings = { versioning, public_read, is_default, tier, object_lock: object_lock !== null, ...lists };
  const events = [newEvent(bucketCreated, bucket, ownerOf(row))];
  await recordAudit(tx, ctx, { action: "bucket.created", targets: [bucketTarget(row)], details: settings, events });
}

const nameTaken = (name: string): ServiceError =>
  new ServiceError("conflict", `The name "${name}" is taken in this installation; choose another name.`, {
    param: "name",
    details: { reason: "name_taken" },
  });
