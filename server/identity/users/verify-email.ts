import { z } from "zod";
import { takeForAddress } from "../attempts";
import type { VisitorCtx } from "../identity-ctx";
import { claimToken } from "./auth-token";

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
    await tx.user.updateMany({ where: { id, emailVerifiedAt: null }, data: { emailVerifiedAt: now } });
    return tx.user.findUniqueOrThrow({ where: { id }, select: { email: true } });
  });
}
