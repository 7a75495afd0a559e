import { z } from "zod";
import { appendForUser } from "../audit/append-for-user";
import { StoredRequest } from "../audit/stored-request";
import type { AccountCtx } from "../identity-ctx";
import { findSureAccount } from "../users/find-account";
import { Email, userTarget } from "../users/user";

/** A job looks the account up, so that response times do not reveal whether it exists. */
export const RECORD_FAILED_SIGN_IN = "record_failed_sign_in";

export const RecordFailedSignIn = z.object({ email: Email, at: z.coerce.date(), request: StoredRequest });

/**
 * Records a failed password check in the audit log of every tenant of the account; does nothing for other addresses.
 */
export async function recordFailedSignIn(
  { db }: Pick<AccountCtx, "db">,
  { email, at, request }: z.output<typeof RecordFailedSignIn>,
): Promise<void> {
  const user = await findSureAccount(db, email);
  if (!user) return;
  const origin = { userId: user.id, at, actor: { type: "visitor" }, request } as const;
  const change = { action: "user.sign_in_failed", targets: [userTarget(user)] };
  await db.$transaction((tx) => appendForUser(tx, origin, change));
}
