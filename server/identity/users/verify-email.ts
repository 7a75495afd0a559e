import { z } from "zod";
import { takeForAddress } from "../attempts";
import { appendForUser } from "../audit/append-for-user";
import type { VisitorCtx } from "../identity-ctx";
import { claimToken } from "./auth-token";
import { userTarget } from "./user";

export const VerifyEmail = z.object({ token: z.string() });

/** Notes that the address is its owner's. Throws `invalid_request` for a token that is used, old or unknown. */
export async function verifyEmail(
  ctx: VisitorCtx,
  { token }: z.output<typeof VerifyEmail>,
): Promise<{ email: string }> {
  await takeForAddress(ctx, "tokenAddress");
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const id = await claimToken(tx, { token, kind: "verify_email", now });
    const { count } = await tx.user.updateMany({
      where: { id, emailVerifiedAt: null },
      data: { emailVerifiedAt: now },
    });
    const { email } = await tx.user.findUniqueOrThrow({ where: { id }, select: { email: true } });
    if (count > 0) {
      const origin = { userId: id, at: now, request: ctx.request };
      await appendForUser(tx, origin, { action: "user.email_verified", targets: [userTarget({ id, email })] });
    }
    return { email };
  });
}
