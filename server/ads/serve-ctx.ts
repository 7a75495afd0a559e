import type { Pool } from "pg";
import type { Counters } from "../engines/counters/counters";
import type { Clock } from "../kernel/clock";
import type { ReservePrices } from "./auction/second-price";
import type { CapCounts } from "./caps/cap-counts";
import type { ConsentReader } from "./consent/consent";
import type { Claims } from "./events/claims";
import type { FactLog } from "./events/fact-log";
import type { OfferRecords } from "./offers/offer-records";
import type { Catalog } from "./ranking/catalog";
import type { SignalMemory } from "./signals/signal-memory";
import type { Visitor } from "./visitor";

/** What the verbs of the offers API get. */
export interface ServeCtx {
  clock: Clock;
  counters: Counters;
  caps: CapCounts;
  catalog: Catalog;
  records: OfferRecords;
  claims: Claims;
  facts: FactLog;
  signals: SignalMemory;
  consent: ConsentReader;
  publicUrl: string;
  /** The publisher's part of a charge, 0 to 1. */
  publisherShare: number;
  reserve: ReservePrices;
  sql: Pool;
  currency: string;
  /** Signs the tokens of conversion pixels. */
  pixelKey: Buffer;
  /** Turns user ids into pseudonyms, so that no id is ever stored. */
  userKey: Buffer;
  /** Offers of this tenant's network campaigns are house offers elsewhere. */
  demoTenantId: string | undefined;
  visitor: Visitor;
}
