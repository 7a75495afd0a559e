import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { type Json, storedJson } from "../../../identity/stored-json";
import { canonicalJson } from "../../../kernel/canonical-json";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import type { Actor } from "../../../operation/actor";
import type { Families } from "../kinds/families";
import type { Blocker } from "../kinds/kind";
import { activeTier, notActivated } from "../planes/active-tier";
import { resourcesMaxOf } from "../planes/planes";
import { holdReferences, storeReferences } from "../references/references";
import { specHashOf, storedSpec } from "../specs/specs";
import { PLACEHOLDERS_MAX, placeholderId, type ResourceIdentity } from "./placeholder";
import {
  originOf,
  RESOURCE_ID_PREFIX,
  reasonOf,
  resourceTarget,
  type StoredResource,
  specOf,
  toResource,
} from "./resource";
import { resourceCreated } from "./resource.events";
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
  const existing = await existingOf(tx, ctx, identity);
  if (existing) return { row: existing };
  const tier = await activeTier(tx, identity);
  const missing = tier === undefined ? notActivated(identity) : blocker;
  if (missing) return { row: await insertPlaceholder(tx, ctx, { identity, blocker: missing }) };
  const perTier = ctx.families.find(identity)?.quotaPerTier;
  await assertTier(tx, identity, resourcesMaxOf(identity.plane, tier ?? null, perTier));
  await assertQuota(tx, { tenantId: identity.tenantId }, RESOURCE_QUOTAS.resources);
  const kind = ctx.families.kindOf(identity);
  const { quota, newSecrets } = kind;
  const references = await holdReferences(tx, { place: identity, kind, spec: identity.spec });
  if (quota) await assertQuota(tx, { tenantId: identity.tenantId }, quota);
  await tx.resource.deleteMany({ where: { ...nameOf(identity), state: "placeholder" } });
  const now = ctx.clock.now();
  const secrets = newSecrets?.();
  const row = await tx.resource.create({
    data: {
      secretHashes: hashesOf(ctx, secrets ?? {}),
      ...columnsOf(ctx.families, newId(RESOURCE_ID_PREFIX, now.getTime()), identity),
      createdBy: creatorOf(ctx.actor),
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

const creatorOf = (actor: Actor) =>
  actor.kind === "key" ? { type: "api_key", id: actor.keyId } : { type: "user", id: actor.userId };

const nameOf = ({ projectId, mode, plane, service, name }: ResourceIdentity) => ({
  projectId,
  mode,
  plane,
  service,
  name,
  archivedAt: null,
});

function columnsOf(families: Families, id: string, { spec, ...identity }: ResourceIdentity) {
  const { spec: schema } = families.kindOf(identity);
  return { id, ...identity, ...storedSpec({ keys: families.keys, schema, id }, spec) };
}

async function existingOf(tx: Prisma.TransactionClient, { families }: InsertCtx, identity: ResourceIdentity) {
  const row = await tx.resource.findFirst({ where: { ...nameOf(identity), state: { not: "placeholder" } } });
  if (row?.state === "deleting")
    throw new ServiceError(
      "conflict",
      `The resource of ${identity.service} with the name "${identity.name}" is being deleted: choose another name, or create it when that one is gone.`,
      { param: "name", details: { reason: "deleting", rid: row.id } },
    );
  if (!row || (row.kind === identity.kind && row.specHash === specHashOf(families.keys, identity.spec))) return row;
  const differs = row.kind === identity.kind ? differing(specOf(families, row), identity.spec) : ["kind"];
  throw new ServiceError(
    "conflict",
    `A resource of ${identity.service} has the name "${identity.name}" already, and differs in ${differs.join(", ")}: choose another name, or update that resource.`,
    { param: "name", details: { reason: "name_taken", rid: row.id, differs } },
  );
}

function differing(a: unknown, b: unknown): string[] {
  const [one, other] = [a, storedJson(b)] as Record<string, unknown>[];
  const names = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...names]
    .filter((name) => canonicalJson(one?.[name] ?? null) !== canonicalJson(other?.[name] ?? null))
    .map((name) => `spec.${name}`);
}

async function insertPlaceholder(
  tx: Prisma.TransactionClient,
  { clock, actor, families }: InsertCtx,
  { identity, blocker }: { identity: ResourceIdentity; blocker: Blocker },
): Promise<StoredResource> {
  const id = placeholderId(families.keys.hashing, identity);
  const { tenantId, mode } = identity;
  const kept = await tx.resource.count({ where: { tenantId, mode, state: "placeholder", id: { not: id } } });
  if (kept >= PLACEHOLDERS_MAX)
    throw new ServiceError(
      "quota_exceeded",
      `The tenant has ${PLACEHOLDERS_MAX} placeholders in this mode; delete one, or activate the service.`,
      { details: { reason: "placeholders", limit: PLACEHOLDERS_MAX } },
    );
  const now = clock.now();
  const reason = { ...reasonOf(blocker) };
  const fixed = { state: "placeholder", generation: 1, createdAt: now, updatedAt: now };
  return tx.resource.upsert({
    where: { id },
    create: { ...columnsOf(families, id, identity), createdBy: creatorOf(actor), reason, ...fixed },
    update: { reason },
  });
}

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
