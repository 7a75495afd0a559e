import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { requireTeamRole } from "../actors/require-team-role";
import { recordAudit } from "../audit/record-audit";
import type { ActorCtx } from "../identity-ctx";
import { IdText } from "../wire-text";
import { invitationTarget, openAt } from "./invitation";

export const RevokeInvitation = z.object({ invitation_id: IdText });

/** Makes an open invitation of the actor's tenant useless. Throws `not_found` for any other. */
export async function revokeInvitation(ctx: ActorCtx, input: z.output<typeof RevokeInvitation>): Promise<void> {
  const { db, clock, actor } = ctx;
  requireTeamRole(actor);
  const now = clock.now();
  await db.$transaction(async (tx) => {
    const [invitation] = await tx.invitation.updateManyAndReturn({
      where: { id: input.invitation_id, tenantId: actor.tenantId, ...openAt(now) },
      data: { revokedAt: now },
    });
    if (!invitation) throw notFound("open invitation", input.invitation_id);
    await recordAudit(tx, ctx, { action: "invitation.revoked", targets: [invitationTarget(invitation)] });
  });
}
