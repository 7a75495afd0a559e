import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { takeForAccount } from "../attempts";
import type { PersonCtx } from "../identity-ctx";
import { Password, PasswordAttempt } from "./user";

export const ChangePassword = z.object({ current_password: PasswordAttempt, new_password: Password });

/**
 * Sets a new password for who knows the current one, and ends every other session and reset link. Throws
 * `invalid_request` when the current password is wrong, `rate_limited` after too many tries.
 */
export async function changePassword(
  ctx: PersonCtx,
  input: z.output<typeof ChangePassword>,
): Promise<{ ended_sessions: number }> {
  const { db, hasher, actor } = ctx;
  const user = await db.user.findUniqueOrThrow({ where: { id: actor.userId } });
  await takeForAccount(ctx, "password", user.email);
  if (!(await hasher.verify(user.passwordHash, input.current_password))) throw wrongPassword();
  const passwordHash = await hasher.hash(input.new_password);
  return db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: user.id, passwordHash: user.passwordHash },
      data: { passwordHash },
    });
    if (count === 0) throw wrongPassword();
    await tx.authToken.deleteMany({ where: { userId: user.id, kind: "reset_password" } });
    const ended = await tx.session.deleteMany({ where: { userId: user.id, id: { not: actor.sessionId } } });
    return { ended_sessions: ended.count };
  });
}

const wrongPassword = (): ServiceError =>
  new ServiceError("invalid_request", "The current password is wrong.", { param: "current_password" });
