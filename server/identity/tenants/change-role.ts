import { z } from "zod";
import { announceAccessChange } from "../access-changed";
import { requirePerson, requireTeamRole } from "../actors/require-team-role";
import { changesOf } from "../audit/changes-of";
import { recordAudit } from "../audit/record-audit";
import { newEvent } from "../events/record-event";
import type { KeyCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { IdText } from "../wire-text";
import { lastOwner, lockTeam } from "./lock-team";
import { Member, memberTarget, RoleName } from "./member";
import { memberRoleChanged } from "./member.events";
import { memberExample } from "./tenant.example";

/**
 * Changes the role of a member, from their next request on. Throws `forbidden` for an actor who may not do this,
 * `conflict` when no owner would be left, `not_found` when the user is not a member.
 */
export const changeRole = personOperation({
  id: "changeRole",
  summary: "Change the role of a member",
  access: "person",
  input: z.object({ user_id: IdText, role: RoleName }),
  output: Member,
  example: { input: { user_id: memberExample.user_id, role: "admin" }, output: { ...memberExample, role: "admin" } },
  run: async (ctx: KeyCtx, input) => {
    const { user_id: userId, role } = input;
    const person = requirePerson(ctx.actor);
    const changed = await ctx.db.$transaction(async (tx) => {
      const { actor, member, isLastOwner } = await lockTeam(tx, person, userId);
      requireTeamRole(actor, [member.role, role]);
      if (isLastOwner && role !== "owner") throw lastOwner();
      const key = { userId_tenantId: { userId, tenantId: actor.tenantId } };
      await tx.membership.update({ where: key, data: { role } });
      if (role !== member.role) {
        const details = { changes: changesOf({ role: member.role }, { role }) };
        const events = [newEvent(memberRoleChanged, { ...member, role, previous_role: member.role })];
        await recordAudit(tx, ctx, { action: "member.role_changed", targets: [memberTarget(member)], details, events });
      }
      return { ...member, role };
    });
    await announceAccessChange(ctx.counters, userId);
    return changed;
  },
});
