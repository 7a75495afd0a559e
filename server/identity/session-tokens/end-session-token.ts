import { z } from "zod";
import { sha256 } from "../../kernel/secrets";
import { announceAccessChange } from "../access-changed";
import { takeForAddress } from "../attempts";
import { appendAudit } from "../audit/record-audit";
import type { VisitorCtx } from "../identity-ctx";
import { publicOperation } from "../identity-operation";
import { clearedRefreshCookie, presentedRefreshToken } from "../log-ins/refresh-cookie";
import { lockFamilyOf } from "./session-tokens.sql";

/**
 * Logs out: ends the session of the cookie with all its refresh and access tokens. Changes nothing without a cookie or
 * for an ended session. Throws `forbidden` for a page of another origin.
 */
export const endSessionToken = publicOperation({
  id: "logOut",
  summary: "Log out: end the session of the refresh cookie and its access tokens",
  access: "public",
  result: "none",
  input: z.strictObject({}),
  output: z.looseObject({}),
  example: { input: {}, output: {} },
  usesCookie: true,
  run: async (ctx: VisitorCtx) => {
    const token = presentedRefreshToken(ctx);
    await takeForAddress(ctx, "refreshAddress");
    const userId = token === undefined ? undefined : await endFamilyOf(ctx, token);
    if (userId !== undefined) await announceAccessChange(ctx.counters, userId);
    return { cookie: clearedRefreshCookie(ctx) };
  },
});

const endFamilyOf = ({ db, clock, request }: VisitorCtx, token: string): Promise<string | undefined> =>
  db.$transaction(async (tx) => {
    const family = await lockFamilyOf(tx, sha256(token));
    if (!family) return undefined;
    const { id, userId, tenantId } = family;
    await tx.refreshFamily.delete({ where: { id } });
    await appendAudit(
      tx,
      { tenantId, at: clock.now(), actor: { type: "user", id: userId }, request },
      { action: "session.ended", targets: [{ type: "session", id }] },
    );
    return userId;
  });
