import { z } from "zod";
import type { PersonCtx } from "../identity-ctx";
import { type Session, toSession } from "./session";

const SESSIONS_MAX = 100;

export const ListSessions = z.object({});

/** Where the person is logged in: the newest hundred live sessions. */
export async function listSessions(
  { db, clock, actor }: PersonCtx,
  _input: z.output<typeof ListSessions>,
): Promise<Session[]> {
  const rows = await db.session.findMany({
    where: { userId: actor.userId, expiresAt: { gt: clock.now() } },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    take: SESSIONS_MAX,
  });
  return rows.map((row) => toSession(row, actor.sessionId));
}
