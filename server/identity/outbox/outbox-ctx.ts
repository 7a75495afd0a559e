import type { PersonCtx } from "../identity-ctx";

export interface OutboxCtx extends Pick<PersonCtx, "db" | "mail" | "actor" | "request" | "session"> {
  /** PUBLIC_URL is a loopback address. */
  isLoopback: boolean;
}
