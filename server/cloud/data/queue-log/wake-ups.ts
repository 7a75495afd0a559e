import { randomUUID } from "node:crypto";
import type { Counters } from "../../../engines/counters/counters";

interface Announcement {
  isRunning: boolean;
  again: boolean;
}

/**
 * Tells the other processes that there may be something to receive, at most once at a time per queue, and is told by
 * them. An announcement that is lost costs the time until the next poll.
 */
export class WakeUps {
  readonly #counters: Pick<Counters, "publish" | "subscribe">;
  readonly #onWake: (queueId: string) => void;
  readonly #self = randomUUID();
  readonly #announcements = new Map<string, Announcement>();
  readonly #subscriptions = new Map<string, Promise<(() => Promise<void>) | undefined>>();

  constructor(counters: Pick<Counters, "publish" | "subscribe">, onWake: (queueId: string) => void) {
    this.#counters = counters;
    this.#onWake = onWake;
  }

  announce(queueId: string): void {
    const known = this.#announcements.get(queueId);
    if (known) {
      known.again = true;
      return;
    }
    const announcement = { isRunning: true, again: true };
    this.#announcements.set(queueId, announcement);
    void this.#announce(queueId, announcement);
  }

  /** From now on `onWake` is called for what other processes announce of this queue. */
  watch(queueId: string): void {
    if (this.#subscriptions.has(queueId)) return;
    const subscribed = this.#counters
      .subscribe(topicOf(queueId), (sender) => {
        if (sender !== this.#self) this.#onWake(queueId);
      })
      .then(
        (unsubscribe) => {
          // Something may have been announced meanwhile.
          this.#onWake(queueId);
          return unsubscribe;
        },
        () => {
          this.#subscriptions.delete(queueId);
          return undefined;
        },
      );
    this.#subscriptions.set(queueId, subscribed);
  }

  async unwatch(queueId: string): Promise<void> {
    const subscribed = this.#subscriptions.get(queueId);
    this.#subscriptions.delete(queueId);
    const unsubscribe = await subscribed;
    await unsubscribe?.().catch(() => undefined);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#subscriptions.keys()].map((queueId) => this.unwatch(queueId)));
  }

  async #announce(queueId: string, announcement: Announcement): Promise<void> {
    while (announcement.again) {
      announcement.again = false;
      await this.#counters.publish(topicOf(queueId), this.#self).catch(() => undefined);
    }
    this.#announcements.delete(queueId);
  }
}

const topicOf = (queueId: string): string => `queue:${queueId}`;
