import { ServiceError } from "../kernel/errors";
import { FairSemaphore, type Release } from "../kernel/fair-semaphore";

/**
 * Calls that svc works on at the same time, of all tenants together: about as many as the database has connections, so that
 * calls wait here in turns by tenant, not there in the order in which they came.
 */
const CALLS_MAX = 24;
/** A call that takes longer waits for something else, such as a function, a stream or its client. */
const HELD_MS_MAX = 250;

/** Lets a tenant with many calls delay its own, and not those of others. */
export class CallPlaces {
  readonly #places = new FairSemaphore(CALLS_MAX);

  /**
   * Runs a call of a tenant when it is the tenant's turn. The call gives its place back when it ends, or after 250 ms.
   * Rejects with `unavailable` when the client leaves before its turn; `leaves` is asked for only if the call must wait.
   */
  async run<T>(tenantId: string, call: () => Promise<T>, leaves?: () => AbortSignal | undefined): Promise<T> {
    const release = this.#places.tryTake(tenantId) ?? (await this.#wait(tenantId, leaves?.()));
    const timer = setTimeout(release, HELD_MS_MAX);
    timer.unref();
    try {
      return await call();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  async #wait(tenantId: string, left: AbortSignal | undefined): Promise<Release> {
    try {
      return await this.#places.take(tenantId, left);
    } catch {
      throw new ServiceError("unavailable", "The client left before it was the turn of this call.");
    }
  }
}
