import { z } from "zod";
import type { PersonCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { RoleName } from "./member";
import { Tenant, toTenant } from "./tenant";
import { tenantExample } from "./tenant.example";

/** A tenant and the role of the person in it; `current` marks the tenant of the session. */
const JoinedTenant = Tenant.extend({ role: RoleName, current: z.boolean() });

/** Lists every tenant of the person, in the order in which they joined. */
export const listTenants = personOperation({
  id: "listTenants",
  summary: "List the tenants of the person",
  access: "person",
  input: z.object({}),
  output: z.array(JoinedTenant),
  example: { input: {}, output: [{ ...tenantExample, role: "owner", current: true }] },
  run: async ({ db, actor }: PersonCtx) => {
    const rows = await db.membership.findMany({
      where: { userId: actor.userId },
      include: { tenant: true },
      orderBy: [{ createdAt: "asc" }, { tenantId: "asc" }],
    });
    return rows.map(({ tenant, role }) => ({ ...toTenant(tenant), role, current: tenant.id === actor.tenantId }));
  },
});
