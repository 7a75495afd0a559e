import { z } from "zod";
import { recordAudit } from "../audit/record-audit";
import type { PersonCtx } from "../identity-ctx";

export const LogOut = z.object({});

/** Ends the session that asks; the cookie answered clears the browser's. */
export async function logOut(ctx: PersonCtx, _input: z.output<typeof LogOut>): Promise<{ cookie: string }> {
  const { db, lucia, actor } = ctx;
  await db.$transaction(async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { id: actor.sessionId, userId: actor.userId } });
    if (count === 0) return;
    await recordAudit(tx, ctx, { action: "session.ended", targets: [{ type: "session", id: actor.sessionId }] });
  });
  return { cookie: lucia.createBlankSessionCookie().serialize() };
}
