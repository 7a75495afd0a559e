import { FairSemaphore, type Release } from "../../kernel/fair-semaphore";
import { takePlace } from "../../kernel/take-place";
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
  take(tenant: string): Promise<Release> {
    const { placesWaitingMax: waitingMax, placeWaitMs: waitMs } = this.#limits;
    return takePlace(this.#places, tenant, { waitingMax, waitMs, refusal: busy });
  }
}

const busy = (): WorkerFailure =>
  new WorkerFailure("busy", "Too many of your projects and of their checks run code at this time; retry shortly.");
