import { expect, it } from "vitest";
import { Results } from "../../runner/results.mjs";

const PASSED = { passed: 2, failed: 0, skipped: 0, failures: [], seconds: 1.6 };
const FAILED = { passed: 1, failed: 1, skipped: 0, failures: [{ test: "a > b", error: "first" }], seconds: 9 };

/** Files that fail the first time and pass the second. */
function unstable(count: number): Results {
  const results = new Results();
  for (let i = 0; i < count; i++) {
    results.add(`api ${i}.test.ts`, FAILED);
    results.lookAgain(`api ${i}.test.ts`);
    results.add(`api ${i}.test.ts`, PASSED);
  }
  return results;
}

it("accepts three unstable files and fails for more", () => {
  const three = unstable(3).verdict({ needsFiles: true });
  expect(three.isPassed).toBe(true);
  expect(three.lines).toEqual([
    "unstable: 0.test.ts: a > b: first",
    "unstable: 1.test.ts: a > b: first",
    "unstable: 2.test.ts: a > b: first",
    "6 passed, 0 failed",
  ]);
  const four = unstable(4).verdict({ needsFiles: true });
  expect(four.isPassed).toBe(false);
  expect(four.lines[0]).toBe("failed: 4 unstable files, of 3 at most");
  expect(four.lines.at(-1)).toBe("8 passed, 1 failed");
});

it("fails for a file that has no second result", () => {
  const results = new Results();
  results.add("api a.test.ts", FAILED);
  results.lookAgain("api a.test.ts");
  expect(results.verdict({ needsFiles: true })).toEqual({
    isPassed: false,
    lines: ["failed: no second result of a.test.ts", "0 passed, 1 failed"],
  });
});

it("looks at no file again where more than ten have failed, which fails the run", () => {
  const results = new Results();
  for (let i = 0; i < 10; i++) results.add(`unit ${i}.test.ts`, FAILED);
  expect(results.toLookAtAgain()).toHaveLength(10);
  results.add("unit 10.test.ts", FAILED);
  expect(results.toLookAtAgain()).toEqual([]);
  expect(results.verdict({ needsFiles: true }).isPassed).toBe(false);
});

it("records whole seconds of files that passed", () => {
  const results = unstable(1);
  results.add("pages p.test.ts", FAILED);
  expect(results.seconds()).toEqual({ "0.test.ts": 2 });
});
