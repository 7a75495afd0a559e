import { shareOf } from "../../kernel/share-of";
import { passesPacing } from "../budgets/passes-pacing";
import type { Snapshot } from "../matching/snapshot";
import type { Neighbours } from "../serving/neighbours";
import type { OfferRequest } from "../serving/offer-request";
import type { Ranking } from "./ranking";

/** All remembered contenders, and one more per request: about 8 MB. */
const SIZE_MAX = 50_000;
/** Longer requests carry page texts or signals that hardly repeat. */
const KEY_CHARACTERS_MAX = 1000;
/** Offers of exactly equal value beyond the shortlist take turns this often. */
const LIFETIME_MS = 10_000;
/** Different participations of paced campaigns that are remembered for one request. */
const VARIANTS_MAX = 8;
/** With more paced campaigns the same participation hardly occurs twice. */
const PACED_MAX = 16;
/** How many recent requests are recognized as asked before; a power of two. */
const ASKED_MAX = 2 ** 15;

interface Entry extends Ranking {
  /** Whether the paced campaigns that were asked about participated, by slot. */
  paced: ReadonlyMap<number, boolean>;
  /** The items that were near by their vectors; the same object while they do not change. */
  neighbours: Neighbours | undefined;
  now: Date;
}

type Moment = Pick<Entry, "neighbours" | "now"> & { seed: string };

/**
 * The fields of a request that a decision uses, as one text; undefined for a long request. Case and the amount of white
 * space make no difference.
 */
export function requestKey(request: OfferRequest): string | undefined {
  const { channelId, geo, device, locale, placement, limit, signals } = request;
  if (request.query.length + request.context.length > KEY_CHARACTERS_MAX) return undefined;
  const texts = [request.query, request.context].map((text) => text.trim().replace(/\s+/g, " ").toLowerCase());
  const key = JSON.stringify([channelId, geo, device, locale, placement, limit, ...texts, signals]);
  return key.length > KEY_CHARACTERS_MAX ? undefined : key;
}

/**
 * Remembers the contenders of recent requests for as long as the snapshot does not change, from the second time that a
 * request is decided: what is asked only once is not worth its memory (the idea of TinyLFU's doorkeeper, Einziger,
 * Friedman, Manes 2017). An entry holds for requests in which the same paced campaigns participate.
 */
export class DecisionMemory {
  readonly #entries = new Map<string, Entry[]>();
  /** Hashes of recent keys; a new one replaces another. */
  readonly #asked = new Uint32Array(ASKED_MAX);
  #size = 0;
  #version = -1;

  find(snapshot: Snapshot, key: string, { seed, neighbours, now }: Moment): Ranking | undefined {
    if (snapshot.version !== this.#version) return undefined;
    const entries = this.#entries.get(key);
    return entries?.find(
      (entry) => isYoung(entry, now) && entry.neighbours === neighbours && isFor(entry, snapshot, seed),
    );
  }

  keep(snapshot: Snapshot, key: string, entry: Entry): void {
    if (entry.paced.size > PACED_MAX || !this.#isAskedAgain(key)) return;
    if (snapshot.version !== this.#version || this.#size >= SIZE_MAX) {
      this.#entries.clear();
      this.#size = 0;
    }
    this.#version = snapshot.version;
    const { contenders, bestScore, terms, affinity, paced, neighbours, now } = entry;
    const others = (this.#entries.get(key) ?? []).filter((other) => isYoung(other, now)).slice(1 - VARIANTS_MAX);
    this.#entries.set(key, [...others, { contenders, bestScore, terms, affinity, paced, neighbours, now }]);
    this.#size += 1 + contenders.length;
  }

  #isAskedAgain(key: string): boolean {
    const hash = shareOf(key) * 2 ** 32;
    const at = hash % ASKED_MAX;
    const isKnown = this.#asked[at] === hash;
    this.#asked[at] = hash;
    return isKnown;
  }
}

/** The clock may also have been set back. */
const isYoung = (entry: Entry, now: Date): boolean => Math.abs(now.getTime() - entry.now.getTime()) <= LIFETIME_MS;

function isFor({ paced }: Entry, snapshot: Snapshot, seed: string): boolean {
  for (const [slot, passes] of paced) {
    const campaign = snapshot.campaignAt(slot);
    if (!campaign || passesPacing(campaign, seed) !== passes) return false;
  }
  return true;
}
