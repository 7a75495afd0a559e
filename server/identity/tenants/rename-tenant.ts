import { z } from "zod";
import { requireTeamRole } from "../actors/require-team-role";
import { recordUpdate } from "../audit/record-update";
import type { KeyCtx } from "../identity-ctx";
import { NameText } from "../wire-text";
import { type Tenant, toTenant } from "./tenant";
import { lockTenant } from "./tenant.sql";
import { tellTenantChanged } from "./tenant-cache";

export const RenameTenant = z.object({ name: NameText });

/** Gives the actor's tenant another name. Owners and admins only. */
export async function renameTenant(ctx: KeyCtx, { name }: z.output<typeof RenameTenant>): Promise<Tenant> {
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
  await tellTenantChanged(ctx.counters, renamed.id);
  return renamed;
}
