import { LRUCache } from "lru-cache";
import type { Counters } from "../../../engines/counters/counters";
import type { Clock } from "../../../kernel/clock";
import { confirmChatRules, onChatRules } from "./announce-chat-rules";
import type { ChatPayer } from "./chat-ledger";
import type { Admission } from "./chat-requests.sql";

/** How long a place counts as plain. A change of the rules waits as long for a process that does not confirm it. */
export const PLAIN_MS = 2000;
/** Shorter than the lease after which a process that does not renew its registration is forgotten. */
const REGISTERED_MS = 15_000;
const PROJECTS_MAX = 10_000;
/** Of one project; it has a place for each key and mode. */
const PLACES_MAX = 200;

export interface PlainPlacesParts {
  clock: Clock;
  counters: Pick<Counters, "subscribe" | "publish">;
  /** As it is registered in `chat_processes`. */
  processId: string;
}

type Payer = Pick<ChatPayer, "projectId" | "mode" | "keyId">;

/** What is known of a payer when a request begins. */
export interface Place {
  isPlain: boolean;
  /** Learns from the admission of this request, unless the rules were changed meanwhile. */
  learn(admission: Admission): void;
}

/**
 * Payers that no budget limits and whose project has no settings, as the admissions of the last two seconds have shown;
 * no query is made to find out. Nothing counts as plain in a process that is not registered, because only registered
 * ones are waited for when the rules change.
 */
export class PlainPlaces {
  readonly #clock: Clock;
  readonly #projects = new LRUCache<string, Map<string, number>>({ max: PROJECTS_MAX });
  readonly #subscribed: Promise<() => Promise<void>>;
  #isSubscribed = false;
  #registeredMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, counters, processId }: PlainPlacesParts) {
    this.#clock = clock;
    this.#subscribed = onChatRules(counters, (change) => {
      this.#projects.delete(change.projectId);
      confirmChatRules(counters, change, processId).catch(() => undefined);
    });
    this.#subscribed.then(
      () => {
        this.#isSubscribed = true;
      },
      () => undefined,
    );
  }

  /** Call it when the registration was renewed, with the time (performance.now()) at which that began. */
  registered(atMs: number): void {
    this.#registeredMs = atMs;
  }

  /** Call it before the registration ends. */
  unregistered(): void {
    this.#registeredMs = Number.NEGATIVE_INFINITY;
  }

  look({ projectId, mode, keyId }: Payer): Place {
    const nowMs = this.#clock.now().getTime();
    const isTrusted = this.#isSubscribed && performance.now() < this.#registeredMs + REGISTERED_MS;
    const places = this.#projects.get(projectId) ?? new Map<string, number>();
    this.#projects.set(projectId, places);
    const name = `${mode} ${keyId ?? ""}`;
    return {
      isPlain: isTrusted && nowMs < (places.get(name) ?? 0),
      // A change replaces the map, so that what was read before the change is not used.
      learn: (admission) => {
        if (!(isTrusted && isPlain(admission))) places.delete(name);
        else if (places.size < PLACES_MAX || places.has(name)) places.set(name, nowMs + PLAIN_MS);
      },
    };
  }

  /** Nothing counts as plain until requests have shown it again. */
  clear(): void {
    this.#projects.clear();
  }

  async close(): Promise<void> {
    this.#isSubscribed = false;
    await (await this.#subscribed.catch(() => undefined))?.();
  }
}

const isPlain = ({ refused_by, budget_ids, stores_bodies, cache_seconds, offers_channel_id }: Admission): boolean =>
  refused_by === null && budget_ids.length === 0 && !stores_bodies && !cache_seconds && offers_channel_id === null;
