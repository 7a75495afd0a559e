import { type Holder, SharedAmount } from "../../kernel/shared-amount";
import { WorkerFailure } from "./worker-call";

/** What one tenant holds is less than this of what is free: alone it gets a third of all places. */
const OF_FREE = 1 / 2;

interface Waiting {
  tenant: string;
  admit(): void;
}

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
  readonly #places: SharedAmount;
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting>();

  constructor(limits: PlacesLimits) {
    this.#limits = limits;
    this.#places = new SharedAmount(limits.processesMax);
  }

  /** Waits for a place; the result gives it back. Throws `busy` if the tenant has to wait too long. */
  async take(tenant: string): Promise<() => void> {
    if (!this.#places.take([holder(tenant)], 1)) await this.#wait(tenant);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#places.release([holder(tenant)], 1);
      this.#admit();
    };
  }

  #wait(tenant: string): Promise<void> {
    const { placesWaitingMax, placeWaitMs } = this.#limits;
    const own = [...this.#waiting].filter((waiting) => waiting.tenant === tenant).length;
    if (own >= placesWaitingMax) throw busy();
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(busy());
      }, placeWaitMs);
      const waiting: Waiting = {
        tenant,
        admit: () => {
          clearTimeout(late);
          this.#waiting.delete(waiting);
          resolve();
        },
      };
      this.#waiting.add(waiting);
    });
  }

  #admit(): void {
    if (this.#waiting.size === 0) return;
    const byHeld = (a: Waiting, b: Waiting) => this.#places.heldBy(a.tenant) - this.#places.heldBy(b.tenant);
    for (const waiting of [...this.#waiting].sort(byHeld))
      if (this.#places.take([holder(waiting.tenant)], 1)) waiting.admit();
  }
}

const holder = (key: string): Holder => ({ key, ofFree: OF_FREE });

const busy = (): WorkerFailure =>
  new WorkerFailure("busy", "Too many of your projects and of their checks run code at this time; retry shortly.");
