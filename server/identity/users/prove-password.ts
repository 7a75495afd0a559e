import { addJob } from "../../engines/jobs/add-job";
import type { User } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { takeForAccount, takeForAddress } from "../attempts";
import { StoredRequest } from "../audit/stored-request";
import type { VisitorCtx } from "../identity-ctx";
import { RECORD_FAILED_SIGN_IN } from "./record-failed-sign-in";

/**
 * Whose email and password these are. Unknown account and wrong password are the same `unauthorized` after the same
 * work. Throws `rate_limited` per account and per address.
 */
export async function provePassword(
  ctx: VisitorCtx,
  { email, password }: { email: string; password: string },
): Promise<User> {
  await takeForAddress(ctx, "passwordAddress");
  await takeForAccount(ctx, "password", email);
  const user = await ctx.db.user.findUnique({ where: { email } });
  const matches = await ctx.hasher.verify(user?.passwordHash ?? ctx.hasher.decoy, password);
  if (user && matches) return user;
  const request = StoredRequest.parse(ctx.request);
  await addJob(ctx.db, RECORD_FAILED_SIGN_IN, { email, at: ctx.clock.now(), request });
  throw new ServiceError("unauthorized", "The email or the password is wrong.");
}
