import { z } from "zod";
import { Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { EXAMPLE_TOKEN } from "../../operation/example";
import { takeForAddress } from "../attempts";
import { appendForUser } from "../audit/append-for-user";
import type { VisitorCtx } from "../identity-ctx";
import { publicOperation } from "../identity-operation";
import { claimToken } from "./auth-token";
import { emailVerified } from "./user";
import { userExample } from "./user.example";

export const VerifyEmail = z.object({ token: z.string() });

/**
 * Marks the address as verified. Throws `invalid_request` for a token that is used, expired or unknown, `conflict` when
 * another account has verified the address.
 */
export const verifyEmail = publicOperation({
  id: "verifyEmail",
  summary: "Verify an email address",
  access: "public",
  input: VerifyEmail,
  output: z.object({ email: z.string() }),
  example: { input: { token: EXAMPLE_TOKEN }, output: { email: userExample.email } },
  run: async (ctx: VisitorCtx, { token }) => {
    await takeForAddress(ctx, "tokenAddress");
    const now = ctx.clock.now();
    const verified = ctx.db.$transaction(async (tx) => {
      const id = await claimToken(tx, { token, kind: "verify_email", now });
      const { count } = await tx.user.updateMany({
        where: { id, emailVerifiedAt: null },
        data: { emailVerifiedAt: now },
      });
      const { email } = await tx.user.findUniqueOrThrow({ where: { id }, select: { email: true } });
      if (count > 0) {
        const origin = { userId: id, at: now, request: ctx.request };
        await appendForUser(tx, origin, emailVerified({ id, email }));
      }
      return { email };
    });
    return verified.catch(refuseTaken);
  },
});

function refuseTaken(cause: unknown): never {
  if (cause instanceof Prisma.PrismaClientKnownRequestError && cause.code === "P2002") {
    throw new ServiceError("conflict", "Another account has confirmed this address already: log in to that one.", {
      details: { reason: "email_taken" },
    });
  }
  throw cause;
}
