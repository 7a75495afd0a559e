import { z } from "zod";
import type { Letter } from "../../engines/mail/mail";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { sha256 } from "../../kernel/secrets";
import { requireTeamRole } from "../actors/require-team-role";
import { take } from "../attempts";
import { recordAudit } from "../audit/record-audit";
import type { TeamCtx } from "../identity-ctx";
import { RoleName } from "../tenants/member";
import { newToken } from "../users/auth-token";
import { linkTo } from "../users/letters";
import { Email } from "../users/user";
import { INVITATION_LIFE_MS, type Invitation, invitationTarget, openAt, toInvitation } from "./invitation";

export const InviteMember = z.object({ email: Email, role: RoleName.default("member") });
type InviteMemberInput = z.output<typeof InviteMember>;

interface InvitedMember {
  invitation: Invitation;
  /** To hand over by hand, where no mail leaves this installation. */
  link: string | null;
}

/**
 * Invites an address into the actor's tenant for seven days; an open invitation of the same address ends. Throws
 * `conflict` for a member, `forbidden` for who may not change the team or make an owner.
 */
export async function inviteMember(ctx: TeamCtx, input: InviteMemberInput): Promise<InvitedMember> {
  requireTeamRole(ctx.actor, [input.role]);
  await take(ctx, "invitations", ctx.actor.tenantId);
  await refuseMember(ctx, input.email);
  const token = newToken();
  const link = linkTo(ctx.publicUrl, "invitation", token);
  const invitation = await replaceInvitation(ctx, input, token);
  return { invitation, link: ctx.mail.delivery === "none" ? link : null };
}

async function refuseMember({ db, actor }: TeamCtx, email: string): Promise<void> {
  const member = await db.membership.findFirst({ where: { tenantId: actor.tenantId, user: { email } } });
  if (member) throw new ServiceError("conflict", `${email} is a member already.`, { param: "email" });
}

function replaceInvitation(ctx: TeamCtx, { email, role }: InviteMemberInput, token: string): Promise<Invitation> {
  const { db, clock, mail, publicUrl } = ctx;
  const { tenantId } = ctx.actor;
  const now = clock.now();
  return db.$transaction(async (tx) => {
    const tenant = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId } });
    await tx.invitation.updateMany({ where: { tenantId, email, ...openAt(now) }, data: { revokedAt: now } });
    const invitation = await tx.invitation.create({
      data: {
        id: newId("inv", now.getTime()),
        tenantId,
        email,
        role,
        tokenHash: sha256(token),
        createdAt: now,
        expiresAt: new Date(now.getTime() + INVITATION_LIFE_MS),
      },
    });
    await mail.send(tx, invitationLetter(email, tenant.name, linkTo(publicUrl, "invitation", token)));
    const targets = [invitationTarget(invitation)];
    await recordAudit(tx, ctx, { action: "invitation.created", targets, details: { role } });
    return toInvitation(invitation);
  });
}

const invitationLetter = (email: string, tenantName: string, link: string): Letter => ({
  to: email,
  subject: `You are invited to join ${tenantName}`,
  text: `Open this link within seven days to join ${tenantName}:

${link}

If you do not know who invites you, ignore this letter.
`,
});
