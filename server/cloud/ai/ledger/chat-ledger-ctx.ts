import type { Counters } from "../../../engines/counters/counters";
import type { SqlCtx } from "../../../identity/identity-ctx";
import type { PromptOffers } from "./prompt-offers";

export interface ChatLedgerCtx extends SqlCtx {
  counters: Counters;
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  /** The currency of the installation, such as USD. */
  currency: string;
  /** The offers product, as far as prompts use it. */
  promptOffers: PromptOffers;
}
