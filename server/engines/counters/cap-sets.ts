import { capKey } from "./check-counters";
import type { CapsToLookUp, CapVerdicts, ConfirmCaps, ReserveCaps } from "./counters";
import { ExpiringMap } from "./expiring-map";

/** The ids that count in one window of one user, each with the time (ms) at which it stops counting. */
interface CapSet {
  stops: Map<string, number>;
  /** Bounds of the end times: none is earlier or later. After a release the bounds may be wider than necessary. */
  firstStopMs: number;
  lastStopMs: number;
}

/** Sliding-window caps of the in-process engine; `caps.lua.ts` does the same arithmetic in Redis. */
export class CapSets {
  readonly #sets = new ExpiringMap<CapSet>((set, now) => set.lastStopMs <= now);

  get size(): number {
    return this.#sets.size;
  }

  /** `keys` are the storage keys of the windows. */
  reserve(keys: string[], request: ReserveCaps, nowMs: number): CapVerdicts {
    const verdicts = this.look(keys, request, nowMs);
    for (const [i, { id, windows }] of request.candidates.entries()) {
      if (verdicts[i] !== "reserved") continue;
      for (const index of windows) {
        const key = keys[index] ?? "";
        if (this.#sets.get(key)?.stops.has(id)) continue;
        const stopMs = nowMs + Math.min(request.holdMs, request.windows[index]?.windowMs ?? 0);
        this.#put(key, { id, stopMs }, nowMs);
      }
    }
    return { reservedAtMs: nowMs, verdicts };
  }

  /** Which candidates get a place, in rank order; each one counts for those after it. */
  look(keys: string[], { windows, candidates, wanted }: CapsToLookUp, nowMs: number): CapVerdicts["verdicts"] {
    const sets = keys.map((key) => this.#live(key, nowMs)?.stops);
    // By key, not by index: several limits may apply to one window.
    const takenByKey = new Map(keys.map((key) => [key, new Set<string>()]));
    const taken = keys.map((key) => takenByKey.get(key));
    const holds = (index: number, id: string) => sets[index]?.has(id) || taken[index]?.has(id);
    const isFull = (index: number) =>
      (sets[index]?.size ?? 0) + (taken[index]?.size ?? 0) >= (windows[index]?.count ?? 0);
    let got = 0;
    return candidates.map(({ id, windows: indexes }) => {
      if (got >= wanted) return "not_needed";
      const blockedBy = indexes.find((index) => isFull(index) && !holds(index, id));
      if (blockedBy !== undefined) return { blockedBy };
      got++;
      for (const index of indexes) if (!holds(index, id)) taken[index]?.add(id);
      return "reserved";
    });
  }

  confirm({ user, id, reservedAtMs, windows, holdMs }: ConfirmCaps, nowMs: number): void {
    for (const window of windows) {
      const key = capKey(user, window);
      const heldUntilMs = this.#live(key, nowMs)?.stops.get(id) ?? 0;
      const stopMs = Math.max(heldUntilMs, reservedAtMs + Math.min(holdMs ?? window.windowMs, window.windowMs));
      if (stopMs > nowMs) this.#put(key, { id, stopMs }, nowMs);
    }
  }

  release({ user, id, windows }: Pick<ConfirmCaps, "user" | "id" | "windows">): void {
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

  /** The set without the entries that no longer count. */
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
