import type { Counters } from "../../engines/counters/counters";
import type { Clock } from "../../kernel/clock";
import type { Claims } from "../events/claims";
import type { FactLog } from "../events/fact-log";
import type { OfferRecords } from "../offer-records/offer-records";
import type { PlausibleTraffic } from "../traffic/plausible-traffic";
import type { Visitor } from "../visitor";

export interface ClickCtx {
  clock: Clock;
  counters: Counters;
  records: OfferRecords;
  claims: Claims;
  plausible: PlausibleTraffic;
  facts: FactLog;
  /** The publisher's share of a charge, 0 to 1. */
  publisherShare: number;
  visitor: Visitor;
}
