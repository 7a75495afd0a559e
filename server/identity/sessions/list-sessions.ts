import { z } from "zod";
import type { PersonCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { Session, toSession } from "./session";
import { sessionExample } from "./session.example";

const SESSIONS_MAX = 100;

/** Lists the newest hundred active sessions of the person, in browsers and through the API. */
export const listSessions = personOperation({
  id: "listSessions",
  summary: "List your sessions",
  access: "person",
  input: z.object({}),
  output: z.array(Session),
  example: { input: {}, output: [sessionExample] },
  run: async ({ db, clock, actor }: PersonCtx) => {
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
  },
});
