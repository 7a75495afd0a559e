import type { PersonCtx } from "../identity-ctx";

export interface AccountPageCtx extends Pick<PersonCtx, "session"> {
  /** The installation's billing currency (ISO 4217). */
  currency: string;
}
