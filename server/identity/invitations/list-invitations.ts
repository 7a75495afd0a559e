import { z } from "zod";
import { requireTeamRole } from "../actors/require-team-role";
import type { ActorCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { Invitation, openAt, toInvitation } from "./invitation";
import { invitationExample } from "./invitation.example";

const INVITATIONS_MAX = 1000;

/** Lists the open invitations of the actor's tenant, newest first. */
export const listInvitations = personOperation({
  id: "listInvitations",
  summary: "List open invitations",
  access: "person",
  input: z.object({}),
  output: z.array(Invitation),
  example: { input: {}, output: [invitationExample] },
  run: async ({ db, clock, actor }: ActorCtx) => {
    requireTeamRole(actor);
    const rows = await db.invitation.findMany({
      where: { tenantId: actor.tenantId, ...openAt(clock.now()) },
      orderBy: { id: "desc" },
      take: INVITATIONS_MAX,
    });
    return rows.map(toInvitation);
  },
});
