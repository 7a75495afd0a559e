import { z } from "zod";
import type { Role } from "../actors/actor";
import type { PersonCtx } from "../identity-ctx";
import { type Tenant, toTenant } from "./tenant";

export const ListTenants = z.object({});

type JoinedTenant = Tenant & { role: Role; current: boolean };

/** Every tenant that the person belongs to, in the order of joining. */
export async function listTenants(
  { db, actor }: PersonCtx,
  _input: z.output<typeof ListTenants>,
): Promise<JoinedTenant[]> {
  const rows = await db.membership.findMany({
    where: { userId: actor.userId },
    include: { tenant: true },
    orderBy: [{ createdAt: "asc" }, { tenantId: "asc" }],
  });
  return rows.map(({ tenant, role }) => ({ ...toTenant(tenant), role, current: tenant.id === actor.tenantId }));
}
