import { z } from "zod";
import { appendForUser } from "../audit/append-for-user";
import { StoredRequest } from "../audit/stored-request";
import type { AccountCtx } from "../identity-ctx";
import { Email, userTarget } from "./user";

/** Whether the address has an account is looked up in a job, so that no answer's time tells it. */
export const RECORD_FAILED_SIGN_IN = "record_failed_sign_in";

export const RecordFailedSignIn = z.object({ email: Email, at: z.coerce.date(), request: StoredRequest });

/** Tells the tenants of an account that somebody failed to prove its password; for other addresses it does nothing. */
export async function recordFailedSignIn(
  { db }: Pick<AccountCtx, "db">,
  { email, at, request }: z.output<typeof RecordFailedSignIn>,
): Promise<void> {
  const user = await db.user.findUnique({ where: { email } });
  if (!user) return;
  const origin = { userId: user.id, at, actor: { type: "visitor" }, request } as const;
  const change = { action: "user.sign_in_failed", targets: [userTarget(user)] };
  await db.$transaction((tx) => appendForUser(tx, origin, change));
}
