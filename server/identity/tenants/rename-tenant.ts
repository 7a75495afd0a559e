import { z } from "zod";
import { requireTeamRole } from "../actors/require-team-role";
import type { ActorCtx } from "../identity-ctx";
import { NameText } from "../wire-text";
import { type Tenant, toTenant } from "./tenant";

export const RenameTenant = z.object({ name: NameText });

/** Gives the actor's tenant another name. Owners and admins only. */
export async function renameTenant({ db, actor }: ActorCtx, { name }: z.output<typeof RenameTenant>): Promise<Tenant> {
  requireTeamRole(actor);
  return toTenant(await db.tenant.update({ where: { id: actor.tenantId }, data: { name } }));
}
