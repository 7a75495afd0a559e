import { z } from "zod";
import { take } from "../attempts";
import type { PersonCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { sendVerification } from "./send-verification";

/**
 * Sends another verification email; returns false when the address is verified or got too many emails, or when the
 * installation sends none.
 */
export const resendVerification = personOperation({
  id: "resendVerification",
  summary: "Send another verification email",
  access: "person",
  input: z.object({}),
  output: z.object({ sent: z.boolean() }),
  example: { input: {}, output: { sent: true } },
  run: async (ctx: PersonCtx) => {
    const { db, mail, actor } = ctx;
    await take(ctx, "mail", actor.userId);
    const user = await db.user.findUniqueOrThrow({ where: { id: actor.userId } });
    if (user.emailVerifiedAt || mail.delivery === "none") return { sent: false };
    const { tenantId } = actor;
    return { sent: await db.$transaction((tx) => sendVerification(ctx, tx, { user, tenantId })) };
  },
});
