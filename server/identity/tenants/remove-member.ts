import { z } from "zod";
import { announceAccessChange } from "../access-changed";
import { requirePerson, requireTeamRole } from "../actors/require-team-role";
import { recordAudit } from "../audit/record-audit";
import { newEvent } from "../events/record-event";
import type { KeyCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { endLogIns } from "../log-ins/end-log-ins";
import { IdText } from "../wire-text";
import { lastOwner, lockTeam } from "./lock-team";
import { memberTarget } from "./member";
import { memberRemoved } from "./member.events";
import { memberExample } from "./tenant.example";

/**
 * Removes a member and ends their sessions in the tenant; members may remove themselves. Throws `forbidden` for an
 * actor who may not do this, `conflict` for the last owner, `not_found` when the user is not a member.
 */
export const removeMember = personOperation({
  id: "removeMember",
  summary: "Remove a member",
  access: "person",
  input: z.object({ user_id: IdText }),
  output: z.void(),
  example: { input: { user_id: memberExample.user_id }, output: undefined },
  run: async (ctx: KeyCtx, input) => {
    const userId = input.user_id;
    const person = requirePerson(ctx.actor);
    await ctx.db.$transaction(async (tx) => {
      const { actor, member, isLastOwner } = await lockTeam(tx, person, userId);
      if (userId !== actor.userId) requireTeamRole(actor, [member.role]);
      if (isLastOwner) throw lastOwner();
      const { tenantId } = actor;
      await tx.membership.delete({ where: { userId_tenantId: { userId, tenantId } } });
      await endLogIns(tx, { userId, tenantId });
      const events = [newEvent(memberRemoved, member)];
      await recordAudit(tx, ctx, { action: "member.removed", targets: [memberTarget(member)], events });
    });
    await announceAccessChange(ctx.counters, userId);
  },
});
