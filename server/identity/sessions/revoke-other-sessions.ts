import { z } from "zod";
import type { PersonCtx } from "../identity-ctx";

export const RevokeOtherSessions = z.object({});

/** Ends every session of the person but the one that asks. */
export async function revokeOtherSessions(
  { db, actor }: PersonCtx,
  _input: z.output<typeof RevokeOtherSessions>,
): Promise<{ ended_sessions: number }> {
  const { count } = await db.session.deleteMany({ where: { userId: actor.userId, id: { not: actor.sessionId } } });
  return { ended_sessions: count };
}
