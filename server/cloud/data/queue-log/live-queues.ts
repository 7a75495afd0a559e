import { LiveQueue, type LiveQueueParts } from "./live-queue";

/** Beyond these, queues that nobody uses at the moment are forgotten, the longest unused first. */
const QUEUES_MAX = 1000;
const MESSAGES_MAX = 2_000_000;

/** The queues that this process has used lately. */
export class LiveQueues {
  readonly #queues = new Map<string, LiveQueue>();
  readonly #parts: LiveQueueParts;

  constructor(parts: LiveQueueParts) {
    this.#parts = parts;
  }

  of(id: string): LiveQueue {
    const queue = this.#queues.get(id) ?? new LiveQueue(id, this.#parts);
    // The last in the map is the last used.
    this.#queues.delete(id);
    this.#queues.set(id, queue);
    return queue;
  }

  get(id: string): LiveQueue | undefined {
    return this.#queues.get(id);
  }

  all(): LiveQueue[] {
    return [...this.#queues.values()];
  }

  /** Forgets queues beyond the limits, and returns their ids. */
  evict(): string[] {
    let messages = this.all().reduce((sum, queue) => sum + queue.messages, 0);
    const evicted: string[] = [];
    for (const queue of this.all()) {
      if (this.#queues.size <= QUEUES_MAX && messages <= MESSAGES_MAX) break;
      if (!queue.isIdle) continue;
      messages -= queue.messages;
      this.#queues.delete(queue.id);
      evicted.push(queue.id);
    }
    return evicted;
  }

  async stop(): Promise<void> {
    await Promise.all(this.all().map((queue) => queue.drained()));
  }
}
