import { z } from "zod";
import type { Tenant as TenantRow } from "../../engines/postgres/generated/client";
import { toWire } from "../../kernel/to-wire";

export const Tenant = z.object({ id: z.string(), name: z.string(), is_demo: z.boolean(), created_at: z.string() });
export type Tenant = z.output<typeof Tenant>;

export const toTenant = (row: TenantRow): Tenant => toWire(Tenant, row, {});
