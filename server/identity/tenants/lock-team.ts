import type { Prisma } from "../../engines/postgres/generated/client";
import { notFound, ServiceError } from "../../kernel/errors";
import type { PersonActor } from "../../operation/actor";
import { type Member, toMember } from "./member";
import { lockTenant } from "./tenant.sql";

interface LockedTeam {
  /** The current role of the member who changes the team. */
  actor: PersonActor;
  member: Member;
  isLastOwner: boolean;
}

/**
 * Locks the team of a tenant, then reads the roles: without the lock, two owners who demote each other at the same time
 * would leave none. Throws `not_found` when `userId` is not a member.
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
  if (!own) throw new ServiceError("forbidden", "You are no longer a member of this tenant.");
  const owners = await tx.membership.count({ where: { tenantId, role: "owner" } });
  return {
    actor: { ...actor, role: own.role },
    member: toMember(membership),
    isLastOwner: membership.role === "owner" && owners === 1,
  };
}

export const lastOwner = (): ServiceError =>
  new ServiceError("conflict", "A tenant needs at least one owner; make another member an owner first.", {
    details: { reason: "last_owner" },
  });
