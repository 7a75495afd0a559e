import type { SqlCtx } from "../../identity/identity-ctx";
import type { Turns } from "../../kernel/turns";

export interface StatementCtx extends SqlCtx {
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** Limits concurrent reports per tenant: one report can read hundreds of days. */
  reportTurns: Pick<Turns, "run">;
}
