import type { Counters } from "../../engines/counters/counters";
import type { Clock } from "../../kernel/clock";
import type { CapCounts } from "../caps/cap-counts";
import type { Claims } from "../events/claims";
import type { FactLog } from "../events/fact-log";
import type { OfferRecords } from "../offer-records/offer-records";
import type { PlausibleTraffic } from "../traffic/plausible-traffic";
import type { Visitor } from "../visitor";

/** The reporter: the visitor's browser, or a publisher's server with its channel's server key. */
export interface ImpressionReporter {
  reportedBy: "browser" | "server";
  /** Set for a server key, which reports only offers of its own channel. */
  channelId?: string;
}

export interface ImpressionCtx {
  clock: Clock;
  counters: Counters;
  caps: CapCounts;
  records: OfferRecords;
  claims: Claims;
  plausible: PlausibleTraffic;
  facts: FactLog;
  /** The publisher's share of a charge, 0 to 1. */
  publisherShare: number;
  /** The number of ids in impression reports that cannot be offer ids. */
  ignoredIds: { count: number };
  visitor: Visitor;
  reporter: ImpressionReporter;
}
