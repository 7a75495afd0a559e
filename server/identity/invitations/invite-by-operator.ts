import { z } from "zod";
import { newId } from "../../kernel/ids";
import { sha256 } from "../../kernel/secrets";
import type { AccountCtx } from "../identity-ctx";
import { newToken } from "../users/auth-token";
import { linkTo } from "../users/email-templates";
import { Email } from "../users/user";
import { INVITATION_LIFE_MS, openAt } from "./invitation";

export const InviteByOperator = z.object({ email: Email });

interface OperatorInvitation {
  email: string;
  link: string;
  expires_at: string;
}

/**
 * Creates a sign-up link for seven days, for installations where sign-up requires an invitation. It replaces an older
 * one for the same address.
 */
export async function inviteByOperator(
  { db, clock, publicUrl }: Pick<AccountCtx, "db" | "clock" | "publicUrl">,
  { email }: z.output<typeof InviteByOperator>,
): Promise<OperatorInvitation> {
  const now = clock.now();
  const token = newToken();
  const expiresAt = new Date(now.getTime() + INVITATION_LIFE_MS);
  await db.$transaction(async (tx) => {
    await tx.invitation.updateMany({ where: { tenantId: null, email, ...openAt(now) }, data: { revokedAt: now } });
    await tx.invitation.create({
      data: {
        id: newId("inv", now.getTime()),
        email,
        role: "owner",
        tokenHash: sha256(token),
        createdAt: now,
        expiresAt,
      },
    });
  });
  return { email, link: linkTo(publicUrl, "invitation", token), expires_at: expiresAt.toISOString() };
}
