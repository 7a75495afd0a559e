/** At most `size` tasks at a time, in the order in which they were given. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

/** Runs `work` on every item, at most `size` at a time; after the first rejection nothing more is started. */
export async function forEachParallel<T>(
  items: Iterable<T>,
  size: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const failed: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done && failed.length === 0; next = queue.next()) {
      await work(next.value).catch((failure: unknown) => failed.push(failure));
    }
  };
  await Promise.all(Array.from({ length: size }, worker));
  if (failed.length > 0) throw failed[0];
}
