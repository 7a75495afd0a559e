import path from "node:path";
import { defineConfig } from "vitest/config";
import { ClosingLineReporter } from "./test/closing-line-reporter.ts";
import { LaneSequencer } from "./test/runner/lane-sequencer.mjs";

// vitest 5 prints failures with a function that Node has from version 21 on; without it Node 20 hides why a test failed.
if (!("groupBy" in Map)) Object.defineProperty(Map, "groupBy", { value: groupBy });

function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

const shared = {
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
};
const limits = {
  environment: "node" as const,
  // A busy machine is slower than the default of a second.
  expect: { poll: { timeout: 30_000 } },
  pool: "forks" as const,
  exclude: ["**/node_modules/**", "**/.next/**", "**/.build/**", "**/.data/**", "**/generated/**"],
};
/** With `isolate: false` files share what they import, which is most of their time; none replaces a module or keeps state in one. */
const quick = { ...limits, testTimeout: 300_000, hookTimeout: 600_000 };

export default defineConfig({
  ...shared,
  test: {
    globalSetup: ["test/setup-engines.ts", "test/setup-pages.ts"],
    // `npm test` runs two lanes beside each other, the first with one worker.
    maxWorkers: process.env.SVC_TEST_LANE === "0" ? 1 : 2,
    sequence: { sequencer: LaneSequencer },
    reporters: ["default", new ClosingLineReporter()],
    projects: [
      {
        ...shared,
        test: {
          ...quick,
          isolate: false,
          name: "unit",
          sequence: { groupOrder: 3 },
          include: ["server/**/*.test.ts", "widget/**/*.test.ts", "sdk/**/*.test.ts", "app/**/*.test.{ts,tsx}"],
        },
      },
      {
        ...shared,
        test: {
          ...quick,
          isolate: false,
          name: "api",
          sequence: { groupOrder: 2 },
          include: ["test/api/**/*.test.ts", "test/contract/**/*.test.ts", "test/scenarios/**/*.test.ts"],
        },
      },
      {
        ...shared,
        test: {
          ...limits,
          isolate: false,
          name: "pages",
          sequence: { groupOrder: 1 },
          include: ["test/e2e/**/*.test.ts"],
          testTimeout: 400_000,
          hookTimeout: 400_000,
        },
      },
    ],
  },
});
