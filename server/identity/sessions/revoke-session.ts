import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { recordAudit } from "../audit/record-audit";
import type { PersonCtx } from "../identity-ctx";
import { announceAccessChange } from "../session-tokens/session-token";
import { IdText } from "../wire-text";

export const RevokeSession = z.object({ session_id: IdText });

/** Ends one of the person's own log-ins, of either kind, at once. Throws `not_found` for any other. */
export async function revokeSession(ctx: PersonCtx, input: z.output<typeof RevokeSession>): Promise<void> {
  const { db, actor, counters } = ctx;
  const where = { id: input.session_id, userId: actor.userId };
  await db.$transaction(async (tx) => {
    const found = (await tx.session.findFirst({ where })) ?? (await tx.refreshFamily.findFirst({ where }));
    const sessions = await tx.session.deleteMany({ where });
    const families = await tx.refreshFamily.deleteMany({ where });
    if (!found || sessions.count + families.count === 0) throw notFound("session", input.session_id);
    const there = { ...ctx, actor: { ...actor, tenantId: found.tenantId } };
    await recordAudit(tx, there, { action: "session.ended", targets: [{ type: "session", id: found.id }] });
  });
  await announceAccessChange(counters, actor.userId);
}
