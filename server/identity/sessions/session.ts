import { z } from "zod";
import type { Session as SessionRow } from "../../engines/postgres/generated/client";
import { toWire } from "../../kernel/to-wire";

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
): Session =>
  toWire(Session, row, {
    kind,
    current: row.id === currentId,
  });
