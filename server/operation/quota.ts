import type { Prisma } from "../engines/postgres/generated/client";

/** A limit of a tenant. Each product declares its own limits, and the account system applies them. */
export interface QuotaDefinition {
  /** The name of the limit in the API. */
  resource: string;
  unit: string;
  description: string;
  defaultLimit: number;
  /** The values that an operator may set; null: the limit is fixed. */
  liftable: { min: number; max: number } | null;
  /** The current usage of a tenant; null for a rate, which has none. */
  used: ((tx: Prisma.TransactionClient, of: UsageOf) => Promise<number>) | null;
  /** What to do when the limit is reached. */
  remedy: string;
}

export interface UsageOf {
  tenantId: string;
  now: Date;
}

/** A limit on a countable resource of a tenant, checked when one is created. */
export type CountedQuota = QuotaDefinition & { used: NonNullable<QuotaDefinition["used"]> };
