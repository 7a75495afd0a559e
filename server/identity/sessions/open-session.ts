import type { Prisma, Tenant, User } from "../../engines/postgres/generated/client";
import { sha256 } from "../../kernel/secrets";
import { addressHash } from "../address-hash";
import { appendAudit } from "../audit/record-audit";
import type { VisitorCtx } from "../identity-ctx";
import { deviceCookie } from "../log-ins/known-devices";
import { lockAccount } from "../log-ins/lock-account";
import { type Tenant as TenantView, toTenant } from "../tenants/tenant";
import { toUser, type User as UserView } from "../users/user";
import { createLucia } from "./create-lucia";

const USER_AGENT_LENGTH_MAX = 300;

/** The person who has just logged in, and the `Set-Cookie` value of the session. */
export interface SignedIn {
  user: UserView;
  tenant: TenantView;
  cookie: string;
  /** The `Set-Cookie` value that makes the browser known to the account. */
  deviceCookie: string;
}

/**
 * Opens a session for a user whose password `user.passwordHash` was just verified. Throws `unauthorized` if a reset or
 * a removal happened in between.
 */
export async function openSession(ctx: VisitorCtx, user: User, tenantId: string): Promise<SignedIn> {
  const opened = await ctx.db.$transaction(async (tx) => {
    await lockAccount(tx, user, tenantId);
    const tenant = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId } });
    const sessionToken = await insertSession(ctx, tx, { user, tenant });
    await appendAudit(
      tx,
      { tenantId, at: ctx.clock.now(), actor: { type: "user", id: user.id }, request: ctx.request },
      {
        action: "user.signed_in",
        targets: [{ type: "session", id: sha256(sessionToken) }],
        details: { kind: "dashboard" },
      },
    );
    return { tenant, sessionToken };
  });
  const cookie = ctx.lucia.createSessionCookie(opened.sessionToken).serialize();
  return {
    user: toUser(user),
    tenant: toTenant(opened.tenant),
    cookie,
    deviceCookie: deviceCookie(ctx, user.id),
  };
}

async function insertSession(
  { clock, publicUrl, request, addressKey }: VisitorCtx,
  tx: Prisma.TransactionClient,
  { user, tenant }: { user: User; tenant: Tenant },
): Promise<string> {
  const session = await createLucia({ db: tx, clock, publicUrl }).createSession(user.id, {
    tenantId: tenant.id,
    createdAt: clock.now(),
    userAgent: request.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
    addressHash: addressHash(addressKey, request.address),
  });
  return session.id;
}
