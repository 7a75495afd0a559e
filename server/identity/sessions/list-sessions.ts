import { z } from "zod";
import type { PersonCtx } from "../identity-ctx";
import { type Session, toSession } from "./session";

const SESSIONS_MAX = 100;

export const ListSessions = z.object({});

/** Where the person is logged in, in browsers and through the API: the newest hundred live log-ins. */
export async function listSessions(
  { db, clock, actor }: PersonCtx,
  _input: z.output<typeof ListSessions>,
): Promise<Session[]> {
  const newest = {
    where: { userId: actor.userId, expiresAt: { gt: clock.now() } },
    orderBy: [{ createdAt: "desc" as const }, { id: "asc" as const }],
    take: SESSIONS_MAX,
  };
  const [sessions, families] = await Promise.all([db.session.findMany(newest), db.refreshFamily.findMany(newest)]);
  return [
    ...sessions.map((row) => toSession(row, { kind: "dashboard", currentId: actor.sessionId })),
    ...families.map((row) => toSession(row, { kind: "api", currentId: actor.sessionId })),
  ]
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
    .slice(0, SESSIONS_MAX);
}
