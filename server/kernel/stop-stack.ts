/**
 * Started parts, to be stopped in the reverse order. Each part is pushed as soon as it runs, so that nothing keeps
 * running if a later part fails to start.
 */
export class StopStack {
  readonly #steps: { name: string; stop: () => unknown }[] = [];

  push(name: string, stop: () => unknown): void {
    this.#steps.push({ name, stop });
  }

  /** Runs every step even if one fails. Throws an AggregateError that names the failed ones. */
  async stop(): Promise<void> {
    const failures: Error[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step.stop();
      } catch (cause) {
        failures.push(new Error(step.name, { cause }));
      }
    }
    if (failures.length === 0) return;
    throw new AggregateError(failures, `could not stop: ${failures.map(({ message }) => message).join(", ")}`);
  }
}
