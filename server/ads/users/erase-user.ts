import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { AdsCtx } from "../ads-ctx";
import { userKeyOf } from "../signals/subject-keys";

export const EraseUser = z.strictObject({
  user_id: z.string().min(1).max(256).describe("As it was sent with offers requests and signals"),
});

/**
 * Forgets everything that was remembered about a user of this tenant's channels, test and live: signals, what frequency
 * caps counted, and whom offers were for; a user of another tenant under the same id stays. Only the count of the last
 * minute's requests ends by itself. Erasing somebody unknown succeeds too, so that nobody learns who is known. Throws
 * `unavailable` when Postgres or the counters are away: erase again.
 */
export async function eraseUser(ctx: AdsCtx, input: z.output<typeof EraseUser>): Promise<void> {
  const { db, signals, caps, userKey, actor } = ctx;
  const user = userKeyOf(userKey, actor.tenantId, input.user_id);
  await signals.erase(actor.tenantId, [user]);
  await caps.erase(user);
  // Whom it concerned is not told: the log stays for good, and would remember who was to be forgotten.
  await db.$transaction((tx) => recordAudit(tx, ctx, { action: "visitor.erased", targets: [] }));
}
