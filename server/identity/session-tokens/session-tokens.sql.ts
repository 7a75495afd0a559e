import type { Prisma, RefreshFamily, Role } from "../../engines/postgres/generated/client";

export type LockedFamily = Pick<RefreshFamily, "id" | "userId" | "tenantId" | "expiresAt">;

/**
 * Locks the family of a refresh token until the transaction ends. The token is read in a later statement: in the same
 * one its row could be older than the lock.
 */
export async function lockFamilyOf(tx: Prisma.TransactionClient, tokenHash: string): Promise<LockedFamily | undefined> {
  const rows = await tx.$queryRaw<LockedFamily[]>`
    SELECT id, user_id AS "userId", tenant_id AS "tenantId", expires_at AS "expiresAt" FROM refresh_families
    WHERE id = (SELECT family_id FROM refresh_tokens WHERE hash = ${tokenHash}) FOR UPDATE`;
  return rows[0];
}

export interface Access {
  tenantId: string;
  role: Role;
}

/** Returns the tenant of an active session and the user's current role there; undefined when either has ended. */
export async function readAccess(
  db: Pick<Prisma.TransactionClient, "$queryRaw">,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
): Promise<Access | undefined> {
  const rows = await db.$queryRaw<Access[]>`
    SELECT f.tenant_id AS "tenantId", m.role FROM refresh_families f
    JOIN memberships m ON m.user_id = f.user_id AND m.tenant_id = f.tenant_id
    WHERE f.id = ${sessionId} AND f.user_id = ${userId} AND f.expires_at > ${now}`;
  return rows[0];
}
