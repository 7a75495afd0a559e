import { ByPosition } from "./by-position";
import type { MessageRow } from "./entry";
import type { Hold, Lease, Message } from "./group";
import { Groups } from "./groups";
import { Heap } from "./heap";
import { RangeSet } from "./range-set";

/**
 * What one process knows of a queue: the result of its log up to some entry, and the metadata of a window of messages
 * from the lowest position on, which is read from their rows as needed. Changed only by `applyEntry` and `load`.
 */
export class QueueState {
  at = 0;
  /** The position of the next message. */
  tail = 0;
  /** All positions below are deleted or moved. */
  low = 0;
  /** The rows of all positions below were read. */
  loadedTo = 0;
  /** No position from here on was ever leased or moved. */
  touchedTo = 0;
  /** Messages that are neither deleted nor moved. */
  live = 0;
  inFlight = 0;
  nextLease = 1;
  removed = false;
  readonly messages = new ByPosition<Message>();
  readonly leases = new Map<number, Lease>();
  readonly groups = new Groups();
  /** Deleted or moved positions from `loadedTo` on. */
  readonly gone = new RangeSet();
  /** How many messages were sent with a delay that may not have ended, by its end. */
  readonly delays = new Map<number, number>();
  readonly #holds = new Heap<Hold>();

  /** When the next leases end. */
  nextEnd(): number | undefined {
    for (let top = this.#holds.peek(); top; top = this.#holds.peek()) {
      if (top.item.left > 0) return top.key;
      this.#holds.pop();
    }
    return undefined;
  }

  /** When time alone lets a message be received: a lease or a delay ends. Infinity: never. */
  nextChange(): number {
    const ends = [this.nextEnd(), this.groups.nextWake()];
    return Math.min(...ends.map((at) => at ?? Number.POSITIVE_INFINITY));
  }

  /** Removes and returns the messages whose leases have ended by `at`. */
  takeEnded(at: number): Message[] {
    const ended: Message[] = [];
    for (let top = this.#holds.peek(); top && top.key <= at; top = this.#holds.peek()) {
      this.#holds.pop();
      for (const message of top.item.messages) if (message.hold === top.item) ended.push(message);
    }
    return ended;
  }

  /** Leased messages end together at `until`. */
  hold(messages: Message[], until: number): void {
    const hold: Hold = { until, messages, left: messages.length };
    for (const message of messages) {
      if (message.hold) message.hold.left--;
      message.hold = hold;
    }
    this.#holds.push(until, hold);
  }

  /** A position that is live; its row may not be loaded. */
  messageAt(position: number): Message {
    const known = this.messages.get(position);
    if (known) return known;
    if (position < this.loadedTo || position >= this.tail || this.gone.has(position)) {
      throw new Error(`Position ${position} of the queue is not live.`);
    }
    const message = newMessage({
      position,
      groupId: undefined,
      visibleFrom: 0,
      storedAt: 0,
      bytes: 0,
      chunk: 0,
      start: 0,
    });
    this.messages.set(position, message);
    return message;
  }

  /** Deletes a live message that is not in flight. */
  drop(message: Message): void {
    const { position, group } = message;
    this.live--;
    this.messages.delete(position);
    if (position >= this.loadedTo) this.gone.add(position, position + 1);
    if (group) this.groups.place(group, this.at);
    this.trim();
  }

  /** Advances the ends of what is known to be gone. */
  trim(): void {
    const end = this.gone.endOf(this.loadedTo);
    if (end !== undefined) {
      this.loadedTo = end;
      this.gone.dropBelow(end);
    }
    while (this.low < this.loadedTo && !this.messages.has(this.low)) this.low++;
  }

  /** Deletes everything below `floor`. */
  dropBelow(floor: number): void {
    if (floor >= this.tail) this.#clear();
    for (let position = this.low; position < Math.min(floor, this.loadedTo); position++) this.#delete(position);
    if (floor > this.loadedTo) {
      const untouched = floor - this.loadedTo;
      const unloaded = [...this.messages.keys()].filter((position) => position >= this.loadedTo && position < floor);
      this.live -= untouched - unloaded.length;
      for (const position of unloaded) this.#delete(position);
      this.loadedTo = floor;
      this.live += this.gone.dropBelow(floor);
    }
    this.low = Math.max(this.low, floor);
    this.trim();
  }

  /** Ends the lease of one message, which is then neither in flight nor in its group. */
  release(message: Message): void {
    const { lease, group, hold } = message;
    if (!lease) throw new Error(`Position ${message.position} is not leased.`);
    lease.slots[message.slot] = undefined;
    if (--lease.left === 0) this.leases.delete(lease.id);
    if (hold) hold.left--;
    message.lease = undefined;
    message.hold = undefined;
    this.inFlight--;
    if (group) group.inFlight--;
  }

  /**
   * Reads rows into the window: all that exist from `loadedTo` on up to `to`, in order. False if one is missing, which
   * happens to a process whose state is outdated.
   */
  load(rows: readonly MessageRow[], to: number): boolean {
    let expected = this.loadedTo;
    const found: MessageRow[] = [];
    for (const row of rows) {
      if (this.gone.has(row.position)) continue;
      if (this.#nextLive(expected, row.position) !== row.position) return false;
      found.push(row);
      expected = row.position + 1;
    }
    if (this.#nextLive(expected, to) < to) return false;
    for (const row of found) this.#loadRow(row);
    this.loadedTo = to;
    this.gone.dropBelow(to);
    this.trim();
    return true;
  }

  #nextLive(from: number, to: number): number {
    for (let position = from; position < to; ) {
      const end = this.gone.endOf(position);
      if (end === undefined) return position;
      position = end;
    }
    return to;
  }

  #loadRow(row: MessageRow): void {
    const group = this.groups.of(row.groupId);
    const known = this.messages.get(row.position);
    if (!known) {
      const message = newMessage(row);
      message.group = group;
      this.messages.set(row.position, message);
      group.append(message);
    } else {
      known.group = group;
      known.storedAt = row.storedAt;
      known.bytes = row.bytes;
      known.chunk = row.chunk;
      known.start = row.start;
      if (known.lease) group.inFlight++;
      else group.append(known);
    }
    this.groups.place(group, this.at);
  }

  #delete(position: number): void {
    const message = this.messages.get(position);
    if (!message) return;
    const { group } = message;
    if (message.lease) this.release(message);
    else group?.removeFirst(message);
    this.messages.delete(position);
    this.live--;
    if (group) this.groups.place(group, this.at);
  }

  /** Much faster than one by one. */
  #clear(): void {
    this.messages.clear();
    this.leases.clear();
    this.groups.clear();
    this.#holds.clear();
    this.delays.clear();
    this.gone.dropBelow(this.tail);
    [this.low, this.loadedTo, this.live, this.inFlight] = [this.tail, this.tail, 0, 0];
  }
}

/** Spread objects would take several times as long. */
const newMessage = (row: MessageRow): Message => ({
  position: row.position,
  group: undefined,
  visibleFrom: row.visibleFrom,
  storedAt: row.storedAt,
  bytes: row.bytes,
  chunk: row.chunk,
  start: row.start,
  receives: 0,
  lease: undefined,
  slot: 0,
  hold: undefined,
});
