import { ServiceError } from "./errors";

export interface FairTurnLimits {
  /** Maximum number of running tasks. */
  running: number;
  /** Of them, those of one key (default: all). */
  runningPerKey?: number | undefined;
  /** Maximum number of waiting tasks of one key. */
  waitingPerKey: number;
}

interface Line {
  running: number;
  waiting: (() => void)[];
}

/**
 * Lets a few tasks run at once in this process, and the keys take turns: a key with many tasks delays only its own. Keys
 * are served round robin, tasks of one key in their order.
 */
export class FairTurns {
  /** Keys with running or waiting tasks; the first is served first. */
  readonly #lines = new Map<string, Line>();
  #running = 0;

  constructor(
    readonly limits: FairTurnLimits,
    /** The name of the tasks in the error: "uploads". */
    readonly what: string,
  ) {}

  /** The result of `task`. Throws `rate_limited` if too many tasks of the key wait already. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    if (this.isFull(key)) throw this.#refusal();
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    await new Promise<void>((resolve) => {
      line.waiting.push(resolve);
      this.#serve();
    });
    try {
      return await task();
    } finally {
      this.#running--;
      line.running--;
      this.#lines.delete(key);
      // Its next turn comes after those of the others.
      if (line.running > 0 || line.waiting.length > 0) this.#lines.set(key, line);
      this.#serve();
    }
  }

  /** Whether no further task of the key may wait. */
  isFull(key: string): boolean {
    return (this.#lines.get(key)?.waiting.length ?? 0) >= this.limits.waitingPerKey;
  }

  #canRun = (line: Line): boolean =>
    this.#running < this.limits.running && line.running < (this.limits.runningPerKey ?? this.limits.running);

  #serve(): void {
    for (const [key, line] of this.#lines) {
      if (this.#running >= this.limits.running) return;
      if (line.waiting.length === 0 || !this.#canRun(line)) continue;
      this.#running++;
      line.running++;
      line.waiting.shift()?.();
      this.#lines.delete(key);
      this.#lines.set(key, line);
    }
  }

  #refusal(): ServiceError {
    return new ServiceError("rate_limited", `Too many ${this.what} of yours wait already. Retry in 1 s.`, {
      retryAfterSeconds: 1,
      details: { reason: "concurrency" },
    });
  }
}
