import type { Prisma, Tenant, User } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import type { VisitorCtx } from "../identity-ctx";
import { type Tenant as TenantView, toTenant } from "../tenants/tenant";
import { toUser, type User as UserView } from "../users/user";
import { addressHash } from "./address-hash";
import { createLucia } from "./create-lucia";

const USER_AGENT_LENGTH_MAX = 300;

/** Who has just logged in, and the `Set-Cookie` value that keeps them so. */
export interface SignedIn {
  user: UserView;
  tenant: TenantView;
  cookie: string;
}

/**
 * Opens a session for a user whose password `user.passwordHash` was just proven. The row locks make it wait for a reset
 * or a removal that is under way, and refuse when that won: a session never outlives the password that opened it.
 */
export async function openSession(ctx: VisitorCtx, user: User, tenantId: string): Promise<SignedIn> {
  const opened = await ctx.db.$transaction(async (tx) => {
    const proven = await tx.$queryRaw<unknown[]>`
      select 1 from users where id = ${user.id} and password_hash = ${user.passwordHash} for share`;
    const joined = await tx.$queryRaw<unknown[]>`
      select 1 from memberships where user_id = ${user.id} and tenant_id = ${tenantId} for share`;
    if (proven.length === 0 || joined.length === 0) {
      throw new ServiceError("unauthorized", "This account has just changed; log in again.");
    }
    const tenant = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId } });
    return { tenant, sessionToken: await insertSession(ctx, tx, { user, tenant }) };
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
