import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { takeForAccount } from "../attempts";
import { appendForUser } from "../audit/append-for-user";
import type { PersonCtx } from "../identity-ctx";
import { announceAccessChange } from "../session-tokens/session-token";
import { endLogIns } from "../sessions/end-log-ins";
import { Password, PasswordAttempt, userTarget } from "./user";

export const ChangePassword = z.object({ current_password: PasswordAttempt, new_password: Password });

/**
 * Sets a new password for who knows the current one, and ends every other log-in and reset link. Throws
 * `invalid_request` when the current password is wrong, `rate_limited` after too many tries.
 */
export async function changePassword(
  ctx: PersonCtx,
  input: z.output<typeof ChangePassword>,
): Promise<{ ended_sessions: number }> {
  const { db, clock, hasher, actor, request } = ctx;
  const user = await db.user.findUniqueOrThrow({ where: { id: actor.userId } });
  await takeForAccount(ctx, "password", user.email);
  if (!(await hasher.verify(user.passwordHash, input.current_password))) throw wrongPassword();
  const passwordHash = await hasher.hash(input.new_password);
  const ended = await db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: user.id, passwordHash: user.passwordHash },
      data: { passwordHash },
    });
    if (count === 0) throw wrongPassword();
    await tx.authToken.deleteMany({ where: { userId: user.id, kind: "reset_password" } });
    const ended_sessions = await endLogIns(tx, { userId: user.id, keptId: actor.sessionId });
    const change = { action: "user.password_changed", targets: [userTarget(user)], details: { ended_sessions } };
    await appendForUser(tx, { userId: user.id, at: clock.now(), request }, change);
    return { ended_sessions };
  });
  await announceAccessChange(ctx.counters, user.id);
  return ended;
}

const wrongPassword = (): ServiceError =>
  new ServiceError("invalid_request", "The current password is wrong.", { param: "current_password" });
