import type { ConversionProgress } from "./conversion";

const INTERVAL_MS = 500;

export interface ReportProgress {
  /** Awaited, at most twice a second. */
  onProgress(progress: ConversionProgress): Promise<void>;
  /** Milliseconds of a clock that only goes forward; by default the process's own. */
  now?: () => number;
}

/** Passes on the progress of a conversion, at most twice a second. */
export class ProgressReports {
  readonly #onProgress: ReportProgress["onProgress"];
  readonly #current: () => ConversionProgress;
  readonly #now: () => number;
  #last = Number.NEGATIVE_INFINITY;

  constructor({ onProgress, now = () => performance.now() }: ReportProgress, current: () => ConversionProgress) {
    this.#onProgress = onProgress;
    this.#now = now;
    this.#current = current;
  }

  /** May be called as often as there is progress. */
  async report(): Promise<void> {
    const now = this.#now();
    if (now - this.#last < INTERVAL_MS) return;
    this.#last = now;
    await this.#onProgress(this.#current());
  }
}
