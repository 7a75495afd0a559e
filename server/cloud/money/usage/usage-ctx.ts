import type { SqlCtx } from "../../../identity/identity-ctx";

export interface UsageCtx extends SqlCtx {
  /** The currency of the installation, such as USD. */
  currency: string;
}
