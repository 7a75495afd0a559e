import type { Counters } from "../../engines/counters/counters";
import { failOpen } from "../../engines/counters/fail-open";
import { MemoryCounters } from "../../engines/counters/memory-counters";
import type { Clock } from "../../kernel/clock";
import { DAY_MS, IMPRESSIONS_OF_USER_PER_HOUR } from "../limits";
import type { OfferRecord } from "../offer-records/offer-record";
import {
  clicksOfNetworkAllowed,
  impressionsAllowed,
  impressionsOfNetworkAllowed,
  isPlausibleClickRate,
} from "./plausibility";
import { TallyBatch } from "./tally-batch";
import type { Traffic } from "./traffic-reason";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export type Implausible = Extract<Traffic, `implausible_${string}`>;

/** The reason of each offer whose event is implausible, by offer id. */
export type ImplausibleOffers = Map<string, Implausible>;

type Offer = Pick<OfferRecord, "id" | "channelId" | "tenantId" | "userKey" | "priceNanos">;

/**
 * Detects events of priced offers that a channel's visitors cannot explain, by counting events per channel, publisher,
 * network and user per UTC day. What a publisher cannot forge alone is the number of networks from which people clicked
 * or viewed offers today and yesterday. Each check is one counter operation; if the counters are unavailable or lost
 * their data, only events within the base allowances are plausible.
 */
export class PlausibleTraffic {
  readonly #counters: Counters;
  readonly #spare: Counters;
  readonly #clock: Clock;

  constructor({ counters, clock }: { counters: Counters; clock: Clock }) {
    this.#counters = counters;
    this.#spare = new MemoryCounters(clock);
    this.#clock = clock;
  }

  /** Impressions of one channel, in the order in which the publisher's server reported them. */
  async ofServer(offers: readonly Offer[]): Promise<ImplausibleOffers> {
    const priced = offers.filter(isPriced);
    const [first] = priced;
    if (!first) return new Map();
    const batch = new TallyBatch();
    const [keys, scopes] = [this.#keys(), scopesOf(first)];
    for (const scope of scopes) keys.readNetworks(batch, scope);
    const counted = priced.map(({ id, userKey }) => {
      batch.add(keys.shown(scopes[0]), DAY_MS);
      const user = userKey === "" ? keys.nameless(scopes[0]) : keys.user(scopes[0], userKey);
      const places = scopes.map((scope) => ({
        minute: batch.add(keys.minute(scope), MINUTE_MS),
        day: batch.add(keys.day(scope), DAY_MS),
      }));
      return { id, isNameless: userKey === "", user, ofUser: batch.add(user, DAY_MS), places };
    });
    await batch.count(this.#counters, this.#spare);
    const allowed = scopes.map((scope) => impressionsAllowed(keys.networks(batch, scope)));
    const isWithin = ({ isNameless, user, ofUser, places }: (typeof counted)[number]) =>
      batch.place(user, ofUser) <= (isNameless ? (allowed[0]?.nameless ?? 0) : IMPRESSIONS_OF_USER_PER_HOUR) &&
      scopes.every(
        (scope, i) =>
          batch.place(keys.minute(scope), places[i]?.minute ?? 0) <= (allowed[i]?.minute ?? 0) &&
          batch.place(keys.day(scope), places[i]?.day ?? 0) <= (allowed[i]?.day ?? 0),
      );
    return reasonFor(
      counted.filter((one) => !isWithin(one)),
      "implausible_rate",
    );
  }

  /** Impressions on any channels, reported by browsers of one network. */
  async ofBrowser(offers: readonly Offer[], network: string): Promise<ImplausibleOffers> {
    const priced = offers.filter(isPriced);
    if (priced.length === 0) return new Map();
    const batch = new TallyBatch();
    const keys = this.#keys();
    const scopes = new Set(priced.flatMap(scopesOf));
    for (const scope of scopes) keys.seeNetwork(batch, scope, network);
    const counted = priced.map((offer) => {
      batch.add(keys.shown(scopesOf(offer)[0]), DAY_MS);
      const places = scopesOf(offer).map((scope) => ({ scope, place: batch.add(keys.shown(scope, network), DAY_MS) }));
      return { id: offer.id, places };
    });
    await batch.count(this.#counters, this.#spare);
    await this.#recordNetworks(batch, keys, { scopes, network });
    const isWithin = ({ places }: (typeof counted)[number]) =>
      places.every(
        ({ scope, place }) =>
          batch.place(keys.shown(scope, network), place) <= impressionsOfNetworkAllowed(keys.networks(batch, scope)),
      );
    return reasonFor(
      counted.filter((one) => !isWithin(one)),
      "implausible_spread",
    );
  }

  /** A click; returns "" if it is plausible. */
  async ofClick(offer: Offer, network: string): Promise<"" | Implausible> {
    if (!isPriced(offer)) return "";
    const batch = new TallyBatch();
    const [keys, scopes] = [this.#keys(), scopesOf(offer)];
    const [channel] = scopes;
    for (const scope of scopes) {
      keys.seeNetwork(batch, scope, network);
      batch.add(keys.clicks(scope, network), DAY_MS);
    }
    batch.add(keys.clicks(channel), DAY_MS);
    batch.read(keys.shown(channel));
    await batch.count(this.#counters, this.#spare);
    const isSpread = scopes.every(
      (scope) => batch.total(keys.clicks(scope, network)) <= clicksOfNetworkAllowed(keys.networks(batch, scope)),
    );
    if (!isSpread) return "implausible_spread";
    const networks = keys.networks(batch, channel);
    // Implausible impressions do not count when the click rate is checked.
    const shown = Math.min(batch.total(keys.shown(channel)), impressionsAllowed(networks).day);
    if (!isPlausibleClickRate(batch.total(keys.clicks(channel)), shown)) return "implausible_click_rate";
    await this.#recordNetworks(batch, keys, { scopes, network });
    return "";
  }

  /** Counts a network that was not seen earlier today, in each of its scopes. */
  async #recordNetworks(
    batch: TallyBatch,
    keys: Keys,
    { scopes, network }: { scopes: Iterable<Scope>; network: string },
  ): Promise<void> {
    const fresh = [...scopes].filter((scope) => batch.total(keys.network(scope, network)) === 1);
    if (fresh.length === 0) return;
    await failOpen(this.#counters.count(fresh.map((scope) => ({ key: keys.known(scope), by: 1, lifeMs: 2 * DAY_MS }))));
  }

  #keys(): Keys {
    return new Keys(this.#clock.now().getTime());
  }
}

type Scope = `channel:${string}` | `publisher:${string}`;

/** A channel's events also count for its publisher; otherwise each new channel would get a new allowance. */
const scopesOf = ({ channelId, tenantId }: Offer): [channel: Scope, publisher: Scope] => [
  `channel:${channelId}`,
  `publisher:${tenantId}`,
];

const isPriced = ({ priceNanos }: Offer): boolean => priceNanos > 0;

const reasonFor = (offers: readonly { id: string }[], reason: Implausible): ImplausibleOffers =>
  new Map(offers.map(({ id }) => [id, reason]));

/** The keys of the tallies at a point in time. */
class Keys {
  readonly #nowMs: number;
  readonly #day: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
    this.#day = Math.floor(nowMs / DAY_MS);
  }

  shown = (scope: Scope, network = ""): string => `shown:${this.#day}:${scope}:${network}`;
  clicks = (scope: Scope, network = ""): string => `clicks:${this.#day}:${scope}:${network}`;
  day = (scope: Scope): string => `reported:${this.#day}:${scope}`;
  minute = (scope: Scope): string => `reported_minute:${Math.floor(this.#nowMs / MINUTE_MS)}:${scope}`;
  nameless = (scope: Scope): string => `nameless:${this.#day}:${scope}`;
  user = (scope: Scope, userKey: string): string => `user:${Math.floor(this.#nowMs / HOUR_MS)}:${scope}:${userKey}`;
  network = (scope: Scope, network: string): string => `network:${this.#day}:${scope}:${network}`;
  known = (scope: Scope, day = this.#day): string => `networks:${day}:${scope}`;

  readNetworks(batch: TallyBatch, scope: Scope): void {
    batch.read(this.known(scope));
    batch.read(this.known(scope, this.#day - 1));
  }

  seeNetwork(batch: TallyBatch, scope: Scope, network: string): void {
    this.readNetworks(batch, scope);
    batch.add(this.network(scope, network), DAY_MS);
  }

  /** The number of networks of today and yesterday. */
  networks = (batch: TallyBatch, scope: Scope): number =>
    batch.total(this.known(scope)) + batch.total(this.known(scope, this.#day - 1));
}
