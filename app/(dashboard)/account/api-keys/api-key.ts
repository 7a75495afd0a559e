import type { Outputs } from "../../../trpc/client";

export type ApiKey = Outputs["listKeys"]["data"][number];

export const STATES = ["active", "expired", "revoked"] as const;
export type KeyState = (typeof STATES)[number];

/** The state of a key at a given time; revoked takes precedence over expired. */
export function stateOf(
  { revoked_at, expires_at }: Pick<ApiKey, "revoked_at" | "expires_at">,
  now = new Date(),
): KeyState {
  if (revoked_at) return "revoked";
  return expires_at && new Date(expires_at) <= now ? "expired" : "active";
}

/** The part of a secret that is stored in clear text. */
export const maskedKey = ({ mode, last_four }: Pick<ApiKey, "mode" | "last_four">): string =>
  `svc_${mode}_…${last_four}`;
