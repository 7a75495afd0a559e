/** A deque is compacted when this many of its first places are empty, and at least half of it. */
const EMPTY_MAX = 1024;

/** In place of an array that most of a million groups do not need. */
const NONE: Message[] = [];

/** The messages of one group that are in memory, in the order of their positions. */
export class Group {
  inFlight = 0;
  /** The key under which the group waits among the ready ones, and among the sleeping ones. */
  readyAt: number | undefined;
  wakesAt: number | undefined;
  /** Received before; their positions are below those of `#waiting`, because a group is leased from its head. */
  #returned = NONE;
  #waiting = NONE;
  #head = 0;

  constructor(readonly id: string | undefined) {}

  get isEmpty(): boolean {
    return this.inFlight === 0 && this.first === undefined;
  }

  get first(): Message | undefined {
    return this.#returned[0] ?? this.#waiting[this.#head];
  }

  /** The message `n` places behind the first one. */
  at(n: number): Message | undefined {
    const ahead = this.#returned.length;
    return n < ahead ? this.#returned[n] : this.#waiting[this.#head + n - ahead];
  }

  /** Adds a message behind all others. */
  append(message: Message): void {
    if (this.#waiting === NONE) this.#waiting = [message];
    else this.#waiting.push(message);
  }

  /** Puts a message that was received before back to its place, which is near the first one. */
  putBack(message: Message): void {
    const { position } = message;
    if (this.#returned === NONE) this.#returned = [];
    const [list, from] = this.#isBehindWaiting(position) ? [this.#waiting, this.#head] : [this.#returned, 0];
    let at = from;
    for (let next = list[at]; next && next.position < position; next = list[at]) at++;
    list.splice(at, 0, message);
  }

  #isBehindWaiting(position: number): boolean {
    const next = this.#waiting[this.#head];
    return next !== undefined && next.position < position;
  }

  /** Removes the first message, which must be this one. */
  removeFirst(message: Message): void {
    if (this.first !== message) throw new Error(`Position ${message.position} is not the first of its group.`);
    if (this.#returned[0] === message) {
      this.#returned.shift();
      return;
    }
    this.#head++;
    if (this.#head < EMPTY_MAX || this.#head * 2 < this.#waiting.length) return;
    this.#waiting = this.#waiting.slice(this.#head);
    this.#head = 0;
  }
}

/** A message that is neither deleted nor moved, without its body. */
export interface Message {
  readonly position: number;
  /** Undefined until the row of a message that another process leased is read. */
  group: Group | undefined;
  /** Milliseconds since 1970, from the delay of its send or of its return. */
  visibleFrom: number;
  storedAt: number;
  /** Of the body. */
  bytes: number;
  /** The position of the first message of its chunk, and where in the chunk its record begins. */
  chunk: number;
  start: number;
  /** How often it was received. */
  receives: number;
  /** The lease it is in, and its place there. */
  lease: Lease | undefined;
  slot: number;
  hold: Hold | undefined;
}

/** What one receive took. */
export interface Lease {
  readonly id: number;
  /** A random number of 48 bits, which its receipts carry. */
  readonly tag: number;
  /** The messages that are still in flight, at the places that their receipts name. */
  readonly slots: (Message | undefined)[];
  left: number;
}

/** Messages in flight that return at one time: a lease, or the part of one that was extended. */
export interface Hold {
  readonly until: number;
  readonly messages: Message[];
  left: number;
}
