import type { Clock } from "../../kernel/clock";
import { CapSets } from "./cap-sets";
import { checkCount, checkLook, checkReserve, checkTake, checkTakeWindow, countsLost } from "./check-counters";
import type {
  CapsToLookUp,
  CapVerdicts,
  ConfirmCaps,
  Counters,
  Rate,
  RateVerdict,
  RateWindow,
  ReserveCaps,
  Tally,
} from "./counters";
import { ExpiringMap } from "./expiring-map";
import { gcra } from "./gcra";
import { slide } from "./rate-window";
import { Topics } from "./topics";

/**
 * Counters in one svc process: the default without `REDIS_URL`. State is lost with the process; the counts of caps are
 * restored by `rebuild`. `onError` receives what a listener throws (default: ignored).
 */
export class MemoryCounters implements Counters {
  readonly engine = "memory";
  readonly #clock: Clock;
  readonly #topics: Topics;
  readonly #buckets = new ExpiringMap<number>((tatUs, nowUs) => tatUs <= nowUs);
  readonly #windows = new ExpiringMap<number[]>((stopsMs, nowMs) => (stopsMs.at(-1) ?? 0) <= nowMs);
  readonly #tallies = new ExpiringMap<{ total: number; endsMs: number }>(({ endsMs }, nowMs) => endsMs <= nowMs);
  readonly #caps = new CapSets();
  #countedThroughMs: number | undefined;
  #isFilling = false;

  constructor(clock: Clock, onError: (cause: unknown) => void = () => {}) {
    this.#clock = clock;
    this.#topics = new Topics(onError);
  }

  /** The number of keys in memory, including expired ones that are not removed yet. */
  get size(): number {
    return this.#buckets.size + this.#windows.size + this.#tallies.size + this.#caps.size;
  }

  async take(key: string, rate: Rate, cost = 1): Promise<RateVerdict> {
    const rateUs = checkTake(rate, cost);
    const nowUs = this.#nowMs() * 1000;
    const { verdict, tatUs } = gcra(this.#buckets.get(key), nowUs, rateUs);
    if (verdict.allowed && cost > 0) this.#buckets.set(key, tatUs, nowUs);
    return verdict;
  }

  async takeWindow(key: string, window: RateWindow): Promise<RateVerdict> {
    const stored = checkTakeWindow(key, window);
    const nowMs = this.#nowMs();
    const stopsMs = this.#windows.get(stored) ?? [];
    const verdict = slide(stopsMs, nowMs, window);
    this.#windows.set(stored, stopsMs, nowMs);
    return verdict;
  }

  async count(tallies: readonly Tally[]): Promise<number[]> {
    const keys = checkCount(tallies);
    const nowMs = this.#nowMs();
    return tallies.map(({ by, lifeMs }, i) => this.#add(keys[i] ?? "", { by, lifeMs }, nowMs));
  }

  async reserve(request: ReserveCaps): Promise<CapVerdicts> {
    const keys = checkReserve(request);
    this.#assertWhole(request);
    return this.#caps.reserve(keys, request, this.#nowMs());
  }

  async look(request: CapsToLookUp): Promise<CapVerdicts["verdicts"]> {
    const keys = checkLook(request);
    this.#assertWhole(request);
    return this.#caps.look(keys, request, this.#nowMs());
  }

  async confirm(request: ConfirmCaps): Promise<void> {
    this.#caps.confirm(request, this.#nowMs());
  }

  async release(request: Pick<ConfirmCaps, "user" | "id" | "windows">): Promise<void> {
    this.#caps.release(request);
  }

  async countedThrough(): Promise<number | undefined> {
    return this.#countedThroughMs;
  }

  async recordCounted(throughMs: number): Promise<void> {
    if (this.#countedThroughMs !== undefined) this.#countedThroughMs = Math.max(this.#countedThroughMs, throughMs);
  }

  async rebuild(fill: () => Promise<number>): Promise<boolean> {
    if (this.#countedThroughMs !== undefined) return true;
    if (this.#isFilling) return false;
    this.#isFilling = true;
    try {
      this.#countedThroughMs = await fill();
      return true;
    } finally {
      this.#isFilling = false;
    }
  }

  async publish(topic: string, message: string): Promise<void> {
    // As with Redis, the listeners run after `publish` has returned.
    setImmediate(() => this.#topics.deliver(topic, message));
  }

  async subscribe(topic: string, onMessage: (message: string) => void): Promise<() => Promise<void>> {
    const stop = this.#topics.add(topic, onMessage);
    return async () => stop();
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {
    this.#topics.clear();
    this.#buckets.clear();
    this.#windows.clear();
    this.#tallies.clear();
    this.#caps.clear();
    this.#countedThroughMs = undefined;
  }

  #add(key: string, { by, lifeMs }: Omit<Tally, "key">, nowMs: number): number {
    const known = this.#tallies.get(key);
    const total = (known !== undefined && known.endsMs > nowMs ? known.total : 0) + by;
    if (by > 0) this.#tallies.set(key, { total, endsMs: nowMs + lifeMs }, nowMs);
    return total;
  }

  #assertWhole({ whole = false }: CapsToLookUp): void {
    if (whole && this.#countedThroughMs === undefined) throw countsLost();
  }

  #nowMs(): number {
    return this.#clock.now().getTime();
  }
}
