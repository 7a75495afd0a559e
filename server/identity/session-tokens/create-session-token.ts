import { z } from "zod";
import type { Prisma, User } from "../../engines/postgres/generated/client";
import { newId } from "../../kernel/ids";
import { sha256 } from "../../kernel/secrets";
import { addressHash } from "../address-hash";
import { appendAudit } from "../audit/record-audit";
import type { VisitorCtx } from "../identity-ctx";
import { publicOperation } from "../identity-operation";
import { chooseTenant } from "../log-ins/choose-tenant";
import { lockAccount } from "../log-ins/lock-account";
import { FAMILY_LIFE_SECONDS, refreshCookie, refuseForeignOrigin } from "../log-ins/refresh-cookie";
import { verifyCredentials } from "../log-ins/verify-credentials";
import { newToken } from "../users/auth-token";
import { CodeAttempt, Email, PasswordAttempt } from "../users/user";
import { passwordExample, userExample } from "../users/user.example";
import { IdText } from "../wire-text";
import { type AccessGrant, signAccessToken } from "./access-token";
import { ACCESS_TOKEN_SECONDS, type IssuedSession, SessionToken } from "./session-token";
import { sessionTokenExample } from "./session-token.example";
import { currentSigningKey, type SigningKey } from "./signing-key";

const USER_AGENT_LENGTH_MAX = 300;

/**
 * Logs a person in: returns an access token valid for an hour, and a refresh token in a cookie. Throws the errors of
 * `verifyCredentials`, and `forbidden` for a tenant that the person does not belong to and for a page of another
 * origin.
 */
export const createSessionToken = publicOperation({
  id: "logIn",
  summary: "Log in: get an access token for an hour and a refresh cookie",
  access: "public",
  input: z.strictObject({
    email: Email,
    password: PasswordAttempt,
    /** Required only after `code_required` or `code_accepted`; an empty string requests a code. */
    code: CodeAttempt.optional(),
    /** For people in several tenants; default: the one that they joined first. */
    tenant_id: IdText.optional(),
  }),
  output: SessionToken,
  example: { input: { email: userExample.email, password: passwordExample }, output: sessionTokenExample },
  usesCookie: true,
  run: async (ctx: VisitorCtx, input) => {
    refuseForeignOrigin(ctx);
    const user = await verifyCredentials(ctx, input);
    const tenantId = await chooseTenant(ctx, user.id, input.tenant_id);
    const key = await currentSigningKey(ctx);
    const { sessionId, token } = await ctx.db.$transaction(async (tx) => {
      await lockAccount(tx, user, tenantId);
      return insertFamily(ctx, tx, { user, tenantId });
    });
    return issueSession(ctx, { key, token, grant: { userId: user.id, tenantId, sessionId } });
  },
});

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

/** The common result of a login and a refresh. */
export async function issueSession(
  ctx: Pick<VisitorCtx, "clock" | "publicUrl">,
  { key, token, grant }: { key: SigningKey; token: string; grant: AccessGrant },
): Promise<IssuedSession> {
  return {
    access_token: await signAccessToken({ key, issuer: ctx.publicUrl, now: ctx.clock.now() }, grant),
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    tenant_id: grant.tenantId,
    cookie: refreshCookie(ctx, token),
  };
}
