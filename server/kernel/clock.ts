/** The source of the current time for all operations; tests pass a clock that is stopped or jumps. */
export interface Clock {
  now(): Date;
  /** Calls `listener` after each jump of a clock that can jump. Returns what ends this. */
  onJump?(listener: () => void): () => void;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that moves only on request: `clock.advance(60_000)`. */
export class ManualClock implements Clock {
  #ms: number;
  readonly #jumps = new Jumps();
  readonly onJump = this.#jumps.on;

  constructor(start: Date) {
    this.#ms = start.getTime();
  }

  now(): Date {
    return new Date(this.#ms);
  }

  advance(ms: number): void {
    this.#ms += ms;
    this.#jumps.tell();
  }
}

/** Who is told of a clock's jumps. */
export class Jumps {
  readonly #listeners = new Set<() => void>();

  readonly on = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
