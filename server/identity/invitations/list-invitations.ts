import { z } from "zod";
import { requireTeamRole } from "../actors/require-team-role";
import type { ActorCtx } from "../identity-ctx";
import { type Invitation, openAt, toInvitation } from "./invitation";

const INVITATIONS_MAX = 1000;

export const ListInvitations = z.object({});

/** The open invitations of the actor's tenant, newest first. */
export async function listInvitations(
  { db, clock, actor }: ActorCtx,
  _input: z.output<typeof ListInvitations>,
): Promise<Invitation[]> {
  requireTeamRole(actor);
  const rows = await db.invitation.findMany({
    where: { tenantId: actor.tenantId, ...openAt(clock.now()) },
    orderBy: { id: "desc" },
    take: INVITATIONS_MAX,
  });
  return rows.map(toInvitation);
}
