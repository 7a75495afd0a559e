/** The source of the current time for all operations; tests pass a clock that is stopped or jumps. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that moves only on request: `clock.advance(60_000)`. */
export class ManualClock implements Clock {
  #ms: number;

  constructor(start: Date) {
    this.#ms = start.getTime();
  }

  now(): Date {
    return new Date(this.#ms);
  }

  advance(ms: number): void {
    this.#ms += ms;
  }
}
