import type { Counters } from "../../engines/counters/counters";
import type { Clock } from "../../kernel/clock";
import type { ReservePrices } from "../auction/second-price";
import type { CapCounts } from "../caps/cap-counts";
import type { Catalog } from "../catalog/catalog";
import type { ConsentReader } from "../consent/consent-reader";
import type { Claims } from "../events/claims";
import type { FactLog } from "../events/fact-log";
import type { OfferRecords } from "../offer-records/offer-records";
import type { DecisionMemory } from "../ranking/decision-memory";
import type { ServingChannel } from "../serving/serving";
import type { SignalMemory } from "../signals/signal-memory";
import type { PlausibleTraffic } from "../traffic/plausible-traffic";
import type { NearestItems } from "../vectors/nearest-items";
import type { Visitor } from "../visitor";

export interface OffersCtx {
  clock: Clock;
  counters: Counters;
  caps: CapCounts;
  catalog: Catalog;
  /** Recent decisions of this process. */
  decisions: DecisionMemory;
  /** The semantic engine; undefined if none is configured. */
  nearest?: Pick<NearestItems, "of"> | undefined;
  records: OfferRecords;
  claims: Claims;
  plausible: PlausibleTraffic;
  facts: FactLog;
  signals: SignalMemory;
  consent: ConsentReader;
  publicUrl: string;
  /** The publisher's share of a charge, 0 to 1. */
  publisherShare: number;
  reserve: ReservePrices;
  /** The key that turns user ids into pseudonyms, so that no id is ever stored. */
  userKey: Buffer;
  /** Network campaigns of this tenant are house offers on other tenants' channels. */
  demoTenantId: string | undefined;
  /** The number of ids in impression reports that cannot be offer ids. */
  ignoredIds: { count: number };
  visitor: Visitor;
  /** The channel of the key. */
  channel: ServingChannel;
}
