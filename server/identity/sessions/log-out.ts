import { z } from "zod";
import { recordAudit } from "../audit/record-audit";
import type { PersonCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";

/** Ends the calling session; the returned cookie clears the one of the browser. */
export const logOut = personOperation({
  id: "endBrowserSession",
  summary: "Log out of the dashboard",
  access: "person",
  input: z.object({}),
  output: z.looseObject({}),
  example: { input: {}, output: {} },
  usesCookie: true,
  run: async (ctx: PersonCtx) => {
    const { db, lucia, actor } = ctx;
    await db.$transaction(async (tx) => {
      const { count } = await tx.session.deleteMany({ where: { id: actor.sessionId, userId: actor.userId } });
      if (count === 0) return;
      await recordAudit(tx, ctx, { action: "session.ended", targets: [{ type: "session", id: actor.sessionId }] });
    });
    return { cookie: lucia.createBlankSessionCookie().serialize() };
  },
});
