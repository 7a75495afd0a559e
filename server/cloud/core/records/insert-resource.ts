import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import type { Json } from "../../../identity/stored-json";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import type { Blocker } from "../kinds/kind";
import { activeTier, notActivated } from "../planes/active-tier";
import { resourcesMaxOf } from "../planes/planes";
import { holdReferences, storeReferences } from "../references/references";
import { findSame, nameOf } from "./named-resource";
import { insertPlaceholder } from "./placeholder";
import { originOf, RESOURCE_ID_PREFIX, resourceTarget, type StoredResource, toResource } from "./resource";
import { resourceCreated } from "./resource.events";
import { columnsOf, type ResourceIdentity } from "./resource-columns";
import type { ResourceCtx } from "./resource-ctx";
import { dueAfterChange } from "./resource-states";
import { RESOURCE_QUOTAS } from "./resources.quotas";
import { secretHashOf } from "./secret-hash";

type InsertCtx = Pick<ResourceCtx, "clock" | "actor" | "request" | "families" | "encryptionKey">;

export interface Inserted {
  row: StoredResource;
  /** Those of a resource that was inserted now. */
  secrets?: Record<string, string> | undefined;
}

/**
 * Inserts a resource, or a placeholder if its service is not activated or something is missing. A resource of the same
 * name, kind and spec is returned as it is. Throws `conflict` for the same name with another kind or spec, or while the
 * resource of that name is being deleted, and `quota_exceeded`.
 */
export async function insertResource(
  tx: Prisma.TransactionClient,
  ctx: InsertCtx,
  { identity, blocker }: { identity: ResourceIdentity; blocker: Blocker | undefined },
): Promise<Inserted> {
  // Taken first, so that creations of one tenant that have the same name wait for each other.
  await assertQuota(tx, { tenantId: identity.tenantId, adding: 0 }, RESOURCE_QUOTAS.resources);
  const existing = await findSame(tx, ctx.families, identity);
  if (existing) return { row: existing };
  const tier = await activeTier(tx, identity);
  const missing = tier === undefined ? notActivated(identity) : blocker;
  if (missing) return { row: await insertPlaceholder(tx, ctx, { identity, blocker: missing }) };
  const perTier = ctx.families.find(identity)?.quotaPerTier;
  await assertTier(tx, identity, resourcesMaxOf(identity.plane, tier ?? null, perTier));
  await assertQuota(tx, { tenantId: identity.tenantId }, RESOURCE_QUOTAS.resources);
  const kind = ctx.families.kindOf(identity);
  const { quota, newSecrets } = kind;
  const references = await holdReferences(tx, { owner: identity, kind, spec: identity.spec });
  if (quota) await assertQuota(tx, { tenantId: identity.tenantId }, quota);
  await tx.resource.deleteMany({ where: { ...nameOf(identity), state: "placeholder" } });
  const now = ctx.clock.now();
  const secrets = newSecrets?.();
  const row = await tx.resource.create({
    data: {
      secretHashes: hashesOf(ctx, secrets ?? {}),
      ...columnsOf(ctx, newId(RESOURCE_ID_PREFIX, now.getTime()), identity),
      state: "provisioning",
      generation: 1,
      nextAt: dueAfterChange(now),
      createdAt: now,
      updatedAt: now,
    },
  });
  await storeReferences(tx, row.id, references);
  const resource = toResource(ctx.families, row);
  await recordAudit(tx, ctx, {
    action: "resource.created",
    targets: [resourceTarget(row)],
    details: resource as { [name: string]: Json },
    events: [newEvent(resourceCreated, resource, originOf(row))],
  });
  return { row, secrets };
}

const hashesOf = ({ encryptionKey }: Pick<ResourceCtx, "encryptionKey">, secrets: Record<string, string>) =>
  Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secretHashOf(encryptionKey, secret)]));

async function assertTier(
  tx: Prisma.TransactionClient,
  { tenantId, mode, plane, service }: ResourceIdentity,
  max: number,
): Promise<void> {
  const where = { tenantId, mode, plane, service, archivedAt: null, state: { not: "placeholder" } };
  if ((await tx.resource.count({ where })) < max) return;
  throw new ServiceError(
    "quota_exceeded",
    `The plan tier of ${service} allows ${max} resources in this mode; delete one, or activate a higher tier.`,
    { details: { reason: "plan_tier", plane, service, limit: max } },
  );
}
