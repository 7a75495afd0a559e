import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { recordAudit } from "../audit/record-audit";
import type { PersonCtx } from "../identity-ctx";
import { type Tenant, toTenant } from "../tenants/tenant";
import { IdText } from "../wire-text";

export const SwitchTenant = z.object({ tenant_id: IdText });

/** Moves this session to another tenant that the person belongs to. Throws `not_found` for any other. */
export async function switchTenant(ctx: PersonCtx, input: z.output<typeof SwitchTenant>): Promise<Tenant> {
  const { db, actor } = ctx;
  const membership = await db.membership.findUnique({
    where: { userId_tenantId: { userId: actor.userId, tenantId: input.tenant_id } },
    include: { tenant: true },
  });
  if (!membership) throw notFound("tenant", input.tenant_id);
  const { tenantId } = membership;
  await db.$transaction(async (tx) => {
    await tx.session.updateMany({ where: { id: actor.sessionId }, data: { tenantId } });
    const there = { ...ctx, actor: { ...actor, tenantId } };
    const targets = [{ type: "session", id: actor.sessionId }];
    await recordAudit(tx, there, { action: "user.signed_in", targets, details: { kind: "dashboard" } });
  });
  return toTenant(membership.tenant);
}
