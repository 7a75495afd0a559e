import type { SqlCtx } from "../../../identity/identity-ctx";

export interface ReservationCtx extends SqlCtx {
  publicUrl: string;
  /** The currency of the installation, such as USD. */
  currency: string;
}
