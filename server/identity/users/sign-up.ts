import { z } from "zod";
import { Prisma, type User } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { takeForAddress } from "../attempts";
import { appendAudit } from "../audit/record-audit";
import type { VisitorCtx } from "../identity-ctx";
import { claimInvitation, findInvitation, memberJoined, type OpenInvitation } from "../invitations/claim-invitation";
import { openSession, type SignedIn } from "../sessions/open-session";
import { createTenant } from "../tenants/create-tenant";
import { NameText } from "../wire-text";
import { issueToken } from "./auth-token";
import { verificationLetter } from "./letters";
import { Email, Password, userTarget } from "./user";

export const SignUp = z.object({
  email: Email,
  password: Password,
  tenant_name: NameText.optional(),
  invitation_token: z.string().optional(),
});
type SignUpInput = z.output<typeof SignUp>;

/**
 * Makes an account and logs it in. An invitation into a tenant joins that tenant; otherwise the account gets a tenant of
 * its own, named after the part of the address before the @ unless told, with a project `default`. Throws `forbidden`
 * when signing up takes an invitation, `conflict` when the address has an account, `invalid_request` for an invitation
 * that is used, old or somebody else's.
 */
export async function signUp(ctx: VisitorCtx, input: SignUpInput): Promise<SignedIn> {
  await takeForAddress(ctx, "signUpAddress");
  const invitation = await invitationOf(ctx, input);
  const passwordHash = await ctx.hasher.hash(input.password);
  const { user, tenantId } = await ctx.db
    .$transaction((tx) => createAccount(ctx, tx, { ...input, passwordHash, invitation }))
    .catch(refuseTakenEmail);
  return openSession(ctx, user, tenantId);
}

async function invitationOf(ctx: VisitorCtx, input: SignUpInput): Promise<OpenInvitation | undefined> {
  if (input.invitation_token !== undefined) {
    return findInvitation(ctx, { token: input.invitation_token, email: input.email, param: "invitation_token" });
  }
  if ((await ctx.signUpMode.current()) === "open") return undefined;
  throw new ServiceError("forbidden", "Signing up takes an invitation; ask the operator of this site for one.", {
    details: { reason: "signup_closed" },
  });
}

interface NewAccount extends SignUpInput {
  passwordHash: string;
  invitation: OpenInvitation | undefined;
}

async function createAccount(
  { clock, mail, publicUrl, request }: VisitorCtx,
  tx: Prisma.TransactionClient,
  { email, passwordHash, tenant_name, invitation }: NewAccount,
): Promise<{ user: User; tenantId: string }> {
  const now = clock.now();
  const user = await tx.user.create({
    data: { id: newId("usr", now.getTime()), email, passwordHash, createdAt: now },
  });
  const { token } = await issueToken(tx, { userId: user.id, kind: "verify_email", now });
  await mail.send(tx, verificationLetter({ publicUrl, email, token }));
  if (invitation) await claimInvitation(tx, { invitation, userId: user.id, now });
  const origin = { at: now, actor: { type: "user", id: user.id }, request } as const;
  if (invitation?.tenantId) {
    const { tenantId } = invitation;
    await appendAudit(tx, { ...origin, tenantId }, memberJoined(user, invitation));
    return { user, tenantId };
  }
  const name = tenant_name ?? email.slice(0, email.indexOf("@")).slice(0, 100);
  const { tenant } = await createTenant(tx, { ownerId: user.id, name, now });
  const targets = [{ type: "tenant", id: tenant.id, name }, userTarget(user)];
  await appendAudit(tx, { ...origin, tenantId: tenant.id }, { action: "tenant.created", targets });
  return { user, tenantId: tenant.id };
}

function refuseTakenEmail(cause: unknown): never {
  if (cause instanceof Prisma.PrismaClientKnownRequestError && cause.code === "P2002") {
    throw new ServiceError("conflict", "This email has an account already: log in, or set a new password.", {
      param: "email",
      details: { reason: "email_taken" },
    });
  }
  throw cause;
}
