import type { Prisma } from "../../engines/postgres/generated/client";
import { endLogIns } from "../log-ins/end-log-ins";

interface NewPassword {
  userId: string;
  passwordHash: string;
}

/** Sets a password and ends every session and reset link of the old one. */
export async function replacePassword(
  tx: Prisma.TransactionClient,
  { userId, passwordHash }: NewPassword,
): Promise<{ id: string; email: string }> {
  const user = await tx.user.update({
    where: { id: userId },
    data: { passwordHash },
    select: { id: true, email: true },
  });
  await tx.authToken.deleteMany({ where: { userId, kind: "reset_password" } });
  await endLogIns(tx, { userId });
  return user;
}
