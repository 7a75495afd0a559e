import { z } from "zod";
import type { AdsCtx } from "../ads-ctx";
import { userKeyOf } from "../signals/subject-keys";

export const EraseUser = z.strictObject({
  user_id: z.string().min(1).max(256).describe("As it was sent with offers requests and signals"),
});

/**
 * Forgets every signal that was remembered about a user of this tenant's channels, test and live; a user of another
 * tenant under the same id stays. Frequency counts under the user's pseudonym end with their windows. Erasing somebody
 * unknown succeeds too, so that nobody learns who is known. Throws `unavailable` when Postgres is away.
 */
export async function eraseUser({ signals, userKey, actor }: AdsCtx, input: z.output<typeof EraseUser>): Promise<void> {
  await signals.erase(actor.tenantId, [userKeyOf(userKey, actor.tenantId, input.user_id)]);
}
