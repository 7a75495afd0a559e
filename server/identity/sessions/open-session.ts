import type { Prisma, Tenant, User } from "../../engines/postgres/generated/client";
import { sha256 } from "../../kernel/secrets";
import { appendAudit } from "../audit/record-audit";
import type { VisitorCtx } from "../identity-ctx";
import { type Tenant as TenantView, toTenant } from "../tenants/tenant";
import { toUser, type User as UserView } from "../users/user";
import { addressHash } from "./address-hash";
import { createLucia } from "./create-lucia";
import { holdAccount } from "./hold-account";

const USER_AGENT_LENGTH_MAX = 300;

/** Who has just logged in, and the `Set-Cookie` value that keeps them so. */
export interface SignedIn {
  user: UserView;
  tenant: TenantView;
  cookie: string;
}

/**
 * Opens a session for a user whose password `user.passwordHash` was just proven. Throws `unauthorized` when a reset or a
 * removal came in between.
 */
export async function openSession(ctx: VisitorCtx, user: User, tenantId: string): Promise<SignedIn> {
  const opened = await ctx.db.$transaction(async (tx) => {
    await holdAccount(tx, user, tenantId);
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
  return { user: toUser(user), tenant: toTenant(opened.tenant), cookie };
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
