import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Ends a run with one line that people and machines can read: `N passed, N failed` (`, N skipped`). */
export class ClosingLineReporter implements Reporter {
  /** What holds when the run never comes to an end of its own. */
  #counts = { passed: 0, failed: 1, skipped: 0 };

  onInit(): void {
    process.once("exit", (code) => {
      const { passed, skipped } = this.#counts;
      // Engines that do not start are an error of no test, and a run of no tests ends like one that went well.
      const failed = this.#counts.failed === 0 && code !== 0 ? 1 : this.#counts.failed;
      process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === "pending" ? "skipped" : state]++;
      }
      // A file that could not be loaded, or whose hooks failed, has errors of its own.
      counts.failed += module.errors().length;
    }
    this.#counts = counts;
  }
}
