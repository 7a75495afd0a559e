import { z } from "zod";
import { requirePerson, requireTeamRole } from "../actors/require-team-role";
import { changesOf } from "../audit/changes-of";
import { recordAudit } from "../audit/record-audit";
import type { KeyCtx } from "../identity-ctx";
import { announceAccessChange } from "../session-tokens/session-token";
import { IdText } from "../wire-text";
import { lastOwner, lockTeam } from "./lock-team";
import { type Member, memberTarget, RoleName } from "./member";

export const ChangeRole = z.object({ user_id: IdText, role: RoleName });

/**
 * Gives a member another role, from their next request on. Throws `forbidden` for who may not, `conflict` when it would
 * leave no owner, `not_found` for who is no member.
 */
export async function changeRole(ctx: KeyCtx, input: z.output<typeof ChangeRole>): Promise<Member> {
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
      await recordAudit(tx, ctx, { action: "member.role_changed", targets: [memberTarget(member)], details });
    }
    return { ...member, role };
  });
  await announceAccessChange(ctx.counters, userId);
  return changed;
}
