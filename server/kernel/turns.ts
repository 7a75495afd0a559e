import { ServiceError } from "./errors";

export interface TurnLimits {
  /** Maximum number of running tasks per key. */
  running: number;
  /** Maximum number of tasks waiting for them. */
  waiting: number;
  waitMs: number;
}

interface Line {
  running: number;
  waiting: (() => void)[];
}

/** Lets a few tasks of each key run at once in this process; a few more wait for their turn, others are rejected. */
export class Turns {
  readonly #lines = new Map<string, Line>();

  constructor(
    readonly limits: TurnLimits,
    /** The name of the tasks in the error: "reports". */
    readonly what: string,
  ) {}

  /** The result of `task`. Throws `rate_limited` if its turn does not come in time, or too many tasks wait already. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running < this.limits.running) line.running++;
    else await this.#turn(line);
    try {
      return await task();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) this.#lines.delete(key);
    }
  }

  /** Resolves when a finished task passes on its place. */
  #turn({ waiting }: Line): Promise<void> {
    if (waiting.length >= this.limits.waiting) throw this.#refusal();
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(come), 1);
        reject(this.#refusal());
      }, this.limits.waitMs);
      const come = () => {
        clearTimeout(late);
        resolve();
      };
      waiting.push(come);
    });
  }

  #refusal(): ServiceError {
    return new ServiceError(
      "rate_limited",
      `Too many ${this.what} at once: ${this.limits.running} run together. Retry in 1 s.`,
      { retryAfterSeconds: 1, details: { reason: "concurrency" } },
    );
  }
}
