import { z } from "zod";
import { requirePerson, requireTeamRole } from "../actors/require-team-role";
import { recordAudit } from "../audit/record-audit";
import type { KeyCtx } from "../identity-ctx";
import { announceAccessChange } from "../session-tokens/session-token";
import { endLogIns } from "../sessions/end-log-ins";
import { IdText } from "../wire-text";
import { lastOwner, lockTeam } from "./lock-team";
import { memberTarget } from "./member";

export const RemoveMember = z.object({ user_id: IdText });

/**
 * Takes a member out of the tenant and ends their log-ins to it; anybody may take out themselves. Throws `forbidden`
 * for who may not, `conflict` for the last owner, `not_found` for who is no member.
 */
export async function removeMember(ctx: KeyCtx, input: z.output<typeof RemoveMember>): Promise<void> {
  const userId = input.user_id;
  const person = requirePerson(ctx.actor);
  await ctx.db.$transaction(async (tx) => {
    const { actor, member, isLastOwner } = await lockTeam(tx, person, userId);
    if (userId !== actor.userId) requireTeamRole(actor, [member.role]);
    if (isLastOwner) throw lastOwner();
    const { tenantId } = actor;
    await tx.membership.delete({ where: { userId_tenantId: { userId, tenantId } } });
    await endLogIns(tx, { userId, tenantId });
    await recordAudit(tx, ctx, { action: "member.removed", targets: [memberTarget(member)] });
  });
  await announceAccessChange(ctx.counters, userId);
}
