import { FairSemaphore, type Release } from "../../kernel/fair-semaphore";
import { WorkerFailure } from "./worker-call";

/** What one tenant holds is less than this of what is free: alone it gets a third of all places. */
const OF_FREE = 1 / 2;

export interface PlacesLimits {
  processesMax: number;
  /** Of one tenant. */
  placesWaitingMax: number;
  placeWaitMs: number;
}

/**
 * Which processes may run calls at the same time. A tenant that has its share waits for itself: places that become free go
 * to the tenant that holds the fewest, and none is ever kept from another by who waits.
 */
export class ProcessPlaces {
  readonly #limits: PlacesLimits;
  readonly #places: FairSemaphore;

  constructor(limits: PlacesLimits) {
    this.#limits = limits;
    this.#places = new FairSemaphore(limits.processesMax, OF_FREE);
  }

  /** Waits for a place; the result gives it back. Throws `busy` if the tenant has to wait too long. */
  async take(tenant: string): Promise<Release> {
    const { placesWaitingMax, placeWaitMs } = this.#limits;
    const free = this.#places.tryTake(tenant);
    if (free) return free;
    if (this.#places.waitingOf(tenant) >= placesWaitingMax) throw busy();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(busy()), placeWaitMs);
    try {
      return await this.#places.take(tenant, late.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

const busy = (): WorkerFailure =>
  new WorkerFailure("busy", "Too many of your projects and of their checks run code at this time; retry shortly.");
