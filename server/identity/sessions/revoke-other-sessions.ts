import { z } from "zod";
import { announceAccessChange } from "../access-changed";
import { appendForUser } from "../audit/append-for-user";
import type { PersonCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { endLogIns } from "../log-ins/end-log-ins";

/** Ends all sessions of the person, in browsers and through the API, except the calling one. */
export const revokeOtherSessions = personOperation({
  id: "revokeOtherSessions",
  summary: "Revoke all your other sessions",
  access: "person",
  input: z.object({}),
  output: z.object({ ended_sessions: z.int() }),
  example: { input: {}, output: { ended_sessions: 2 } },
  run: async ({ db, clock, actor, counters, request }: PersonCtx) => {
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
  },
});
