import type { ByteReader } from "./byte-reader";
import type { Bytes, Coder } from "./coder";
import { DTYPE_BITS } from "./dtypes";
import type { Run } from "./plan-shards";

/** Of the larger one of a slice and what it becomes; small enough to stay in a core's cache while it is hashed. */
const SLICE_BYTES = 256 * 1024;
/** Slices that are with the coder while the next one is read. */
const AHEAD = 4;

export interface SliceParts {
  reader: ByteReader;
  coder: Coder;
}

/** The converted bytes of runs, in slices. */
export const convertedSlices = ({ reader, coder }: SliceParts, runs: readonly Run[]): AsyncGenerator<Bytes> =>
  workedAhead(slicesOf(runs), async ({ length, run }) => ({ work: coder.convert(await reader.take(length), run) }));

/** Hashes the bytes of runs as those of the source alone; yields after each slice. */
export const skippedSlices = ({ reader, coder }: SliceParts, runs: readonly Run[]): AsyncGenerator<void> =>
  workedAhead(slicesOf(runs), async ({ length }) => ({ work: coder.skip(await reader.take(length)) }));

/** The results of work in its order, while the work on the next items is under way. */
async function* workedAhead<T, R>(
  items: Iterable<T>,
  begin: (item: T) => Promise<{ work: Promise<R> }>,
): AsyncGenerator<R> {
  const ahead: Promise<R>[] = [];
  for (const item of items) {
    const { work } = await begin(item);
    // A failure is thrown where it is awaited, which does not happen after an earlier one.
    work.catch(() => undefined);
    ahead.push(work);
    const first = ahead.length > AHEAD ? ahead.shift() : undefined;
    if (first) yield await first;
  }
  for (const work of ahead) yield await work;
}

function* slicesOf(runs: readonly Run[]): Generator<{ run: Run; length: number }> {
  for (const run of runs) {
    const growth = DTYPE_BITS[run.to] / DTYPE_BITS[run.from];
    const bytes = SLICE_BYTES / Math.max(1, growth);
    for (let left = run.bytes; left > 0; left -= bytes) yield { run, length: Math.min(left, bytes) };
  }
}
