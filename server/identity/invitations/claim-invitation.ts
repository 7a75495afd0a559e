import type { Invitation, Prisma, Tenant } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { sha256 } from "../../kernel/secrets";
import type { Change } from "../audit/record-audit";
import { newEvent } from "../events/record-event";
import type { AccountCtx } from "../identity-ctx";
import { memberJoined as memberJoinedEvent } from "../tenants/member.events";
import { findVerifiedAccount } from "../users/find-account";
import { userTarget } from "../users/user";
import { invitationTarget, openAt, toInvitation } from "./invitation";
import { invitationAccepted } from "./invitation.events";

export type OpenInvitation = Invitation & { tenant: Tenant | null };

interface FindInvitation {
  token: string;
  /** The email of the person who accepts; undefined only reads the invitation. */
  email?: string;
  /** The request field that contains the token. */
  param?: string;
}

/**
 * Returns the open invitation of a token. Throws `invalid_request` when it is used, expired, revoked or for another
 * address.
 */
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

/**
 * Marks an invitation as used and adds the user to its tenant, if it has one; only one of several concurrent calls
 * succeeds. A link that came by email verifies the user's address, unless another account has verified it; returns
 * whether it did.
 */
export async function claimInvitation(
  tx: Prisma.TransactionClient,
  { invitation, userId, now }: { invitation: OpenInvitation; userId: string; now: Date },
): Promise<boolean> {
  const { count } = await tx.invitation.updateMany({
    where: { id: invitation.id, ...openAt(now) },
    data: { acceptedAt: now },
  });
  if (count === 0) throw badInvitation();
  if (invitation.tenantId === null) return false;
  await tx.membership.create({
    data: { userId, tenantId: invitation.tenantId, role: invitation.role, createdAt: now },
  });
  if (!invitation.isEmailed || (await findVerifiedAccount(tx, invitation.email))) return false;
  await tx.user.update({ where: { id: userId }, data: { emailVerifiedAt: now } });
  return true;
}

/** The audit entry and the events for a person who joined a tenant by invitation. */
export const memberJoined = (
  user: { id: string; email: string },
  { invitation, now }: { invitation: OpenInvitation; now: Date },
): Change => {
  const { role } = invitation;
  const member = { user_id: user.id, email: user.email, role, joined_at: now.toISOString() };
  return {
    action: "member.joined",
    targets: [userTarget(user), invitationTarget(invitation)],
    details: { role },
    events: [
      newEvent(invitationAccepted, { ...toInvitation(invitation), user_id: user.id }),
      newEvent(memberJoinedEvent, member),
    ],
  };
};

const badInvitation = (param?: string): ServiceError =>
  new ServiceError("invalid_request", "This invitation was used or revoked, or it has expired; request a new one.", {
    ...(param === undefined ? {} : { param }),
    details: { reason: "invitation_invalid" },
  });
