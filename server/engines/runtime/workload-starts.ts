import { RuntimeError, type StartReport } from "./runtime";

/** The starts that this process is making, at most one of each workload. */
export class WorkloadStarts<Result = StartReport> {
  readonly #starts = new Map<string, { done: Promise<Result>; interruption: AbortController }>();

  ids(): string[] {
    return [...this.#starts.keys()];
  }

  has(id: string): boolean {
    return this.#starts.has(id);
  }

  /** Starts a workload, or waits for the start that is under way. */
  async once(id: string, start: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const existing = this.#starts.get(id);
    if (existing) return existing.done;
    const interruption = new AbortController();
    const done = start(interruption.signal);
    this.#starts.set(id, { done, interruption });
    return done.finally(() => this.#starts.delete(id));
  }

  /** Ends a start, if there is one, with `terminated`, and waits until nothing is left of it. */
  async interrupt(id: string): Promise<void> {
    const start = this.#starts.get(id);
    start?.interruption.abort(new RuntimeError("terminated", "The workload was terminated while it was prepared."));
    await start?.done.catch(() => {});
  }

  async interruptAll(): Promise<void> {
    await Promise.all(this.ids().map((id) => this.interrupt(id)));
  }
}
