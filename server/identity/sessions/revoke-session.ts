import { z } from "zod";
import { notFound } from "../../kernel/errors";
import { announceAccessChange } from "../access-changed";
import { recordAudit } from "../audit/record-audit";
import type { PersonCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { IdText } from "../wire-text";
import { sessionExample } from "./session.example";

/** Ends one of the person's own sessions, of either kind. Throws `not_found` for any other. */
export const revokeSession = personOperation({
  id: "revokeSession",
  summary: "Revoke one of your sessions",
  access: "person",
  input: z.object({ session_id: IdText }),
  output: z.void(),
  example: { input: { session_id: sessionExample.id }, output: undefined },
  run: async (ctx: PersonCtx, input) => {
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
  },
});
