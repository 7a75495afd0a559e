/** A pause that can be ended early. */
export class Wake {
  #isDue = false;
  #end: (() => void) | undefined;

  /** Ends the current pause, or the next one if none is under way. */
  up(): void {
    if (this.#end) this.#end();
    else this.#isDue = true;
  }

  /** Resolves after `ms`, when woken, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    const isDue = this.#isDue;
    this.#isDue = false;
    if (isDue || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.#end = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
      this.#end = end;
    });
  }
}
