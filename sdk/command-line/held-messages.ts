import type { Message } from "../generated/platform-types";

/** Received messages that are neither acknowledged nor returned. At most one of each group runs at a time. */
export class HeldMessages {
  /** In the order in which they were received, which is that of their groups. */
  #waiting: Message[] = [];
  readonly #running = new Set<Message>();

  get size(): number {
    return this.#waiting.length + this.#running.size;
  }

  get running(): number {
    return this.#running.size;
  }

  receipts(): string[] {
    return [...this.#running, ...this.#waiting].map(({ receipt }) => receipt);
  }

  add(messages: readonly Message[]): void {
    this.#waiting.push(...messages);
  }

  /** The first message whose group has none running; it is then running. */
  start(): Message | undefined {
    const groups = new Set([...this.#running].map(({ group_id }) => group_id));
    const next = this.#waiting.find(({ group_id }) => !groups.has(group_id));
    if (!next) return undefined;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#running.add(next);
    return next;
  }

  finish(message: Message): void {
    this.#running.delete(message);
  }

  /** Removes and returns the waiting messages of a group, or all of them. */
  takeWaiting(isTaken: (message: Message) => boolean = () => true): Message[] {
    const taken = this.#waiting.filter(isTaken);
    this.#waiting = this.#waiting.filter((one) => !taken.includes(one));
    return taken;
  }

  runningWith(receipts: ReadonlySet<string>): Message[] {
    return [...this.#running].filter(({ receipt }) => receipts.has(receipt));
  }
}
