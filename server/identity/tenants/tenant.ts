import { z } from "zod";
import type { Tenant as TenantRow } from "../../engines/postgres/generated/client";

export const Tenant = z.object({ id: z.string(), name: z.string(), is_demo: z.boolean(), created_at: z.string() });
export type Tenant = z.output<typeof Tenant>;

export const toTenant = (row: TenantRow): Tenant => ({
  id: row.id,
  name: row.name,
  is_demo: row.isDemo,
  created_at: row.createdAt.toISOString(),
});
