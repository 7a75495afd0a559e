import { z } from "zod";
import type { Prisma, User } from "../../engines/postgres/generated/client";
import { newId } from "../../kernel/ids";
import { sha256 } from "../../kernel/secrets";
import { appendAudit } from "../audit/record-audit";
import type { VisitorCtx } from "../identity-ctx";
import { addressHash } from "../sessions/address-hash";
import { chooseTenant } from "../sessions/choose-tenant";
import { holdAccount } from "../sessions/hold-account";
import { newToken } from "../users/auth-token";
import { provePassword } from "../users/prove-password";
import { Email, PasswordAttempt } from "../users/user";
import { IdText } from "../wire-text";
import { type AccessGrant, mintAccessToken } from "./access-token";
import { refreshCookie, refuseForeignOrigin } from "./refresh-cookie";
import { ACCESS_TOKEN_SECONDS, FAMILY_LIFE_SECONDS, type IssuedSession } from "./session-token";
import { currentSigningKey, type SigningKey } from "./signing-key";

const USER_AGENT_LENGTH_MAX = 300;

export const CreateSessionToken = z.strictObject({
  email: Email,
  password: PasswordAttempt,
  /** For people in several tenants; by default the one that they joined first. */
  tenant_id: IdText.optional(),
});

/**
 * Logs a person in: an access token of an hour, and a refresh token in a cookie. Unknown account and wrong password are
 * the same `unauthorized` after the same work. Throws `rate_limited` per account and per address, `forbidden` for a
 * tenant that the person does not belong to and for a page of another origin.
 */
export async function createSessionToken(
  ctx: VisitorCtx,
  input: z.output<typeof CreateSessionToken>,
): Promise<IssuedSession> {
  refuseForeignOrigin(ctx);
  const user = await provePassword(ctx, input);
  const tenantId = await chooseTenant(ctx, user.id, input.tenant_id);
  const key = await currentSigningKey(ctx);
  const { sessionId, token } = await ctx.db.$transaction(async (tx) => {
    await holdAccount(tx, user, tenantId);
    return insertFamily(ctx, tx, { user, tenantId });
  });
  return issueSession(ctx, { key, token, grant: { userId: user.id, tenantId, sessionId } });
}

async function insertFamily(
  { clock, request, addressKey }: VisitorCtx,
  tx: Prisma.TransactionClient,
  { user, tenantId }: { user: User; tenantId: string },
): Promise<{ sessionId: string; token: string }> {
  const now = clock.now();
  const sessionId = newId("ses", now.getTime());
  const token = newToken();
  await tx.refreshFamily.create({
    data: {
      id: sessionId,
      userId: user.id,
      tenantId,
      userAgent: request.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
      addressHash: addressHash(addressKey, request.address),
      createdAt: now,
      expiresAt: new Date(now.getTime() + FAMILY_LIFE_SECONDS * 1000),
      tokens: { create: { hash: sha256(token), createdAt: now } },
    },
  });
  await appendAudit(
    tx,
    { tenantId, at: now, actor: { type: "user", id: user.id }, request },
    { action: "user.signed_in", targets: [{ type: "session", id: sessionId }], details: { kind: "api" } },
  );
  return { sessionId, token };
}

/** What a log-in and a refresh answer alike. */
export async function issueSession(
  ctx: Pick<VisitorCtx, "clock" | "publicUrl">,
  { key, token, grant }: { key: SigningKey; token: string; grant: AccessGrant },
): Promise<IssuedSession> {
  return {
    access_token: await mintAccessToken({ key, issuer: ctx.publicUrl, now: ctx.clock.now() }, grant),
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    tenant_id: grant.tenantId,
    cookie: refreshCookie(ctx, token),
  };
}
