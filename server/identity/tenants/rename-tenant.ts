import { z } from "zod";
import { requireTeamRole } from "../actors/require-team-role";
import { recordUpdate } from "../audit/record-update";
import type { KeyCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { publishTenantChange } from "../tenant-changed";
import { NameText } from "../wire-text";
import { Tenant, toTenant } from "./tenant";
import { tenantExample } from "./tenant.example";
import { lockTenant } from "./tenant.sql";

/** Renames the actor's tenant. For owners and admins only. */
export const renameTenant = personOperation({
  id: "renameTenant",
  summary: "Rename the tenant",
  access: "person",
  input: z.object({ name: NameText }),
  output: Tenant,
  example: { input: { name: "Fjell AS" }, output: { ...tenantExample, name: "Fjell AS" } },
  run: async (ctx: KeyCtx, { name }) => {
    const { db, actor } = ctx;
    requireTeamRole(actor);
    const where = { id: actor.tenantId };
    const renamed = await db.$transaction(async (tx) => {
      await lockTenant(tx, where.id);
      const before = toTenant(await tx.tenant.findUniqueOrThrow({ where }));
      const after = toTenant(await tx.tenant.update({ where, data: { name } }));
      await recordUpdate(tx, ctx, { target: { type: "tenant", id: after.id, name }, before, after });
      return after;
    });
    await publishTenantChange(ctx.counters, renamed.id);
    return renamed;
  },
});
