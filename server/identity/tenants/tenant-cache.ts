import type { Counters } from "../../engines/counters/counters";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { ReadThrough } from "../../kernel/read-through";
import { QUOTAS } from "../quotas/quota";
import { type Tenant, toTenant } from "./tenant";

/** How old a tenant's name or limit can be where the message about a change was lost. */
const REMEMBERED_MS = 10_000;
const TENANTS_MAX = 10_000;

/** The topic on which every process hears the id of a tenant that was renamed or got other limits. */
const TENANT_CHANGED = "identity:tenant_changed";

/** What every request may ask about its tenant without a way to the database. */
export interface TenantCache {
  /** undefined for an id that no tenant has. */
  find(tenantId: string): Promise<Tenant | undefined>;
  limitsOf(of: { tenantId: string }): Promise<TenantLimits>;
  close(): Promise<void>;
}

export interface TenantLimits {
  /** Sustained, of each key and each person. */
  requestsPerMinute: number;
}

interface KnownTenant {
  tenant: Tenant;
  limits: TenantLimits;
}

const DEFAULTS: TenantLimits = { requestsPerMinute: QUOTAS.requests_per_minute.defaultLimit };

export async function createTenantCache(parts: {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
}): Promise<TenantCache> {
  const { db, clock, counters } = parts;
  const read = (tenantId: string) => readTenant(db, tenantId);
  const tenants = new ReadThrough<KnownTenant>({ clock, read, freshMs: REMEMBERED_MS, max: TENANTS_MAX });
  const unsubscribe = await counters.subscribe(TENANT_CHANGED, (tenantId) => tenants.forget(tenantId));
  return {
    find: async (tenantId) => (await tenants.find(tenantId))?.tenant,
    limitsOf: async ({ tenantId }) => (await tenants.find(tenantId))?.limits ?? DEFAULTS,
    close: unsubscribe,
  };
}

/** To be called after the change is committed; a message that is lost costs ten seconds. */
export const tellTenantChanged = (counters: Pick<Counters, "publish">, tenantId: string): Promise<void> =>
  counters.publish(TENANT_CHANGED, tenantId).catch(() => undefined);

async function readTenant(db: PrismaClient, id: string): Promise<KnownTenant | undefined> {
  const rate = { where: { resource: "requests_per_minute" } } as const;
  const row = await db.tenant.findUnique({ where: { id }, include: { quotas: rate } });
  if (!row) return undefined;
  const [lifted] = row.quotas;
  return { tenant: toTenant(row), limits: lifted ? { requestsPerMinute: Number(lifted.limit) } : DEFAULTS };
}
