import { z } from "zod";
import { notFound, ServiceError } from "../../kernel/errors";
import { appendAudit } from "../audit/record-audit";
import type { AccountCtx } from "../identity-ctx";
import { tellTenantChanged } from "../tenants/tenant-cache";
import { IdText } from "../wire-text";
import { quotasOf } from "./list-quotas";
import { type Quota, QuotaName, quotaFields } from "./quota";
import { lockLimit } from "./quota.sql";

export const SetQuota = z.strictObject({
  tenant_id: IdText,
  resource: QuotaName,
  limit: z.int().nullable().describe("null: the default"),
});
type SetQuotaInput = z.output<typeof SetQuota>;

/**
 * Sets a tenant's limit, for operators. A limit below what is used takes nothing away; it only stops more. Processes that
 * hear of it (this one, and with REDIS_URL all) follow at once, others within ten seconds. Throws `not_found` for the
 * tenant, `invalid_request` for a fixed limit or a number out of range.
 */
export async function setQuota(
  ctx: Pick<AccountCtx, "db" | "clock" | "counters">,
  input: SetQuotaInput,
): Promise<Quota> {
  const { tenant_id: tenantId, resource, limit } = input;
  refuseUnfit(input);
  const at = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const tenant = await tx.tenant.findUnique({ where: { id: tenantId } });
    if (!tenant) throw notFound("tenant", tenantId);
    const before = (await lockLimit(tx, tenantId, resource)) ?? null;
    if (before === limit) return;
    const key = { tenantId, resource };
    if (limit === null) await tx.quota.deleteMany({ where: key });
    else {
      const value = { limit: BigInt(limit), setAt: at };
      await tx.quota.upsert({ where: { tenantId_resource: key }, create: { ...key, ...value }, update: value });
    }
    const { defaultLimit } = quotaFields(resource);
    const changes = { limit: { from: before ?? defaultLimit, to: limit ?? defaultLimit } };
    const change = { action: "quota.changed", targets: [{ type: "quota", id: resource }], details: { changes } };
    await appendAudit(tx, { tenantId, at, actor: { type: "operator" }, request: undefined }, change);
  });
  await tellTenantChanged(ctx.counters, tenantId);
  const quotas = await quotasOf(ctx, tenantId);
  const quota = quotas.find((each) => each.resource === resource);
  if (!quota) throw new Error(`the catalogue lost ${resource}`);
  return quota;
}

function refuseUnfit({ resource, limit }: SetQuotaInput): void {
  const { liftable, defaultLimit, unit } = quotaFields(resource);
  if (!liftable) {
    throw new ServiceError("invalid_request", `${resource} is fixed at ${defaultLimit} ${unit}.`, {
      param: "resource",
    });
  }
  if (limit === null || (limit >= liftable.min && limit <= liftable.max)) return;
  throw new ServiceError("invalid_request", `limit: expected ${liftable.min} to ${liftable.max} ${unit}.`, {
    param: "limit",
  });
}
