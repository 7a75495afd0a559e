/**
 * Runs tasks of a key one after another, in the order of the calls, and those of other keys meanwhile. It is the lock of a
 * process; `named-lock.ts` has that of all processes. A task that fails does not keep the next one from running. A task
 * must not wait for another one of its key, which would wait for it.
 */
export class KeyedQueue {
  /** The end of the last task of each key. */
  readonly #last = new Map<string, Promise<void>>();

  /** Whether a task of the key runs or waits. */
  has(key: string): boolean {
    return this.#last.has(key);
  }

  /**
   * The result of `task`, which begins when those before it have ended. If `signal` aborts before that, it is not run and
   * the call rejects with the reason at once; a task that has begun ends by itself.
   */
  run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(() => {
      signal?.throwIfAborted();
      return task();
    });
    const ended = result.then(ignore, ignore);
    this.#last.set(key, ended);
    void ended.then(() => {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    });
    return signal ? unlessAbortedBefore(before, result, signal) : result;
  }

  /** Resolves when the tasks of the key that were given before have ended. */
  async whenIdle(key: string): Promise<void> {
    await this.#last.get(key);
  }
}

/** A queue of tasks that all follow each other. */
export class TaskQueue {
  readonly #queue = new KeyedQueue();

  run<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.run("", task);
  }

  whenIdle(): Promise<void> {
    return this.#queue.whenIdle("");
  }
}

const ignore = (): void => undefined;

function unlessAbortedBefore<T>(before: Promise<void>, result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    void before.then(() => signal.removeEventListener("abort", leave));
    result.then(resolve, reject);
  });
}
