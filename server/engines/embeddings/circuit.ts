import type { Clock } from "../../kernel/clock";

/** Failures in a row after which no further request is sent for a while. */
const FAILURES_MAX = 3;
const PAUSE_FIRST_MS = 1000;
const PAUSE_MAX_MS = 60_000;

/**
 * Stops requests to a service that fails (Nygard, Release It!, 2007): after three failures in a row it pauses for a
 * second, then lets one request through; each further failure doubles the pause, up to a minute.
 */
export class Circuit {
  readonly #clock: Clock;
  #failures = 0;
  #openUntilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** No request succeeded since the last pause began. */
  get isOpen(): boolean {
    return this.#failures >= FAILURES_MAX;
  }

  /** No request may be sent now. */
  get isPausing(): boolean {
    return this.isOpen && this.#clock.now().getTime() < this.#openUntilMs;
  }

  /** Whether a request may be sent now; if this was the end of a pause, others wait for its result. */
  allows(): boolean {
    if (!this.isOpen) return true;
    if (this.isPausing) return false;
    this.#pause();
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures++;
    if (this.isOpen) this.#pause();
  }

  #pause(): void {
    const doublings = Math.min(this.#failures - FAILURES_MAX, 30);
    this.#openUntilMs = this.#clock.now().getTime() + Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** doublings);
  }
}
