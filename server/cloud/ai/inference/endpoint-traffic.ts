import { ServiceError } from "../../../kernel/errors";
import { pause } from "../../../kernel/pause";
import type { Replica } from "./replicas";

/** Requests that wait in one process until a replica of an endpoint is ready, and how long each waits. */
const QUEUE_MAX = 100;
const QUEUE_MS = 240_000;
const LOOK_MS = 150;
/** A replica that a request could not reach gets none for so long. */
const AVOID_MS = 3000;
const FRESH_MS = 1000;

/** What this process passes to the replicas of one endpoint. */
export class EndpointTraffic {
  readonly #read: () => Promise<Replica[]>;
  readonly #outstanding = new Map<string, number>();
  readonly #avoidedUntilMs = new Map<string, number>();
  #replicas: Promise<Replica[]> = Promise.resolve([]);
  #readAtMs = Number.NEGATIVE_INFINITY;
  #queued = 0;
  #added = 0;
  #wasBusy = false;

  /** `read`: the replicas that may receive requests. */
  constructor(read: () => Promise<Replica[]>) {
    this.#read = read;
  }

  /** Counts a request. */
  add(): void {
    this.#added++;
  }

  /** What is to be reported; undefined: nothing since the last time. */
  take(): { outstanding: Record<string, number>; queued: number; added: number } | undefined {
    const isBusy = this.#outstanding.size > 0 || this.#queued > 0;
    const added = this.#added;
    const isNews = isBusy || this.#wasBusy || added > 0;
    this.#wasBusy = isBusy;
    this.#added = 0;
    return isNews ? { outstanding: Object.fromEntries(this.#outstanding), queued: this.#queued, added } : undefined;
  }

  /** Counts a request at a replica; the result ends that. */
  begin(podId: string): () => void {
    this.#outstanding.set(podId, (this.#outstanding.get(podId) ?? 0) + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#outstanding.get(podId) ?? 1) - 1;
      if (left > 0) this.#outstanding.set(podId, left);
      else this.#outstanding.delete(podId);
    };
  }

  avoid(podId: string): void {
    const now = performance.now();
    for (const [id, until] of this.#avoidedUntilMs) if (until < now) this.#avoidedUntilMs.delete(id);
    this.#avoidedUntilMs.set(podId, now + AVOID_MS);
  }

  /**
   * The ready replica with the fewest requests; waits until there is one, after `onWait`. Throws `rate_limited` (reason
   * `endpoint_queue_full`) and `unavailable` (reason `endpoint_not_ready`).
   */
  async replica(signal: AbortSignal, onWait: () => void): Promise<Replica> {
    const found = await this.#choose(FRESH_MS);
    if (found) return found;
    if (this.#queued >= QUEUE_MAX) throw queueFull();
    this.#queued++;
    try {
      onWait();
      return await this.#wait(signal);
    } finally {
      this.#queued--;
    }
  }

  async #wait(signal: AbortSignal): Promise<Replica> {
    const until = performance.now() + QUEUE_MS;
    while (!signal.aborted && performance.now() < until) {
      await pause(LOOK_MS, signal);
      const found = await this.#choose(LOOK_MS);
      if (found) return found;
    }
    throw notReady();
  }

  async #choose(freshMs: number): Promise<Replica | undefined> {
    const now = performance.now();
    if (now - this.#readAtMs >= freshMs) {
      this.#readAtMs = now;
      this.#replicas = this.#read();
      // The next request tries again.
      this.#replicas.catch(() => {
        this.#readAtMs = Number.NEGATIVE_INFINITY;
      });
    }
    const open = (await this.#replicas).filter(({ row }) => (this.#avoidedUntilMs.get(row.podId) ?? 0) < now);
    const countOf = ({ row }: Replica) => this.#outstanding.get(row.podId) ?? 0;
    return open.toSorted((a, b) => countOf(a) - countOf(b))[0];
  }
}

const queueFull = (): ServiceError =>
  new ServiceError("rate_limited", `No replica is ready, and ${QUEUE_MAX} requests wait already; retry shortly.`, {
    retryAfterSeconds: 5,
    details: { reason: "endpoint_queue_full" },
  });

const notReady = (): ServiceError =>
  new ServiceError("unavailable", "No replica of the endpoint became ready in time; retry later.", {
    retryAfterSeconds: 10,
    details: { reason: "endpoint_not_ready" },
  });
