import { LRUCache } from "lru-cache";
import type { Clock } from "../../kernel/clock";
import { pause } from "../../kernel/pause";
import type { Neighbours } from "../serving/neighbours";
import type { Embedder } from "./embed-items";
import { quantize } from "./quantize";
import type { VectorMatrix } from "./vector-matrix";

/** How long a request waits for the vector of its query. */
const WAIT_MS = 30;
/** A vector that comes later is kept for the next request with this query, up to this time. */
const TIMEOUT_MS = 5000;
/** Further new queries are decided without vectors. */
const REQUESTS_MAX = 32;
const QUERY_CHARS_MAX = 512;
const CACHE_BYTES_MAX = 32 * 2 ** 20;
const BYTES_PER_NEIGHBOUR = 12;
/** Memory of an entry in addition to its key, vector and neighbours. */
const ENTRY_BYTES = 400;
/** Neighbours are at most this old while vectors change all the time. */
const FRESH_MS = 2000;

export interface NearestItemsOptions {
  embedder: Embedder & { readonly isAvailable: boolean };
  matrix: VectorMatrix;
  /** Items with a lower cosine count as unrelated. */
  cosineMin: number;
  clock: Clock;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  wait?: typeof pause;
}

/** A query, its vector and the items that were near at some time. */
interface Known {
  vector: Int8Array;
  neighbours: Neighbours;
  /** The version of the matrix that was compared, and when. */
  version: number;
  atMs: number;
}

/** What became of the vectors of queries, as the metrics describe it. */
export const OUTCOMES = {
  remembered: "Requests whose query had a vector already",
  in_time: "Requests whose query got a vector while they waited",
  late: "Requests decided without a vector because it was not there in time",
  skipped: "Requests decided without a vector because of too many new queries or a failing server",
  failed: "Vectors of queries that the server did not return",
};
export type Outcome = keyof typeof OUTCOMES;

/** Finds the items whose vectors are nearest to a query's, and remembers the vectors of recent queries. */
export class NearestItems {
  readonly #options: NearestItemsOptions;
  readonly #wait: typeof pause;
  readonly #known = new LRUCache<string, Known>({ maxSize: CACHE_BYTES_MAX, sizeCalculation: bytesOf });
  /** Equal queries share a request. */
  readonly #open = new Map<string, Promise<Neighbours | undefined>>();
  readonly outcomes: Record<Outcome, number> = { remembered: 0, in_time: 0, late: 0, skipped: 0, failed: 0 };

  constructor(options: NearestItemsOptions) {
    this.#options = options;
    this.#wait = options.wait ?? pause;
  }

  /**
   * The items nearest to a query, without a promise if they are remembered. Undefined if there are none, and if they are
   * not there within `waitMs`, by default 30; the vector is then kept for the next request. Never rejects.
   */
  of(query: string, waitMs = WAIT_MS): Neighbours | undefined | Promise<Neighbours | undefined> {
    const { matrix, clock } = this.#options;
    if (matrix.size === 0) return undefined;
    const key = keyOf(query);
    if (key === "") return undefined;
    const known = this.#known.get(key);
    const nowMs = clock.now().getTime();
    if (known && (known.version === matrix.version || Math.abs(nowMs - known.atMs) < FRESH_MS)) {
      this.#count("remembered");
      return ifAny(known.neighbours);
    }
    const open = this.#open.get(key) ?? this.#start(key, known?.vector);
    if (open) return this.#inTime(open, waitMs);
    this.#count("skipped");
    return undefined;
  }

  #start(key: string, vector: Int8Array | undefined): Promise<Neighbours | undefined> | undefined {
    const isTooMuch = this.#open.size >= REQUESTS_MAX || (!vector && !this.#options.embedder.isAvailable);
    if (isTooMuch) return undefined;
    const open = this.#find(key, vector).finally(() => this.#open.delete(key));
    this.#open.set(key, open);
    return open;
  }

  async #find(key: string, known: Int8Array | undefined): Promise<Neighbours | undefined> {
    const { embedder, matrix, cosineMin, clock } = this.#options;
    try {
      const vector = known ?? quantize((await embedder.embed([key], { timeoutMs: TIMEOUT_MS }))[0] as number[]);
      const { version } = matrix;
      const neighbours = await matrix.nearest(vector, cosineMin);
      this.#known.set(key, { vector, neighbours, version, atMs: clock.now().getTime() });
      return neighbours;
    } catch {
      this.#count("failed");
      return undefined;
    }
  }

  async #inTime(open: Promise<Neighbours | undefined>, waitMs: number): Promise<Neighbours | undefined> {
    const done = new AbortController();
    const late = this.#wait(waitMs, done.signal).then((): typeof LATE => LATE);
    const result = await Promise.race([open, late]);
    done.abort();
    if (result === LATE) {
      this.#count("late");
      return undefined;
    }
    if (result) this.#count("in_time");
    return result && ifAny(result);
  }

  #count(outcome: Outcome): void {
    this.outcomes[outcome]++;
  }
}

const bytesOf = ({ vector, neighbours }: Known, key: string): number =>
  ENTRY_BYTES + 2 * key.length + vector.byteLength + BYTES_PER_NEIGHBOUR * neighbours.ids.length;

const LATE = Symbol("late");

/** Most queries differ only in case and spaces from those before them. */
const keyOf = (query: string): string =>
  query.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim().slice(0, QUERY_CHARS_MAX);

const ifAny = (neighbours: Neighbours): Neighbours | undefined => (neighbours.ids.length > 0 ? neighbours : undefined);
