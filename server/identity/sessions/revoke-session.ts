import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { PersonCtx } from "../identity-ctx";
import { IdText } from "../wire-text";

export const RevokeSession = z.object({ session_id: IdText });

/** Ends one of the person's own sessions at once. Throws `not_found` for any other. */
export async function revokeSession({ db, actor }: PersonCtx, input: z.output<typeof RevokeSession>): Promise<void> {
  const { count } = await db.session.deleteMany({ where: { id: input.session_id, userId: actor.userId } });
  if (count === 0) throw notFound("session", input.session_id);
}
