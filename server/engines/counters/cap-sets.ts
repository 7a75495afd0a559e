import { capKey } from "./check-counters";
import type { CapCandidate, CapVerdicts, ReserveCaps, SettleCaps } from "./counters";
import { ExpiringMap } from "./expiring-map";

/** What counts in one window of one user: id -> the time (ms) at which it stops counting. */
interface CapSet {
  stops: Map<string, number>;
  /** No stop is earlier, or later, than these; both may be too wide after a release. */
  firstStopMs: number;
  lastStopMs: number;
}

/** Sliding-window caps of the in-process engine; `caps.lua.ts` is the same arithmetic inside Redis. */
export class CapSets {
  readonly #sets = new ExpiringMap<CapSet>((set, now) => set.lastStopMs <= now);

  get size(): number {
    return this.#sets.size;
  }

  /** `keys` are the storage keys of the windows. */
  reserve(keys: string[], { windows, candidates, wanted, holdMs }: ReserveCaps, nowMs: number): CapVerdicts {
    const sets = keys.map((key) => this.#live(key, nowMs));
    const blocker = ({ id, windows: indexes }: CapCandidate) =>
      indexes.find((index) => {
        const stops = sets[index]?.stops;
        return (stops?.size ?? 0) >= (windows[index]?.count ?? 0) && !stops?.has(id);
      });
    let got = 0;
    const verdicts = candidates.map((candidate): CapVerdicts["verdicts"][number] => {
      if (got >= wanted) return "not_needed";
      const blockedBy = blocker(candidate);
      if (blockedBy !== undefined) return { blockedBy };
      got++;
      for (const index of candidate.windows) {
        if (sets[index]?.stops.has(candidate.id)) continue;
        const stopMs = nowMs + Math.min(holdMs, windows[index]?.windowMs ?? 0);
        sets[index] = this.#put(keys[index] ?? "", { id: candidate.id, stopMs }, nowMs);
      }
      return "reserved";
    });
    return { reservedAtMs: nowMs, verdicts };
  }

  /** How many windows count the id now; `add` also counts it where it was not held. */
  settle({ user, id, reservedAtMs, windows }: SettleCaps, nowMs: number, add: boolean): number {
    let found = 0;
    for (const window of windows) {
      const key = capKey(user, window);
      const heldUntilMs = this.#live(key, nowMs)?.stops.get(id) ?? 0;
      if (heldUntilMs === 0 && !add) continue;
      const stopMs = Math.max(heldUntilMs, reservedAtMs + window.windowMs);
      if (stopMs <= nowMs) continue;
      found++;
      this.#put(key, { id, stopMs }, nowMs);
    }
    return found;
  }

  release({ user, id, windows }: Pick<SettleCaps, "user" | "id" | "windows">): void {
    for (const window of windows) {
      const key = capKey(user, window);
      const stops = this.#sets.get(key)?.stops;
      if (stops?.delete(id) && stops.size === 0) this.#sets.delete(key);
    }
  }

  clear(): void {
    this.#sets.clear();
  }

  #put(key: string, { id, stopMs }: { id: string; stopMs: number }, nowMs: number): CapSet {
    const set = this.#sets.get(key) ?? { stops: new Map<string, number>(), firstStopMs: stopMs, lastStopMs: stopMs };
    set.stops.set(id, stopMs);
    set.firstStopMs = Math.min(set.firstStopMs, stopMs);
    set.lastStopMs = Math.max(set.lastStopMs, stopMs);
    this.#sets.set(key, set, nowMs);
    return set;
  }

  /** The set without what has stopped counting. */
  #live(key: string, nowMs: number): CapSet | undefined {
    const set = this.#sets.get(key);
    if (!set || set.firstStopMs > nowMs) return set;
    set.firstStopMs = Number.POSITIVE_INFINITY;
    for (const [id, stopMs] of set.stops) {
      if (stopMs <= nowMs) set.stops.delete(id);
      else set.firstStopMs = Math.min(set.firstStopMs, stopMs);
    }
    if (set.stops.size > 0) return set;
    this.#sets.delete(key);
    return undefined;
  }
}
