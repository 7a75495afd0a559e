import { z } from "zod";
import type { Prisma, User as UserRow } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { takeForAddress } from "../attempts";
import { appendAudit } from "../audit/record-audit";
import type { VisitorCtx } from "../identity-ctx";
import { publicOperation } from "../identity-operation";
import { claimInvitation, findInvitation, memberJoined, type OpenInvitation } from "../invitations/claim-invitation";
import { openSession } from "../sessions/open-session";
import { createTenant } from "../tenants/create-tenant";
import { Tenant } from "../tenants/tenant";
import { tenantExample } from "../tenants/tenant.example";
import { sendVerification } from "../users/send-verification";
import { Email, emailVerified, Password, User, userTarget } from "../users/user";
import { passwordExample, userExample } from "../users/user.example";
import { NameText } from "../wire-text";

export const SignUp = z.object({
  email: Email,
  password: Password,
  tenant_name: NameText.optional(),
  invitation_token: z.string().optional(),
});
type SignUpInput = z.output<typeof SignUp>;

/**
 * Creates an account and logs it in. Without an invitation its address is unverified, and it makes no difference whether
 * the address already has an account: response and work are the same, and only an email to the address tells the owner.
 * An invitation into a tenant joins it and, if it was emailed, verifies the address; otherwise the account gets its own
 * tenant, by default named after the local part of the address, with a project `default`. Throws `forbidden` when
 * sign-up requires an invitation, `invalid_request` for one that is used, expired or for another address.
 */
export const signUp = publicOperation({
  id: "signUp",
  summary: "Sign up and open a browser session",
  access: "public",
  input: SignUp,
  output: z.object({ user: User, tenant: Tenant }),
  example: {
    input: { email: userExample.email, password: passwordExample },
    output: { user: userExample, tenant: tenantExample },
  },
  usesCookie: true,
  run: async (ctx: VisitorCtx, input) => {
    await takeForAddress(ctx, "signUpAddress");
    const invitation = await invitationOf(ctx, input);
    const passwordHash = await ctx.hasher.hash(input.password);
    const { user, tenantId } = await ctx.db.$transaction((tx) =>
      createAccount(ctx, tx, { ...input, passwordHash, invitation }),
    );
    return openSession(ctx, user, tenantId);
  },
});

async function invitationOf(ctx: VisitorCtx, input: SignUpInput): Promise<OpenInvitation | undefined> {
  if (input.invitation_token !== undefined) {
    return findInvitation(ctx, { token: input.invitation_token, email: input.email, param: "invitation_token" });
  }
  if ((await ctx.signUpMode.current()) === "open") return undefined;
  throw new ServiceError("forbidden", "Signing up requires an invitation; ask the operator of this site for one.", {
    details: { reason: "signup_closed" },
  });
}

interface NewAccount extends SignUpInput {
  passwordHash: string;
  invitation: OpenInvitation | undefined;
}

async function createAccount(
  ctx: VisitorCtx,
  tx: Prisma.TransactionClient,
  { email, passwordHash, tenant_name, invitation }: NewAccount,
): Promise<{ user: UserRow; tenantId: string }> {
  const now = ctx.clock.now();
  const user = await tx.user.create({
    data: { id: newId("usr", now.getTime()), email, passwordHash, createdAt: now },
  });
  const isVerified = invitation !== undefined && (await claimInvitation(tx, { invitation, userId: user.id, now }));
  const name = tenant_name ?? email.slice(0, email.indexOf("@")).slice(0, 100);
  const joined = invitation?.tenantId;
  const tenantId = joined ?? (await createTenant(tx, { ownerId: user.id, name, now })).tenant.id;
  if (!isVerified) await sendVerification(ctx, tx, { user, tenantId });
  const origin = { tenantId, at: now, actor: { type: "user", id: user.id }, request: ctx.request } as const;
  const targets = [{ type: "tenant", id: tenantId, name }, userTarget(user)];
  const change = invitation && joined ? memberJoined(user, { invitation, now }) : { action: "tenant.created", targets };
  await appendAudit(tx, origin, change);
  if (!isVerified) return { user, tenantId };
  await appendAudit(tx, origin, emailVerified(user));
  return { user: { ...user, emailVerifiedAt: now }, tenantId };
}
