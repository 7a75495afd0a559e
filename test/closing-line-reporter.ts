import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Ends a run with one line that people and machines can read: `N passed, N failed` (`, N skipped`). */
export class ClosingLineReporter implements Reporter {
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
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    process.on("exit", () => process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`));
  }
}
