import type { Invitation, Prisma, Tenant } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { sha256 } from "../../kernel/secrets";
import type { Change } from "../audit/record-audit";
import type { AccountCtx } from "../identity-ctx";
import { userTarget } from "../users/user";
import { invitationTarget, openAt } from "./invitation";

export type OpenInvitation = Invitation & { tenant: Tenant | null };

interface FindInvitation {
  token: string;
  /** Who wants to accept; undefined only looks. */
  email?: string;
  /** The field that carried the token. */
  param?: string;
}

/** The open invitation of a token. Throws `invalid_request` when it is used, old, revoked or for another address. */
export async function findInvitation(
  { db, clock }: Pick<AccountCtx, "db" | "clock">,
  { token, email, param = "token" }: FindInvitation,
): Promise<OpenInvitation> {
  const invitation = await db.invitation.findFirst({
    where: { tokenHash: sha256(token), ...openAt(clock.now()) },
    include: { tenant: true },
  });
  if (!invitation) throw badInvitation(param);
  if (email !== undefined && email !== invitation.email) {
    throw new ServiceError("invalid_request", `This invitation is for ${invitation.email}; use that address.`, {
      param,
      details: { reason: "invitation_for_another" },
    });
  }
  return invitation;
}

/** Uses an invitation up and joins its tenant, if it has one: of any number of callers at once exactly one does. */
export async function claimInvitation(
  tx: Prisma.TransactionClient,
  { invitation, userId, now }: { invitation: OpenInvitation; userId: string; now: Date },
): Promise<void> {
  const { count } = await tx.invitation.updateMany({
    where: { id: invitation.id, ...openAt(now) },
    data: { acceptedAt: now },
  });
  if (count === 0) throw badInvitation();
  if (invitation.tenantId === null) return;
  await tx.membership.create({
    data: { userId, tenantId: invitation.tenantId, role: invitation.role, createdAt: now },
  });
}

/** What the audit log says of somebody who took an invitation into a tenant. */
export const memberJoined = (user: { id: string; email: string }, invitation: OpenInvitation): Change => ({
  action: "member.joined",
  targets: [userTarget(user), invitationTarget(invitation)],
  details: { role: invitation.role },
});

const badInvitation = (param?: string): ServiceError =>
  new ServiceError("invalid_request", "This invitation was used, revoked or is too old; ask for a new one.", {
    ...(param === undefined ? {} : { param }),
    details: { reason: "invitation_invalid" },
  });
