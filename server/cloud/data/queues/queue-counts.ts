import type { Clock } from "../../../kernel/clock";
import type { QueueEngine, QueueRef } from "../queue-log/queue-engine";
import { MINUTE_MS, type QueueTally } from "./queue-minutes.sql";

/** What this process did to a queue in the minute that begins at `minuteMs`. */
export interface CountedMinute extends QueueTally {
  queue: QueueRef;
  minuteMs: number;
}

/** Counts sent, received and acknowledged messages by queue and minute in memory. */
export class QueueCounts {
  readonly #minutes = new Map<string, CountedMinute>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts nothing but notes that the number of messages may have changed, if `tally` is empty. */
  add(queue: QueueRef, tally: Partial<QueueTally> = {}): void {
    const minuteMs = Math.floor(this.#clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
    this.#merge({ queue, minuteMs, sent: 0, received: 0, acknowledged: 0, ...tally });
  }

  /** Removes and returns all counts. */
  take(): CountedMinute[] {
    const minutes = [...this.#minutes.values()];
    this.#minutes.clear();
    return minutes;
  }

  /** Takes back counts that could not be stored. */
  putBack(minutes: readonly CountedMinute[]): void {
    for (const minute of minutes) this.#merge(minute);
  }

  #merge(minute: CountedMinute): void {
    const key = `${minute.queue.id} ${minute.minuteMs}`;
    const known = this.#minutes.get(key);
    if (!known) {
      this.#minutes.set(key, minute);
      return;
    }
    known.sent += minute.sent;
    known.received += minute.received;
    known.acknowledged += minute.acknowledged;
  }
}

/** The same engine, whose calls are counted. */
export const countedEngine = (engine: QueueEngine, counts: QueueCounts): QueueEngine => ({
  send: async (queue, messages) => {
    const sent = await engine.send(queue, messages);
    counts.add(queue, { sent: sent.filter(({ isDuplicate }) => !isDuplicate).length });
    return sent;
  },
  receive: async (queue, ask) => {
    const received = await engine.receive(queue, ask);
    counts.add(queue, { received: received.length });
    // Messages that were received too often may have moved there.
    if (queue.dlq) counts.add(queue.dlq);
    return received;
  },
  acknowledge: async (queue, receipts) => {
    const outcomes = await engine.acknowledge(queue, receipts);
    counts.add(queue, { acknowledged: outcomes.filter((outcome) => outcome === "ok").length });
    return outcomes;
  },
  extend: (queue, items) => engine.extend(queue, items),
  giveBack: async (queue, items) => {
    const outcomes = await engine.giveBack(queue, items);
    counts.add(queue);
    return outcomes;
  },
  peek: (queue, messagesMax) => engine.peek(queue, messagesMax),
  purge: async (queue) => {
    const purged = await engine.purge(queue);
    counts.add(queue);
    return purged;
  },
  redrive: async (from, to, messagesMax) => {
    const moved = await engine.redrive(from, to, messagesMax);
    counts.add(from);
    counts.add(to);
    return moved;
  },
  figures: (queue) => engine.figures(queue),
  remove: (queueId) => engine.remove(queueId),
  stop: () => engine.stop(),
});
