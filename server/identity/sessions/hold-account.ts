import type { Prisma, User } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";

/**
 * Row locks that make a log-in wait for a reset or a removal that is under way, and refuse when that won: a log-in never
 * outlives the password or the membership that opened it. Throws `unauthorized`.
 */
export async function holdAccount(
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
