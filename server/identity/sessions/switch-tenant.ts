import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { recordAudit } from "../audit/record-audit";
import type { PersonCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { Tenant, toTenant } from "../tenants/tenant";
import { tenantExample } from "../tenants/tenant.example";
import { IdText } from "../wire-text";

/** Switches this session to another tenant of the person. Throws `not_found` for any other. */
export const switchTenant = personOperation({
  id: "switchTenant",
  summary: "Switch the session to another tenant",
  access: "person",
  input: z.object({ tenant_id: IdText }),
  output: Tenant,
  example: { input: { tenant_id: tenantExample.id }, output: tenantExample },
  run: async (ctx: PersonCtx, input) => {
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
  },
});
