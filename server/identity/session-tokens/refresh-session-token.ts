import { z } from "zod";
import type { Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { sha256 } from "../../kernel/secrets";
import { takeForAddress } from "../attempts";
import { appendAudit } from "../audit/record-audit";
import type { VisitorCtx } from "../identity-ctx";
import { newToken } from "../users/auth-token";
import { issueSession } from "./create-session-token";
import { judgeRefresh, type RefreshVerdict } from "./judge-refresh";
import { clearedRefreshCookie, presentedRefreshToken } from "./refresh-cookie";
import { announceAccessChange, FAMILY_LIFE_SECONDS, type IssuedSession } from "./session-token";
import { type LockedFamily, lockFamilyOf } from "./session-tokens.sql";
import { currentSigningKey } from "./signing-key";

export const RefreshSessionToken = z.strictObject({});

/**
 * Exchanges the cookie's refresh token, which works once, for the next one and a new access token. Throws `conflict`
 * (`refresh_raced`) for a token that was used within the last ten seconds, and changes nothing; `unauthorized`, with the
 * cookie cleared, for any other: a token used before that ends its whole log-in and is noted in the audit log.
 */
export async function refreshSessionToken(
  ctx: VisitorCtx,
  _input: z.output<typeof RefreshSessionToken>,
): Promise<IssuedSession> {
  const presented = presentedRefreshToken(ctx);
  await takeForAddress(ctx, "refreshAddress");
  if (presented === undefined) throw loggedOut(ctx);
  const key = await currentSigningKey(ctx);
  const next = newToken();
  const used = await ctx.db.$transaction((tx) => useToken(ctx, tx, { presented, next }));
  if (used?.verdict === "reused") await announceAccessChange(ctx.counters, used.family.userId);
  if (used?.verdict === "raced") throw raced();
  if (used?.verdict !== "rotate") throw loggedOut(ctx);
  const { id: sessionId, userId, tenantId } = used.family;
  return issueSession(ctx, { key, token: next, grant: { userId, tenantId, sessionId } });
}

interface Exchange {
  presented: string;
  next: string;
}

/** Refreshes of one log-in wait for each other here; undefined when the token is nobody's. */
async function useToken(
  ctx: VisitorCtx,
  tx: Prisma.TransactionClient,
  { presented, next }: Exchange,
): Promise<{ verdict: RefreshVerdict; family: LockedFamily } | undefined> {
  const hash = sha256(presented);
  const family = await lockFamilyOf(tx, hash);
  if (!family) return undefined;
  const { usedAt } = await tx.refreshToken.findUniqueOrThrow({ where: { hash } });
  const now = ctx.clock.now();
  const verdict = judgeRefresh({ usedAt, expiresAt: family.expiresAt }, now);
  if (verdict === "rotate") {
    const expiresAt = new Date(now.getTime() + FAMILY_LIFE_SECONDS * 1000);
    await tx.refreshToken.update({ where: { hash }, data: { usedAt: now } });
    await tx.refreshToken.create({ data: { hash: sha256(next), familyId: family.id, createdAt: now } });
    await tx.refreshFamily.update({ where: { id: family.id }, data: { expiresAt } });
  } else if (verdict === "reused") await endReused(ctx, tx, family);
  return { verdict, family };
}

/** Which of the two who hold the token is the thief cannot be told, so both are out. */
async function endReused(
  { clock, request }: VisitorCtx,
  tx: Prisma.TransactionClient,
  { id, userId, tenantId }: LockedFamily,
): Promise<void> {
  await tx.refreshFamily.delete({ where: { id } });
  const targets = [
    { type: "session", id },
    { type: "user", id: userId },
  ];
  const origin = { tenantId, at: clock.now(), actor: { type: "visitor" }, request } as const;
  await appendAudit(tx, origin, { action: "session.refresh_reused", targets });
}

const raced = (): ServiceError =>
  new ServiceError("conflict", "Another request has just refreshed this log-in; go on with the cookie it was given.", {
    details: { reason: "refresh_raced" },
  });

const loggedOut = (ctx: VisitorCtx): ServiceError =>
  new ServiceError("unauthorized", "You are logged out; log in again.", { cookie: clearedRefreshCookie(ctx) });
