import type { Counters } from "../../engines/counters/counters";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { ReadThrough } from "../../kernel/read-through";
import { TENANT_CHANGED } from "../tenant-changed";
import { type Tenant, toTenant } from "./tenant";
import { REQUESTS_QUOTA } from "./tenants.quotas";

/** The longest time that a cached name or limit is used after a missed message. */
const REMEMBERED_MS = 10_000;
const TENANTS_MAX = 10_000;

/** The tenant data that requests read without a database query. */
export interface TenantCache {
  /** undefined for an unknown id. */
  find(tenantId: string): Promise<Tenant | undefined>;
  limitsOf(of: { tenantId: string }): Promise<TenantLimits>;
  close(): Promise<void>;
}

export interface TenantLimits {
  /** The sustained rate, per key and per person. */
  requestsPerMinute: number;
}

interface KnownTenant {
  tenant: Tenant;
  limits: TenantLimits;
}

const DEFAULTS: TenantLimits = { requestsPerMinute: REQUESTS_QUOTA.defaultLimit };

export interface TenantCacheParts {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
}

export async function createTenantCache({ db, clock, counters }: TenantCacheParts): Promise<TenantCache> {
  const read = (tenantId: string) => readTenant(db, tenantId);
  const tenants = new ReadThrough<KnownTenant>({ clock, read, freshMs: REMEMBERED_MS, max: TENANTS_MAX });
  const unsubscribe = await counters.subscribe(TENANT_CHANGED, (tenantId) => tenants.forget(tenantId));
  return {
    find: async (tenantId) => (await tenants.find(tenantId))?.tenant,
    limitsOf: async ({ tenantId }) => (await tenants.find(tenantId))?.limits ?? DEFAULTS,
    close: unsubscribe,
  };
}

async function readTenant(db: PrismaClient, id: string): Promise<KnownTenant | undefined> {
  const rate = { where: { resource: "requests_per_minute" } } as const;
  const row = await db.tenant.findUnique({ where: { id }, include: { quotas: rate } });
  if (!row) return undefined;
  const [lifted] = row.quotas;
  return { tenant: toTenant(row), limits: lifted ? { requestsPerMinute: Number(lifted.limit) } : DEFAULTS };
}
