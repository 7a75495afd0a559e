import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { PersonCtx } from "../identity-ctx";
import { type Tenant, toTenant } from "../tenants/tenant";
import { IdText } from "../wire-text";

export const SwitchTenant = z.object({ tenant_id: IdText });

/** Moves this session to another tenant that the person belongs to. Throws `not_found` for any other. */
export async function switchTenant({ db, actor }: PersonCtx, input: z.output<typeof SwitchTenant>): Promise<Tenant> {
  const membership = await db.membership.findUnique({
    where: { userId_tenantId: { userId: actor.userId, tenantId: input.tenant_id } },
    include: { tenant: true },
  });
  if (!membership) throw notFound("tenant", input.tenant_id);
  await db.session.updateMany({ where: { id: actor.sessionId }, data: { tenantId: membership.tenantId } });
  return toTenant(membership.tenant);
}
