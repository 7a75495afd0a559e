import { z } from "zod";
import { notFound, ServiceError } from "../../kernel/errors";
import type { QuotaDefinition } from "../../operation/quota";
import { appendAudit } from "../audit/record-audit";
import { newEvent } from "../events/record-event";
import type { AccountCtx } from "../identity-ctx";
import { publishTenantChange } from "../tenant-changed";
import { IdText } from "../wire-text";
import { quotasOf } from "./list-quotas";
import type { Quota } from "./quota";
import { quotaUpdated } from "./quota.events";
import { lockLimit } from "./quota.sql";

export const SetQuota = z.strictObject({
  tenant_id: IdText,
  resource: z.string().max(64),
  limit: z.int().nullable().describe("null: the default"),
});
type SetQuotaInput = z.output<typeof SetQuota>;

/**
 * Sets a tenant's limit, for operators. A limit below the current usage removes nothing; it only blocks new creations.
 * Processes that are notified (this one and, with REDIS_URL, all) apply it immediately, others within ten seconds.
 * Throws `not_found` for the tenant, `invalid_request` for an unknown name, a fixed limit or a number out of range.
 */
export async function setQuota(
  ctx: Pick<AccountCtx, "db" | "clock" | "counters" | "quotas">,
  input: SetQuotaInput,
): Promise<Quota> {
  const { tenant_id: tenantId, resource, limit } = input;
  const { defaultLimit, unit } = settable(ctx.quotas, input);
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
    const [from, to] = [before ?? defaultLimit, limit ?? defaultLimit];
    const change = {
      action: "quota.changed",
      targets: [{ type: "quota", id: resource }],
      details: { changes: { limit: { from, to } } },
      events: [newEvent(quotaUpdated, { resource, limit: to, previous_limit: from, unit })],
    };
    await appendAudit(tx, { tenantId, at, actor: { type: "operator" }, request: undefined }, change);
  });
  await publishTenantChange(ctx.counters, tenantId);
  const quotas = await quotasOf(ctx, tenantId);
  const quota = quotas.find((each) => each.resource === resource);
  if (!quota) throw new Error(`no definition of the limit ${resource}`);
  return quota;
}

/** Returns the definition of the named limit; throws if the limit cannot have this number. */
function settable(quotas: readonly QuotaDefinition[], { resource, limit }: SetQuotaInput): QuotaDefinition {
  const quota = quotas.find((each) => each.resource === resource);
  if (!quota) throw refusal("resource", `expected one of ${quotas.map((each) => each.resource).join(", ")}`);
  const { liftable, defaultLimit, unit } = quota;
  if (!liftable) {
    throw new ServiceError("invalid_request", `${resource} is fixed at ${defaultLimit} ${unit}.`, {
      param: "resource",
    });
  }
  if (limit === null || (limit >= liftable.min && limit <= liftable.max)) return quota;
  throw refusal("limit", `expected ${liftable.min} to ${liftable.max} ${unit}`);
}

const refusal = (param: string, expected: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${expected}.`, { param });
