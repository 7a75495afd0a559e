import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { operation } from "../ads-operation";
import { userKeyOf } from "./subject-keys";
import type { UserCtx } from "./user-ctx";

/**
 * Deletes everything stored about a user of this tenant's channels, test and live: signals, frequency-cap counts and
 * the link from offers to the user. A user of another tenant with the same id is not affected. Only the request count
 * of the last minute expires by itself. Erasing an unknown user succeeds too, so that the response does not reveal who
 * is known. Throws `unavailable` if Postgres or the counters are unavailable; the client must retry.
 */
export const eraseUser = operation({
  id: "eraseUser",
  summary: "Delete everything stored about a user",
  access: "ads:write",
  input: z.strictObject({
    user_id: z.string().min(1).max(256).describe("The user_id that was sent with offers requests and signals"),
  }),
  output: z.void(),
  example: { input: { user_id: "reader-4711" }, output: undefined },
  run: async (ctx: UserCtx, input) => {
    const { db, signals, caps, userKey, actor } = ctx;
    const user = userKeyOf(userKey, actor.tenantId, input.user_id);
    await signals.erase(actor.tenantId, [user]);
    await caps.erase(user);
    // The entry does not name the user: the log is permanent and would store the identity of the erased user.
    await db.$transaction((tx) => recordAudit(tx, ctx, { action: "visitor.erased", targets: [] }));
  },
});
