import { z } from "zod";
import type { PersonCtx } from "../identity-ctx";

export const LogOut = z.object({});

/** Ends the session that asks; the cookie answered clears the browser's. */
export async function logOut(
  { db, lucia, actor }: PersonCtx,
  _input: z.output<typeof LogOut>,
): Promise<{ cookie: string }> {
  await db.session.deleteMany({ where: { id: actor.sessionId, userId: actor.userId } });
  return { cookie: lucia.createBlankSessionCookie().serialize() };
}
