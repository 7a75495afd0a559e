import { z } from "zod";
import type { Counters } from "../../engines/counters/counters";

/** What a log-in or a refresh answers; `expires_in` is in seconds. */
export const SessionToken = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.int(),
  tenant_id: z.string(),
});
export type SessionToken = z.output<typeof SessionToken>;

/** A `SessionToken` for the body, and the `Set-Cookie` value that carries the refresh token. */
export type IssuedSession = SessionToken & { cookie: string };

/** How long an access token is good for: one hour (the specification's lifetime of a session token). */
export const ACCESS_TOKEN_SECONDS = 3600;

/** A log-in ends this long after its last refresh. */
export const FAMILY_LIFE_SECONDS = 30 * 24 * 60 * 60;

/** The topic on which every process hears the id of a user whose log-ins or roles are not what they were. */
export const ACCESS_CHANGED = "identity:access_changed";

/** Has every process look anew; one that does not hear of it does so within ten seconds by itself. */
export const announceAccessChange = (counters: Pick<Counters, "publish">, userId: string): Promise<void> =>
  counters.publish(ACCESS_CHANGED, userId).catch(() => undefined);
