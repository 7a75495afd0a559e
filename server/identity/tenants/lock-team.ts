import type { Prisma } from "../../engines/postgres/generated/client";
import { notFound, ServiceError } from "../../kernel/errors";
import type { PersonActor } from "../actors/actor";
import { type Member, toMember } from "./member";
import { lockTenant } from "./tenant.sql";

interface LockedTeam {
  /** Who changes the team, as they are now. */
  actor: PersonActor;
  member: Member;
  isLastOwner: boolean;
}

/**
 * Makes changes to one tenant's team wait for each other, then reads what they decide on: two owners who demote each
 * other at once would else leave none. Throws `not_found` when `userId` is no member.
 */
export async function lockTeam(tx: Prisma.TransactionClient, actor: PersonActor, userId: string): Promise<LockedTeam> {
  const { tenantId } = actor;
  await lockTenant(tx, tenantId);
  const membership = await tx.membership.findUnique({
    where: { userId_tenantId: { userId, tenantId } },
    include: { user: { select: { email: true } } },
  });
  const own = await tx.membership.findUnique({ where: { userId_tenantId: { userId: actor.userId, tenantId } } });
  if (!membership) throw notFound("member", userId);
  if (!own) throw new ServiceError("forbidden", "You are no member of this tenant any more.");
  const owners = await tx.membership.count({ where: { tenantId, role: "owner" } });
  return {
    actor: { ...actor, role: own.role },
    member: toMember(membership),
    isLastOwner: membership.role === "owner" && owners === 1,
  };
}

export const lastOwner = (): ServiceError =>
  new ServiceError("conflict", "A tenant keeps at least one owner; make somebody else an owner first.", {
    details: { reason: "last_owner" },
  });
