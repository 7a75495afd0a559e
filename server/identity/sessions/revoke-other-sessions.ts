import { z } from "zod";
import { appendForUser } from "../audit/append-for-user";
import type { PersonCtx } from "../identity-ctx";
import { announceAccessChange } from "../session-tokens/session-token";
import { endLogIns } from "./end-log-ins";

export const RevokeOtherSessions = z.object({});

/** Logs the person out everywhere, in browsers and through the API, but where they ask it. */
export async function revokeOtherSessions(
  { db, clock, actor, counters, request }: PersonCtx,
  _input: z.output<typeof RevokeOtherSessions>,
): Promise<{ ended_sessions: number }> {
  const { userId, sessionId } = actor;
  const ended = await db.$transaction(async (tx) => {
    const ended_sessions = await endLogIns(tx, { userId, keptId: sessionId });
    if (ended_sessions > 0) {
      const change = {
        action: "user.sessions_ended",
        targets: [{ type: "user", id: userId }],
        details: { ended_sessions },
      };
      await appendForUser(tx, { userId, at: clock.now(), request }, change);
    }
    return { ended_sessions };
  });
  await announceAccessChange(counters, userId);
  return ended;
}
