import { z } from "zod";
import type { Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { sha256 } from "../../kernel/secrets";
import { announceAccessChange } from "../access-changed";
import { takeForAddress } from "../attempts";
import { appendAudit } from "../audit/record-audit";
import type { VisitorCtx } from "../identity-ctx";
import { publicOperation } from "../identity-operation";
import { clearedRefreshCookie, FAMILY_LIFE_SECONDS, presentedRefreshToken } from "../log-ins/refresh-cookie";
import { newToken } from "../users/auth-token";
import { issueSession } from "./create-session-token";
import { decideRefresh, type RefreshVerdict } from "./decide-refresh";
import { SessionToken } from "./session-token";
import { sessionTokenExample } from "./session-token.example";
import { type LockedFamily, lockFamilyOf } from "./session-tokens.sql";
import { currentSigningKey } from "./signing-key";

/**
 * Exchanges the refresh token of the cookie, which works once, for the next one and a new access token. Throws
 * `conflict` (`refresh_raced`) and changes nothing for a token used within the last ten seconds; throws `unauthorized`
 * and clears the cookie for any other. A token used before that ends its session and is recorded in the audit log.
 */
export const refreshSessionToken = publicOperation({
  id: "refreshSession",
  summary: "Exchange the refresh cookie for a new access token",
  access: "public",
  input: z.strictObject({}),
  output: SessionToken,
  example: { input: {}, output: sessionTokenExample },
  usesCookie: true,
  run: async (ctx: VisitorCtx) => {
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
  },
});

interface Exchange {
  presented: string;
  next: string;
}

/** Locks the family, so that refreshes of one session run one at a time; undefined for an unknown token. */
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
  const verdict = decideRefresh({ usedAt, expiresAt: family.expiresAt }, now);
  if (verdict === "rotate") {
    const expiresAt = new Date(now.getTime() + FAMILY_LIFE_SECONDS * 1000);
    await tx.refreshToken.update({ where: { hash }, data: { usedAt: now } });
    await tx.refreshToken.create({ data: { hash: sha256(next), familyId: family.id, createdAt: now } });
    await tx.refreshFamily.update({ where: { id: family.id }, data: { expiresAt } });
  } else if (verdict === "reused") await endReused(ctx, tx, family);
  return { verdict, family };
}

/** It is not possible to know which holder of the token is the thief, so the session ends for both. */
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
  new ServiceError(
    "conflict",
    "Another request has just refreshed this session; continue with the cookie that it returned.",
    {
      details: { reason: "refresh_raced" },
    },
  );

const loggedOut = (ctx: VisitorCtx): ServiceError =>
  new ServiceError("unauthorized", "You are logged out; log in again.", { cookie: clearedRefreshCookie(ctx) });
