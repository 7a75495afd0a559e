import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { announceAccessChange } from "../access-changed";
import { take } from "../attempts";
import { appendForUser } from "../audit/append-for-user";
import type { PersonCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { endLogIns } from "../log-ins/end-log-ins";
import { Password, PasswordAttempt, userTarget } from "../users/user";
import { passwordExample } from "../users/user.example";

/**
 * Changes the password of a person who knows the current one, and ends every other session and reset link. Throws
 * `invalid_request` when the current password is wrong, `rate_limited` after too many attempts.
 */
export const changePassword = personOperation({
  id: "changePassword",
  summary: "Change your password",
  access: "person",
  input: z.object({ current_password: PasswordAttempt, new_password: Password }),
  output: z.object({ ended_sessions: z.int() }),
  example: {
    input: { current_password: passwordExample, new_password: "staple battery horse" },
    output: { ended_sessions: 1 },
  },
  run: async (ctx: PersonCtx, input) => {
    const { db, clock, hasher, actor, request } = ctx;
    const user = await db.user.findUniqueOrThrow({ where: { id: actor.userId } });
    // Counted by session: attempts on the account or address by others do not limit a person who is logged in.
    await take(ctx, "passwordSession", actor.sessionId);
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
  },
});

const wrongPassword = (): ServiceError =>
  new ServiceError("invalid_request", "The current password is wrong.", { param: "current_password" });
