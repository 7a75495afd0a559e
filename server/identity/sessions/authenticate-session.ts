import { sha256 } from "../../kernel/secrets";
import { type PersonActor, scopesOfRole } from "../../operation/actor";
import type { AccountCtx } from "../identity-ctx";
import { type Tenant, toTenant } from "../tenants/tenant";
import { toUser, type User } from "../users/user";
import { SESSION_COOKIE } from "./create-lucia";

/** Lucia's tokens are 25 random bytes in base 32; anything else is rejected without a lookup. */
const COOKIE = new RegExp(`(?:^|;) ?${SESSION_COOKIE}=([a-z2-7]{40})(?:;|$)`);

interface AuthenticatedSession {
  actor: PersonActor;
  user: User;
  tenant: Tenant;
  /** The `Set-Cookie` value to send when the expiry was extended. */
  cookie?: string;
}

/**
 * Returns the session of a `Cookie` header, or undefined. The role is read on each request, so that a change applies to
 * the next one; the session of a person who left its tenant is invalid.
 */
export async function authenticateSession(
  { db, lucia }: Pick<AccountCtx, "db" | "lucia">,
  cookieHeader: string | null | undefined,
): Promise<AuthenticatedSession | undefined> {
  const token = tokenOf(cookieHeader);
  if (token === undefined) return undefined;
  const { session, user } = await lucia.validateSession(token);
  if (!session) return undefined;
  const membership = await db.membership.findUnique({
    where: { userId_tenantId: { userId: user.id, tenantId: session.tenantId } },
    include: { tenant: true },
  });
  if (!membership) return undefined;
  const { role, tenant } = membership;
  return {
    actor: {
      kind: "person",
      tenantId: tenant.id,
      scopes: scopesOfRole(role),
      userId: user.id,
      sessionId: sha256(token),
      role,
    },
    user: toUser(user),
    tenant: toTenant(tenant),
    ...(session.fresh ? { cookie: lucia.createSessionCookie(token).serialize() } : {}),
  };
}

const tokenOf = (cookieHeader: string | null | undefined): string | undefined => COOKIE.exec(cookieHeader ?? "")?.[1];

/** The cookie of the session in a `Cookie` header, as it was sent. */
export function sessionPairOf(cookieHeader: string | undefined): string | undefined {
  const token = tokenOf(cookieHeader);
  return token === undefined ? undefined : `${SESSION_COOKIE}=${token}`;
}
