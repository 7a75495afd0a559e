import { z } from "zod";
import { requirePerson } from "../actors/require-team-role";
import type { ActorCtx } from "../identity-ctx";
import { type Member, toMember } from "./member";

const MEMBERS_MAX = 1000;

export const ListMembers = z.object({});

/** Who belongs to the actor's tenant, in the order of joining. */
export async function listMembers({ db, actor }: ActorCtx, _input: z.output<typeof ListMembers>): Promise<Member[]> {
  requirePerson(actor);
  const rows = await db.membership.findMany({
    where: { tenantId: actor.tenantId },
    include: { user: { select: { email: true } } },
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    take: MEMBERS_MAX,
  });
  return rows.map(toMember);
}
