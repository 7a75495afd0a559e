import { requestedMilli, type Shape } from "./shape-table";

/** Counts are halved at twice as many requests, so that they describe the last 5,000 to 10,000. */
const WINDOW = 5000;
/** The part of the requests that must be of other shapes than when prices were computed. */
const SEEN_DRIFT = 0.08;
/** The same for the part of the requested GPUs that priced requests for several GPUs did not get. */
const BLOCKED_DRIFT = 0.005;

interface Shares {
  seen: number;
  blocked: number;
}

/** Which shapes are requested and blocked lately, and whether that has changed since prices were computed. */
export class DemandWindow {
  #marked = new Map<number, Shares>();
  #priced: ReadonlySet<number> = new Set();

  constructor(private readonly shapes: () => Iterable<Shape>) {}

  /** Makes old requests weigh less. */
  fade(): void {
    let seen = 0;
    for (const shape of this.shapes()) seen += shape.seen;
    if (seen < 2 * WINDOW) return;
    for (const shape of this.shapes()) {
      shape.seen /= 2;
      shape.blocked /= 2;
    }
  }

  /** Remembers the shares as those that prices were computed from, and which shapes the prices depend on. */
  mark(priced: ReadonlySet<number>): void {
    this.#priced = priced;
    this.#marked = this.#shares();
  }

  /** Whether prices of the mark are out of date. */
  hasDrifted(): boolean {
    const now = this.#shares();
    let seen = 0;
    let blocked = 0;
    for (const id of new Set([...now.keys(), ...this.#marked.keys()])) {
      const [a, b] = [now.get(id) ?? NONE, this.#marked.get(id) ?? NONE];
      seen += Math.abs(a.seen - b.seen) / 2;
      blocked += Math.abs(a.blocked - b.blocked);
    }
    return seen > SEEN_DRIFT || blocked > BLOCKED_DRIFT;
  }

  #shares(): Map<number, Shares> {
    let seen = 0;
    let milli = 0;
    for (const shape of this.shapes()) {
      seen += shape.seen;
      milli += shape.seen * requestedMilli(shape);
    }
    const shares = new Map<number, Shares>();
    for (const shape of this.shapes()) {
      const isPriced = shape.gpus > 1 && this.#priced.has(shape.id);
      const blocked = isPriced ? (shape.blocked * requestedMilli(shape)) / milli : 0;
      shares.set(shape.id, { seen: shape.seen / Math.max(1, seen), blocked });
    }
    return shares;
  }
}

const NONE: Shares = { seen: 0, blocked: 0 };
