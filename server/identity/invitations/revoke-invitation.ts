import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { requireTeamRole } from "../actors/require-team-role";
import type { ActorCtx } from "../identity-ctx";
import { IdText } from "../wire-text";
import { openAt } from "./invitation";

export const RevokeInvitation = z.object({ invitation_id: IdText });

/** Makes an open invitation of the actor's tenant useless. Throws `not_found` for any other. */
export async function revokeInvitation(
  { db, clock, actor }: ActorCtx,
  input: z.output<typeof RevokeInvitation>,
): Promise<void> {
  requireTeamRole(actor);
  const now = clock.now();
  const { count } = await db.invitation.updateMany({
    where: { id: input.invitation_id, tenantId: actor.tenantId, ...openAt(now) },
    data: { revokedAt: now },
  });
  if (count === 0) throw notFound("open invitation", input.invitation_id);
}
