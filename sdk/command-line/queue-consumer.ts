import type { Message } from "../generated/platform-types";
import { SvcError } from "../platform-client";
import { isTemporary, pauseMs } from "./follow-events";
import { HeldMessages } from "./held-messages";
import type { QueueCalls } from "./queue-calls";

const LONG_POLL_SECONDS = 20;
/** As many receipts as one call extends. */
const HELD_MAX = 100;

export interface Consumption {
  calls: QueueCalls;
  /** Why the work on a message failed; undefined if it succeeded. A rejection ends the consumer. */
  work: (message: Message) => Promise<string | undefined>;
  concurrency: number;
  messagesMax: number;
  retryDelaySeconds: number;
  /** Ends when the queue is empty. */
  once: boolean;
  stop: AbortSignal;
  kill: AbortSignal;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  now: () => number;
  report: (result: WorkResult) => void;
  /** Called once when svc cannot be reached, and with nothing when it can again. */
  onOutage: (failure: SvcError | undefined) => void;
}

/** What became of a message; `lease_ended`: it was not extended in time, and is received again. */
export interface WorkResult {
  message: Message;
  outcome: "acknowledged" | "returned" | "lease_ended";
  elapsedMs: number;
  reason: string | undefined;
}

/**
 * Receives messages and works on them until `stop`, which lets running work finish and returns the rest. Resolves with
 * the number of messages that were not acknowledged.
 *
 * Rejects with the SvcError of a call that cannot succeed later, and with what `work` rejects with, after the rest was
 * returned.
 */
export const consumeQueue = (consumption: Consumption): Promise<number> => new QueueConsumer(consumption).run();

class QueueConsumer {
  readonly #ask: Consumption;
  readonly #held = new HeldMessages();
  readonly #tasks = new Set<Promise<void>>();
  /** Running messages whose lease has ended. */
  readonly #lost = new Set<Message>();
  /** Aborted by `stop` and by a failure: nothing more is received or started. */
  readonly #ended = new AbortController();
  #wake: (() => void) | undefined;
  #failure: unknown;
  #failed = 0;

  constructor(consumption: Consumption) {
    this.#ask = consumption;
  }

  async run(): Promise<number> {
    const { stop } = this.#ask;
    const end = (): void => this.#ended.abort();
    this.#ended.signal.addEventListener("abort", () => this.#wake?.(), { once: true });
    stop.addEventListener("abort", end, { once: true });
    if (stop.aborted) end();
    const finished = new AbortController();
    const leases = this.#keepLeases(finished.signal);
    await this.#receiveAll().catch((failure: unknown) => this.#fail(failure));
    await this.#giveBack(this.#held.takeWaiting(), 0);
    await Promise.all(this.#tasks);
    finished.abort();
    await leases;
    stop.removeEventListener("abort", end);
    if (this.#failure !== undefined) throw this.#failure;
    return this.#failed;
  }

  #fail(failure: unknown): void {
    if (!this.#ended.signal.aborted) this.#failure = failure;
    this.#ended.abort();
  }

  async #receiveAll(): Promise<void> {
    const { concurrency, messagesMax, once } = this.#ask;
    const capacity = Math.min(HELD_MAX, Math.max(concurrency, messagesMax));
    while (!this.#ended.signal.aborted) {
      const free = capacity - this.#held.size;
      const messages = free > 0 ? await this.#receive(Math.min(messagesMax, free)) : [];
      this.#held.add(messages);
      this.#startNext();
      if (messages.length > 0) continue;
      if (once && this.#held.size === 0) return;
      if (once || free <= 0) await this.#change();
    }
  }

  /** Until a message is done, or nothing more is to be received. */
  #change(): Promise<void> {
    if (this.#ended.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** However long svc cannot be reached. */
  async #receive(messagesMax: number): Promise<Message[]> {
    const { calls, once, onOutage, sleep } = this.#ask;
    const { signal } = this.#ended;
    for (let attempt = 0; ; attempt++) {
      try {
        const messages = await calls.receive({ messagesMax, waitSeconds: once ? 0 : LONG_POLL_SECONDS, signal });
        if (attempt > 0) onOutage(undefined);
        return messages;
      } catch (failure) {
        if (!(failure instanceof SvcError && isTemporary(failure))) throw failure;
        if (attempt === 0) onOutage(failure);
        await sleep(pauseMs(failure, attempt), signal);
      }
    }
  }

  #startNext(): void {
    while (this.#held.running < this.#ask.concurrency && !this.#ended.signal.aborted) {
      const message = this.#held.start();
      if (!message) return;
      const task = this.#workOn(message).finally(() => {
        this.#tasks.delete(task);
        this.#held.finish(message);
        this.#startNext();
        this.#wake?.();
      });
      this.#tasks.add(task);
    }
  }

  /** Never rejects. */
  async #workOn(message: Message): Promise<void> {
    const { work, now } = this.#ask;
    const startedAt = now();
    try {
      const reason = await work(message);
      const elapsedMs = now() - startedAt;
      await (reason === undefined
        ? this.#acknowledge(message, elapsedMs)
        : this.#reject(message, { reason, elapsedMs }));
    } catch (failure) {
      this.#fail(failure);
      await this.#giveBack([message], 0);
    }
  }

  async #acknowledge(message: Message, elapsedMs: number): Promise<void> {
    const { calls, report } = this.#ask;
    const [isOwn, reason] = await calls.acknowledge(message.receipt).then(
      (isOwn) => [isOwn && !this.#lost.has(message), undefined] as const,
      (failure: unknown) => [false, failure instanceof Error ? failure.message : String(failure)] as const,
    );
    if (!isOwn) this.#failed++;
    report({ message, outcome: isOwn ? "acknowledged" : "lease_ended", elapsedMs, reason });
  }

  /** The waiting messages of its group are returned with it, because they must not overtake it. */
  async #reject(message: Message, { reason, elapsedMs }: { reason: string; elapsedMs: number }): Promise<void> {
    const { kill, retryDelaySeconds, report } = this.#ask;
    this.#failed++;
    await this.#giveBack(
      this.#held.takeWaiting(({ group_id }) => group_id === message.group_id),
      0,
    );
    if (!this.#lost.has(message)) await this.#giveBack([message], kill.aborted ? 0 : retryDelaySeconds);
    report({ message, outcome: this.#lost.has(message) ? "lease_ended" : "returned", elapsedMs, reason });
  }

  /** If it fails, the end of the lease does the same later. */
  async #giveBack(messages: readonly Message[], delaySeconds: number): Promise<void> {
    const receipts = messages.map(({ receipt }) => receipt);
    await this.#ask.calls.giveBack(receipts, delaySeconds).catch(() => undefined);
  }

  /** Extends all leases at half of their time, so that one failure loses none. */
  async #keepLeases(finished: AbortSignal): Promise<void> {
    const { calls, sleep } = this.#ask;
    for (;;) {
      await sleep(calls.leaseMs / 2, finished).catch(() => undefined);
      if (finished.aborted) return;
      const receipts = this.#held.receipts();
      if (receipts.length === 0) continue;
      const expired = new Set(await calls.extend(receipts).catch(() => []));
      // They are received again: none of them may start here.
      this.#held.takeWaiting(({ receipt }) => expired.has(receipt));
      for (const message of this.#held.runningWith(expired)) this.#lost.add(message);
    }
  }
}
