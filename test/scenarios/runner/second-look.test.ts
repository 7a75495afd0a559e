import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runScratch, type ScratchFiles, writeScratch } from "./scratch-run";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(os.tmpdir(), "svc-runner-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const passing = 'import { expect, it } from "vitest"; it("holds", () => expect(1).toBe(1));';
const failing =
  'import { expect, it } from "vitest"; it("holds", () => expect(1).toBe(1)); it("breaks", () => { throw new Error("always"); });';
/** Fails the first time, and leaves a file by which the second time knows. */
const unstable = `
import { existsSync, writeFileSync } from "node:fs";
import { it } from "vitest";
const mark = import.meta.filename + ".ran";
it("comes late", () => {
  if (existsSync(mark)) return;
  writeFileSync(mark, "");
  throw new Error("not yet\\nsecond line");
});
it("holds", () => undefined);
it.skip("waits", () => undefined);
`;

const run = (files: ScratchFiles, args: string[] = []) => runScratch(writeScratch(files), { args, parent });

const killer =
  'import { it } from "vitest"; it("dies", () => { process.kill(process.pid, "SIGKILL"); return new Promise(() => {}); });';
const stray =
  'import { it } from "vitest"; it("holds", async () => { Promise.reject(new Error("stray")); await new Promise((go) => setTimeout(go, 50)); });';

it("runs every file once and ends with the closing line", async () => {
  const { code, lines } = await run({ "a.test.ts": passing, "b.test.ts": passing, "c.test.ts": passing });
  expect(lines.at(-1)).toBe("3 passed, 0 failed");
  expect(code).toBe(0);
  expect(readdirSync(parent)).toEqual([]);
});

it("counts a file that passes the second time as passed, and prints its first error", async () => {
  const { code, lines } = await run({ "a.test.ts": passing, "b.test.ts": unstable });
  expect(lines.slice(-2)).toEqual([
    "unstable: b.test.ts: comes late: not yet second line",
    "3 passed, 0 failed, 1 skipped",
  ]);
  expect(code).toBe(0);
});

it("names everything that failed twice, counts each test once, and runs the files after one that killed its worker", async () => {
  const { code, lines } = await run({
    "a.test.ts": failing,
    "b.test.ts": 'import "./missing"; import { it } from "vitest"; it("holds", () => undefined);',
    "c.test.ts":
      'import { beforeAll, it } from "vitest"; beforeAll(() => { throw new Error("no hook"); }); it("holds", () => undefined);',
    "d.test.ts": killer,
    "e.test.ts": passing,
    "f.test.ts": stray,
  });
  expect(lines).toContain("failed: a.test.ts: breaks: always");
  expect(lines.join("\n")).toMatch(/failed: b\.test\.ts: outside of its tests: .*missing/);
  expect(lines).toContain("failed: c.test.ts: outside of its tests: no hook");
  expect(lines).toContain("failed: d.test.ts: outside of its tests: the worker ended");
  expect(lines).toContain("failed: unhandled error: stray");
  expect(lines.at(-1)).toBe("3 passed, 5 failed, 1 skipped");
  expect(code).toBe(1);
});

it("takes a filter and options of vitest, and fails if no file matches", async () => {
  const files = { "a.test.ts": passing, "b.test.ts": failing };
  expect((await run(files, ["b.test", "-t", "holds"])).lines.at(-1)).toBe("1 passed, 0 failed, 1 skipped");
  const none = await run(files, ["nothing-of-this-name"]);
  expect(none.lines.slice(-2)).toEqual(["failed: no test file was found", "0 passed, 1 failed"]);
  expect(none.code).toBe(1);
});
