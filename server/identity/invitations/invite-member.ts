import { z } from "zod";
import type { EmailText } from "../../engines/mail/mail";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { sha256 } from "../../kernel/secrets";
import { requireTeamRole } from "../actors/require-team-role";
import { take } from "../attempts";
import { recordAudit } from "../audit/record-audit";
import { newEvent } from "../events/record-event";
import { personOperation } from "../identity-operation";
import { RoleName } from "../tenants/member";
import { newToken } from "../users/auth-token";
import { linkTo } from "../users/email-templates";
import { Email } from "../users/user";
import { INVITATION_LIFE_MS, Invitation, invitationTarget, openAt, toInvitation } from "./invitation";
import { invitationCreated } from "./invitation.events";
import { invitationExample } from "./invitation.example";
import type { TeamCtx } from "./team-ctx";

export const InviteMember = z.object({ email: Email, role: RoleName.default("member") });
type InviteMemberInput = z.output<typeof InviteMember>;

const InvitedMember = z.object({
  invitation: Invitation,
  link: z.string().nullable().describe("The link to give to the person, when this installation sends no email"),
});

/**
 * Invites an address to the actor's tenant for seven days; an open invitation for the same address ends. Throws
 * `conflict` for a member, `forbidden` for an actor who may not change the team or add an owner.
 */
export const inviteMember = personOperation({
  id: "inviteMember",
  summary: "Invite a person into the tenant",
  access: "person",
  input: InviteMember,
  output: InvitedMember,
  example: {
    input: { email: invitationExample.email, role: "member" },
    output: { invitation: invitationExample, link: null },
  },
  run: async (ctx: TeamCtx, input) => {
    requireTeamRole(ctx.actor, [input.role]);
    await take(ctx, "invitations", ctx.actor.tenantId);
    await refuseMember(ctx, input.email);
    const token = newToken();
    const link = linkTo(ctx.publicUrl, "invitation", token);
    const invitation = await replaceInvitation(ctx, input, token);
    return { invitation, link: ctx.mail.delivery === "none" ? link : null };
  },
});

async function refuseMember({ db, actor }: TeamCtx, email: string): Promise<void> {
  const member = await db.membership.findFirst({ where: { tenantId: actor.tenantId, user: { email } } });
  if (member) throw new ServiceError("conflict", `${email} is already a member.`, { param: "email" });
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
        isEmailed: mail.delivery !== "none",
        createdAt: now,
        expiresAt: new Date(now.getTime() + INVITATION_LIFE_MS),
      },
    });
    const message = invitationEmail(email, tenant.name, linkTo(publicUrl, "invitation", token));
    await mail.send(tx, { ...message, tenantId });
    const targets = [invitationTarget(invitation)];
    const events = [newEvent(invitationCreated, toInvitation(invitation))];
    await recordAudit(tx, ctx, { action: "invitation.created", targets, details: { role }, events });
    return toInvitation(invitation);
  });
}

const invitationEmail = (email: string, tenantName: string, link: string): EmailText => ({
  to: email,
  subject: `You have been invited to join ${tenantName}`,
  text: `Open this link within seven days to join ${tenantName}:

${link}

If you did not expect this invitation, ignore this email.
`,
});
