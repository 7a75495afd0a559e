import { z } from "zod";

/** The response to a login or a refresh; `expires_in` is in seconds. */
export const SessionToken = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.int(),
  tenant_id: z.string(),
});
export type SessionToken = z.output<typeof SessionToken>;

/** A `SessionToken` for the body, and the `Set-Cookie` value with the refresh token. */
export type IssuedSession = SessionToken & { cookie: string };

/** The lifetime of an access token: one hour (from the specification). */
export const ACCESS_TOKEN_SECONDS = 3600;
