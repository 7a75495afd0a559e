import { findProject } from "../../../identity/projects/find-project";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { type Mode, modeOf } from "../../../operation/actor";
import type { StoredBucket } from "./bucket";
import type { BucketCtx } from "./bucket-ctx";
import { DEFAULT_PREFIX } from "./bucket-name";
import { BUCKET_QUOTAS } from "./buckets.quotas";
import { insertBucket, recordCreation } from "./create-bucket";
import { findBucket } from "./find-bucket";

/** A request that may name a bucket, or whose default bucket it means. */
export interface OptionalBucket {
  bucket?: string | undefined;
  mode?: Mode | undefined;
  project?: string | undefined;
}

type DefaultBucketCtx = Pick<BucketCtx, "db" | "clock" | "actor" | "request">;

/**
 * Returns the named bucket, or the default bucket of the project and mode, which the first such call creates. Throws
 * `not_found`, and `quota_exceeded` when the default bucket would be one too many.
 */
export async function bucketOrDefault(ctx: DefaultBucketCtx, asked: OptionalBucket): Promise<StoredBucket> {
  if (asked.bucket !== undefined) return findBucket(ctx, { bucket: asked.bucket });
  const { owner, found } = await lookUpDefault(ctx, asked);
  return found ?? createDefault(ctx, owner);
}

/** Returns the default bucket of the project and mode, undefined before the first call that creates it. */
export const findDefaultBucket = async (
  ctx: Pick<BucketCtx, "db" | "actor">,
  asked: Omit<OptionalBucket, "bucket">,
): Promise<StoredBucket | undefined> => (await lookUpDefault(ctx, asked)).found ?? undefined;

async function lookUpDefault({ db, actor }: Pick<BucketCtx, "db" | "actor">, asked: OptionalBucket) {
  const { id: projectId } = await findProject(db, actor, asked.project);
  const owner = { tenantId: actor.tenantId, projectId, mode: modeOf(actor, asked.mode) };
  return { owner, found: await db.bucket.findFirst({ where: { ...owner, isDefault: true } }) };
}

/** Processes that create it at the same time wait for the lock of the quota; all but the first then find it. */
const createDefault = (
  ctx: DefaultBucketCtx,
  owner: Pick<StoredBucket, "tenantId" | "projectId" | "mode">,
): Promise<StoredBucket> =>
  ctx.db.$transaction(async (tx) => {
    const { tenantId, projectId, mode } = owner;
    await assertQuota(tx, { tenantId, adding: 0 }, BUCKET_QUOTAS.buckets);
    const found = await tx.bucket.findFirst({ where: { ...owner, isDefault: true } });
    if (found) return found;
    await assertQuota(tx, { tenantId }, BUCKET_QUOTAS.buckets);
    const name = `${DEFAULT_PREFIX}${projectId.slice(-10)}-${mode}`;
    const row = await insertBucket(tx, ctx, { ...owner, name, isDefault: true });
    if (!row) throw new Error(`The name of the default bucket ${name} is taken.`);
    await recordCreation(tx, ctx, row);
    return row;
  });
