import type { Prisma } from "../../engines/postgres/generated/client";

interface NewPassword {
  userId: string;
  passwordHash: string;
}

/** Sets a password and ends what the old one opened: every session, and the reset links under way. */
export async function replacePassword(
  tx: Prisma.TransactionClient,
  { userId, passwordHash }: NewPassword,
): Promise<{ email: string }> {
  const user = await tx.user.update({ where: { id: userId }, data: { passwordHash }, select: { email: true } });
  await tx.authToken.deleteMany({ where: { userId, kind: "reset_password" } });
  await tx.session.deleteMany({ where: { userId } });
  return user;
}
