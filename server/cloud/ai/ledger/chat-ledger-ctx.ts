import type { Pool } from "pg";
import type { Counters } from "../../../engines/counters/counters";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { PromptOffers } from "./prompt-offers";

export interface ChatLedgerCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  counters: Counters;
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  /** The currency of the installation, such as USD. */
  currency: string;
  /** The offers product, as far as prompts use it. */
  promptOffers: PromptOffers;
}
