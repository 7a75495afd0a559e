import type { Prisma, User } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";

/**
 * Locks rows so that a login waits for a concurrent password reset or removal and then fails: a session must not
 * outlive the password or membership that it was opened with. Throws `unauthorized`.
 */
export async function lockAccount(
  tx: Prisma.TransactionClient,
  user: Pick<User, "id" | "passwordHash">,
  tenantId: string,
): Promise<void> {
  const proven = await tx.$queryRaw<unknown[]>`
    select 1 from users where id = ${user.id} and password_hash = ${user.passwordHash} for share`;
  const joined = await tx.$queryRaw<unknown[]>`
    select 1 from memberships where user_id = ${user.id} and tenant_id = ${tenantId} for share`;
  if (proven.length === 0 || joined.length === 0) {
    throw new ServiceError("unauthorized", "This account has just changed; log in again.");
  }
}
