import type { Prisma, Secret as SecretRow } from "../../../engines/postgres/generated/client";
import { type RecordAuditCtx, recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { newId } from "../../../kernel/ids";
import { currentMasterKey } from "./master-key";
import { sealValue } from "./sealed-value";
import { originOf, SECRET_ID_PREFIX, type Secret, type SecretOwner, secretTarget, toSecret } from "./secret";
import { secretCreated, secretUpdated } from "./secret.events";
import type { SecretCtx } from "./secret-ctx";
import { VERSIONS_KEPT } from "./secret-fields";
import { SECRET_QUOTAS } from "./secrets.quotas";

type StoreCtx = RecordAuditCtx & Pick<SecretCtx, "secretsKey">;

/** Serializes changes of a tenant's secrets: the lock of its quota, which creations need anyway. */
export const lockSecrets = (tx: Prisma.TransactionClient, tenantId: string): Promise<void> =>
  assertQuota(tx, { tenantId, adding: 0 }, SECRET_QUOTAS.secrets);

/** Stores the first version of a secret. Call it while the tenant's secrets are locked. Throws `quota_exceeded`. */
export async function storeFirst(
  tx: Prisma.TransactionClient,
  ctx: StoreCtx,
  { owner, name, value }: { owner: SecretOwner; name: string; value: string },
): Promise<Secret> {
  await assertQuota(tx, { tenantId: owner.tenantId }, SECRET_QUOTAS.secrets);
  const now = ctx.clock.now();
  const row = await tx.secret.create({
    data: { ...owner, name, id: newId(SECRET_ID_PREFIX, now.getTime()), version: 1, createdAt: now, updatedAt: now },
  });
  await storeVersion(tx, ctx, { row, value });
  const details = toSecret(row);
  const events = [newEvent(secretCreated, details, originOf(row))];
  await recordAudit(tx, ctx, { action: "secret.created", targets: [secretTarget(row)], details, events });
  return details;
}

/** Stores the next version of a secret, and erases the value before the last 10. */
export async function storeNext(
  tx: Prisma.TransactionClient,
  ctx: StoreCtx,
  { before, value }: { before: SecretRow; value: string },
): Promise<Secret> {
  const now = ctx.clock.now();
  const { id } = before;
  const row = await tx.secret.update({ where: { id }, data: { version: before.version + 1, updatedAt: now } });
  await storeVersion(tx, ctx, { row, value });
  await tx.secretVersion.deleteMany({ where: { secretId: id, number: { lte: row.version - VERSIONS_KEPT } } });
  const secret = toSecret(row);
  const events = [newEvent(secretUpdated, secret, originOf(row))];
  const details = { version: row.version };
  await recordAudit(tx, ctx, { action: "secret.updated", targets: [secretTarget(row)], details, events });
  return secret;
}

async function storeVersion(
  tx: Prisma.TransactionClient,
  { clock, secretsKey }: StoreCtx,
  { row, value }: { row: SecretRow; value: string },
): Promise<void> {
  const { id: secretId, tenantId, version: number } = row;
  const now = clock.now();
  const master = await currentMasterKey(tx, { rootKey: secretsKey, now });
  const sealed = sealValue(master, value, { tenantId, secretId, number });
  await tx.secretVersion.create({ data: { ...sealed, secretId, number, createdAt: now } });
}
