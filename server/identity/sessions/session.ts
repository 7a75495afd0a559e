import { z } from "zod";
import type { Session as SessionRow } from "../../engines/postgres/generated/client";

/** A session as its owner sees it; the id is not the token in the cookie. */
export const Session = z.object({
  id: z.string(),
  kind: z.enum(["dashboard", "api"]),
  current: z.boolean(),
  user_agent: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
});
export type Session = z.output<typeof Session>;

export const toSession = (
  row: Pick<SessionRow, "id" | "userAgent" | "createdAt" | "expiresAt">,
  { kind, currentId }: { kind: Session["kind"]; currentId: string },
): Session => ({
  id: row.id,
  kind,
  current: row.id === currentId,
  user_agent: row.userAgent,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
});
