import { z } from "zod";
import { sha256 } from "../../kernel/secrets";
import { takeForAddress } from "../attempts";
import { appendAudit } from "../audit/record-audit";
import type { VisitorCtx } from "../identity-ctx";
import { clearedRefreshCookie, presentedRefreshToken } from "./refresh-cookie";
import { announceAccessChange } from "./session-token";
import { lockFamilyOf } from "./session-tokens.sql";

export const EndSessionToken = z.strictObject({});

/**
 * Logs out: the cookie's log-in ends with its refresh tokens, used ones included, and its access tokens. Once it has
 * ended, or without a cookie, it changes nothing. Throws `forbidden` for a page of another origin.
 */
export async function endSessionToken(
  ctx: VisitorCtx,
  _input: z.output<typeof EndSessionToken>,
): Promise<{ cookie: string }> {
  const token = presentedRefreshToken(ctx);
  await takeForAddress(ctx, "refreshAddress");
  const userId = token === undefined ? undefined : await endFamilyOf(ctx, token);
  if (userId !== undefined) await announceAccessChange(ctx.counters, userId);
  return { cookie: clearedRefreshCookie(ctx) };
}

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
