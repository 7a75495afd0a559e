import { ServiceError } from "../../../kernel/errors";
import type { ReceiptCall, ReceiveCall, SendCall, TurnCalls } from "./queue-calls";

/** Of one turn: the sum of its bodies, and how many messages and receipts it has; a single call may exceed them. */
const TURN_BYTES_MAX = 4 * 1024 * 1024;
const TURN_ITEMS_MAX = 2000;
/** Of all waiting calls of one queue in this process. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
const WAITING_CALLS_MAX = 10_000;

/** The calls of a queue that wait for a turn. */
export class PendingCalls {
  readonly #sends: SendCall[] = [];
  readonly #receipts: ReceiptCall[] = [];
  /** Receives that wait for messages, the first to come first. */
  readonly #receives = new Set<ReceiveCall>();
  #undone: number[] = [];
  #bytes = 0;
  /** The waiting receives have to be looked at in the next turn. */
  mayReceive = false;

  get hasWork(): boolean {
    return this.#sends.length > 0 || this.#receipts.length > 0 || this.#undone.length > 0 || this.mayReceive;
  }

  get receives(): number {
    return this.#receives.size;
  }

  get isEmpty(): boolean {
    return !this.hasWork && this.#receives.size === 0;
  }

  send(call: SendCall): void {
    this.#assertRoom(this.#sends.length);
    this.#sends.push(call);
    this.#bytes += call.bytes;
  }

  receipts(call: ReceiptCall): void {
    this.#assertRoom(this.#receipts.length);
    this.#receipts.push(call);
  }

  receive(call: ReceiveCall): void {
    this.#assertRoom(this.#receives.size);
    this.#receives.add(call);
    this.mayReceive = true;
  }

  undo(lease: number): void {
    this.#undone.push(lease);
  }

  endReceive(call: ReceiveCall): boolean {
    return this.#receives.delete(call);
  }

  /** The oldest calls, as many as fit into a turn. Receives stay until they are ended. */
  take(): TurnCalls {
    const sends = takeWhile(this.#sends, ({ drafts, bytes }) => [drafts.length, bytes]);
    for (const { bytes } of sends) this.#bytes -= bytes;
    const receipts = takeWhile(this.#receipts, ({ commands }) => [commands.length, 0]);
    const receives = this.mayReceive ? [...this.#receives] : [];
    this.mayReceive = false;
    return { sends, receipts, receives, undone: this.#undone.splice(0) };
  }

  takeReceives(): ReceiveCall[] {
    const receives = [...this.#receives];
    this.#receives.clear();
    return receives;
  }

  #assertRoom(calls: number): void {
    if (calls < WAITING_CALLS_MAX && this.#bytes < WAITING_BYTES_MAX) return;
    throw new ServiceError("unavailable", "Too many calls wait for this queue; retry shortly.", {
      retryAfterSeconds: 1,
      details: { reason: "back_pressure" },
    });
  }
}

function takeWhile<T>(calls: T[], sizeOf: (call: T) => [items: number, bytes: number]): T[] {
  let [items, bytes, count] = [0, 0, 0];
  for (const call of calls) {
    const [moreItems, moreBytes] = sizeOf(call);
    items += moreItems;
    bytes += moreBytes;
    if (count > 0 && (items > TURN_ITEMS_MAX || bytes > TURN_BYTES_MAX)) break;
    count++;
  }
  return calls.splice(0, count);
}
