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

/** Who asks, as far as the transport tells. */
export interface Visitor {
  requestId: string;
  userAgent: string;
  /** A keyed hash; the address itself is not kept. */
  addressHash: string;
  /** The address lies in a range that SVC_DATA_CENTER_RANGES names. */
  dataCenter: boolean;
  /** Loopback visitors of a loopback installation have no rate limits. */
  exempt: boolean;
  /** Sec-GPC: 1. */
  gpc: boolean;
  /** A browser fetches ahead, nobody has looked or clicked. */
  prefetch: boolean;
  head: boolean;
}
