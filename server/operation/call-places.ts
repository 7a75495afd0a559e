import { ServiceError } from "../kernel/errors";
import { FairSemaphore, type Release } from "../kernel/fair-semaphore";

/**
 * Calls that svc works on at the same time, of all tenants together: not many more than the database has connections, so
 * that calls wait here in turns by tenant, not there in the order in which they came.
 */
const CALLS_MAX = 32;
/** Of those whose input is large: one of a tenant, and a place for the next tenant. */
const LARGE_CALLS_MAX = 2;
/** A call that takes longer waits for something else, such as a function, a stream or its client. */
const HELD_MS_MAX = 100;

interface PlacedCall {
  isLarge?: boolean | undefined;
  /** Asked for only if the call must wait. */
  leaves?: () => AbortSignal | undefined;
}

/** Lets a tenant with many calls delay its own, and not those of others. */
export class CallPlaces {
  readonly #places = new FairSemaphore(CALLS_MAX);
  readonly #largePlaces = new FairSemaphore(LARGE_CALLS_MAX);

  /**
   * Runs a call of a tenant when it is the tenant's turn. The call gives its places back when it ends, or after 100 ms.
   * Rejects with `unavailable` when the client leaves before its turn.
   */
  async run<T>(tenantId: string, call: () => Promise<T>, { isLarge = false, leaves }: PlacedCall = {}): Promise<T> {
    const held: Release[] = [];
    const release = () => {
      for (const give of held.splice(0)) give();
    };
    let timer: NodeJS.Timeout | undefined;
    try {
      for (const places of isLarge ? [this.#largePlaces, this.#places] : [this.#places])
        held.push(places.tryTake(tenantId) ?? (await turnIn(places, tenantId, leaves?.())));
      timer = setTimeout(release, HELD_MS_MAX).unref();
      return await call();
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}

async function turnIn(places: FairSemaphore, tenantId: string, left: AbortSignal | undefined): Promise<Release> {
  try {
    return await places.take(tenantId, left);
  } catch {
    throw new ServiceError("unavailable", "The client left before it was the turn of this call.");
  }
}
