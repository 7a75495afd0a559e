import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { requireTeamRole } from "../actors/require-team-role";
import { recordAudit } from "../audit/record-audit";
import { newEvent } from "../events/record-event";
import type { ActorCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { IdText } from "../wire-text";
import { invitationTarget, openAt, toInvitation } from "./invitation";
import { invitationRevoked } from "./invitation.events";
import { invitationExample } from "./invitation.example";

/** Revokes an open invitation of the actor's tenant. Throws `not_found` for any other. */
export const revokeInvitation = personOperation({
  id: "revokeInvitation",
  summary: "Revoke an invitation",
  access: "person",
  input: z.object({ invitation_id: IdText }),
  output: z.void(),
  example: { input: { invitation_id: invitationExample.id }, output: undefined },
  run: async (ctx: ActorCtx, input) => {
    const { db, clock, actor } = ctx;
    requireTeamRole(actor);
    const now = clock.now();
    await db.$transaction(async (tx) => {
      const [invitation] = await tx.invitation.updateManyAndReturn({
        where: { id: input.invitation_id, tenantId: actor.tenantId, ...openAt(now) },
        data: { revokedAt: now },
      });
      if (!invitation) throw notFound("open invitation", input.invitation_id);
      const events = [newEvent(invitationRevoked, toInvitation(invitation))];
      await recordAudit(tx, ctx, { action: "invitation.revoked", targets: [invitationTarget(invitation)], events });
    });
  },
});
