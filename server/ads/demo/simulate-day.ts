import { uuidv7Of } from "../../kernel/ids";
import type { Order } from "../conversions/record-conversion";
import type { DatedClaim } from "../events/claims.sql";
import { chargeOf, eventRow, NO_CHARGE, payerOf } from "../events/event-rows";
import type { FactRow, FactTable } from "../events/fact-rows";
import { requestRows } from "../events/request-rows";
import type { OfferRecord } from "../offer-records/offer-record";
import type { Traffic } from "../traffic/traffic-reason";
import { SeededStream } from "./seeded-stream";
import { simulatedChannelId } from "./simulated-site";
import { type Visit, visitsOf } from "./simulated-visits";

/** A creative or product that simulated visitors are shown. */
export interface SimulatedItem {
  tenantId: string;
  advertiserId: string;
  campaignId: string;
  /** One of them is "". */
  creativeId: string;
  productId: string;
  model: "cpc" | "cpm";
  bidMicros: number;
  landingUrl: string;
  weight: number;
}

export interface Simulation {
  /** The publisher: the demo tenant. */
  tenantId: string;
  items: readonly SimulatedItem[];
  /** Nothing happens from here on. */
  toMs: number;
  publisherShare: number;
}

/** What an advertiser's server reports. */
export type SimulatedOrder = Pick<
  Order,
  "tenantId" | "orderId" | "advertiserId" | "clickId" | "valueMicros" | "occurredAt"
>;

/** A UTC day, and its place in the simulation. */
export interface SimulatedDate {
  dayMs: number;
  index: number;
}

/** Everything that began on one day. */
export interface SimulatedDay {
  offers: OfferRecord[];
  /** Rows that need no claim: requests, served offers and invalid traffic. */
  facts: [FactTable, FactRow][];
  impressions: DatedClaim[];
  clicks: DatedClaim[];
  orders: SimulatedOrder[];
}

const SEED = "svc demo";
const FILLED = 0.86;
const SHOWN = [
  { count: 1, weight: 45 },
  { count: 2, weight: 30 },
  { count: 3, weight: 25 },
];
/** By the place of an offer in its response. */
const SEEN = [0.74, 0.6, 0.47];
const CLICKED = 0.038;
const ORDERED = 0.085;
const REPEATED_VIEW = 0.03;
const INVALID_CLICKS = [
  { traffic: "duplicate", weight: 5 },
  { traffic: "too_fast", weight: 3 },
  { traffic: "bot", weight: 2 },
] as const;
const INVALID_CLICK = 0.09;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What happens on a day: the same events each time. */
export function simulateDay(simulation: Simulation, { dayMs, index }: SimulatedDate): SimulatedDay {
  const stream = new SeededStream(`${SEED}/${index}`);
  const day: SimulatedDay = { offers: [], facts: [], impressions: [], clicks: [], orders: [] };
  for (const visit of visitsOf(dayMs, index, stream)) {
    if (visit.atMs < simulation.toMs) new Visitor(simulation, stream, day).visit(visit);
  }
  return day;
}

/** Adds what one visitor does to the day. */
class Visitor {
  readonly #simulation: Simulation;
  readonly #stream: SeededStream;
  readonly #day: SimulatedDay;

  constructor(simulation: Simulation, stream: SeededStream, day: SimulatedDay) {
    this.#simulation = simulation;
    this.#stream = stream;
    this.#day = day;
  }

  visit(visit: Visit): void {
    const requestId = uuidv7Of(visit.atMs, this.#stream.hex(10));
    const records = this.#offers(visit, requestId);
    const fields = {
      request_id: requestId,
      tenant_id: this.#simulation.tenantId,
      channel_id: simulatedChannelId(this.#simulation.tenantId, visit.slug),
      mode: "live",
      placement: visit.placement,
      geo: visit.geo,
      device: visit.device,
      locale: visit.locale,
    };
    const reason = records.length > 0 ? "" : "no_match";
    this.#day.offers.push(...records);
    this.#day.facts.push(...requestRows(fields, { atMs: visit.atMs, records, reason, terms: [] }));
    for (const [position, record] of records.entries()) this.#look(record, { atMs: visit.atMs, position });
  }

  #offers(visit: Visit, requestId: string): OfferRecord[] {
    if (!this.#stream.chance(FILLED)) return [];
    const items = new Set(Array.from({ length: this.#stream.pick(SHOWN).count }, () => this.#item()));
    return [...items].map((item) => this.#record(visit, requestId, item));
  }

  #item(): SimulatedItem {
    return this.#stream.pick(this.#simulation.items);
  }

  #record(visit: Visit, requestId: string, item: SimulatedItem): OfferRecord {
    const { tenantId: buyerTenantId, bidMicros, weight: _, ...bought } = item;
    // Rivals determine the price: between half of the bid and the bid.
    const price = Math.round(bidMicros * this.#stream.between(0.5, 1));
    return {
      ...bought,
      id: uuidv7Of(visit.atMs, this.#stream.hex(10)),
      requestId,
      tenantId: this.#simulation.tenantId,
      channelId: simulatedChannelId(this.#simulation.tenantId, visit.slug),
      mode: "live",
      buyerTenantId,
      priceNanos: item.model === "cpc" ? price * 1000 : price,
      house: false,
      placement: visit.placement,
      geo: visit.geo,
      device: visit.device,
      locale: visit.locale,
      caps: null,
      userKey: "",
      seen: false,
      clickId: undefined,
    };
  }

  #look(record: OfferRecord, { atMs, position }: { atMs: number; position: number }): void {
    if (!this.#stream.chance(SEEN[position] ?? 0)) return;
    const seenMs = atMs + Math.round(this.#stream.between(1_500, 40_000));
    if (seenMs >= this.#simulation.toMs) return;
    this.#day.impressions.push(this.#claim(record, seenMs, null));
    if (this.#stream.chance(REPEATED_VIEW))
      this.#note(record, "impressions", { atMs: seenMs + 900, traffic: "duplicate" });
    if (this.#stream.chance(CLICKED)) this.#click(record, seenMs + Math.round(this.#stream.between(1_000, 90_000)));
  }

  #click(record: OfferRecord, atMs: number): void {
    const clickId = this.#stream.hex(16);
    if (atMs >= this.#simulation.toMs) return;
    this.#day.clicks.push(this.#claim(record, atMs, clickId));
    if (this.#stream.chance(INVALID_CLICK)) {
      const { traffic } = this.#stream.pick(INVALID_CLICKS);
      this.#note(record, "clicks", { atMs: atMs + 400, traffic });
    }
    if (this.#stream.chance(ORDERED)) this.#order(record, clickId, atMs + this.#stream.between(4, 30 * 60) * MINUTE_MS);
  }

  #order(record: OfferRecord, clickId: string, atMs: number): void {
    const orderId = `simulated-${this.#stream.hex(4)}`;
    const valueMicros = Math.round(this.#stream.between(18, 240)) * 1_000_000 - 10_000;
    if (atMs >= this.#simulation.toMs - HOUR_MS / 4) return;
    const { buyerTenantId: tenantId, advertiserId } = record;
    this.#day.orders.push({ tenantId, advertiserId, orderId, clickId, valueMicros, occurredAt: new Date(atMs) });
  }

  /** As claimed by impression reports and by the redirect. */
  #claim(record: OfferRecord, atMs: number, clickId: string | null): DatedClaim {
    const charge = chargeOf(record, clickId === null ? "impression" : "click", this.#simulation.publisherShare);
    const row = { ...eventRow(record, atMs, charge), ...extrasOf(clickId), traffic: "" };
    const { id: offerId, campaignId } = record;
    const day = new Date(atMs).toISOString().slice(0, 10);
    const { chargeNanos } = charge;
    return { offerId, at: atMs, clickId, campaignId, chargeNanos, payerId: payerOf(record), row, day };
  }

  #note(record: OfferRecord, table: "impressions" | "clicks", event: { atMs: number; traffic: Traffic }): void {
    if (event.atMs >= this.#simulation.toMs) return;
    const extras = extrasOf(table === "clicks" ? "" : null);
    const row = { ...eventRow(record, event.atMs, NO_CHARGE), ...extras, traffic: event.traffic };
    this.#day.facts.push([table, row]);
  }
}

const extrasOf = (clickId: string | null): FactRow =>
  clickId === null ? { reported_by: "browser" } : { click_id: clickId };
