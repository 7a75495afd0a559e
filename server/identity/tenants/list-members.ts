import { z } from "zod";
import { requirePerson } from "../actors/require-team-role";
import type { ActorCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { Member, toMember } from "./member";
import { memberExample } from "./tenant.example";

const MEMBERS_MAX = 1000;

/** Lists the members of the actor's tenant, in the order in which they joined. */
export const listMembers = personOperation({
  id: "listMembers",
  summary: "List the members of the tenant",
  access: "person",
  input: z.object({}),
  output: z.array(Member),
  example: { input: {}, output: [memberExample] },
  run: async ({ db, actor }: ActorCtx) => {
    requirePerson(actor);
    const rows = await db.membership.findMany({
      where: { tenantId: actor.tenantId },
      include: { user: { select: { email: true } } },
      orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
      take: MEMBERS_MAX,
    });
    return rows.map(toMember);
  },
});
