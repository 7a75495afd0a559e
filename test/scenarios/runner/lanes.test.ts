import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { planLanes } from "../../runner/lanes.mjs";

let rootDir: string;
beforeEach(() => {
  rootDir = mkdtempSync(path.join(os.tmpdir(), "svc-lanes-"));
  mkdirSync(path.join(rootDir, "test/factories"), { recursive: true });
});
afterEach(() => rmSync(rootDir, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(path.join(rootDir, file), text);
const api = (name: string) => ({ project: "api", file: `test/${name}.test.ts` });
const page = (name: string) => ({ project: "pages", file: `test/${name}.test.ts` });
const namesOf = (lane: { file: string }[]) => lane.map(({ file }) => path.basename(file, ".test.ts"));

it("begins one lane with browsers and files that start processes, and mixes those that are left with the others", () => {
  write("test/factories/browser.ts", 'import { chromium } from "playwright-core";\n');
  write("test/factories/scene.ts", 'import { a } from "./browser";\nimport { b } from "./scene";\n');
  write("test/starts.test.ts", 'import { spawn } from "node:child_process";\n');
  write("test/imports.test.ts", 'import { it } from "vitest";\nimport { scene } from "./factories/scene";\n');
  write("test/types.test.ts", 'import type { ChildProcess } from "node:child_process";\n');
  const files = [api("types"), api("short"), api("imports"), page("look"), api("starts"), api("long")];
  const seconds = { types: 2, short: 3, imports: 4, look: 1, starts: 5, long: 5 };
  const byFile = Object.fromEntries(Object.entries(seconds).map(([name, value]) => [`test/${name}.test.ts`, value]));
  const lanes = planLanes(files, { rootDir, seconds: byFile });
  expect(lanes.map(namesOf)).toEqual([
    ["look", "starts"],
    ["imports", "long", "short", "types"],
  ]);
});

it("gives one lane a third of the time where one kind of files takes most of it, and counts files that are not listed as short", () => {
  const files = Array.from({ length: 40 }, (_, i) => page(String(i)));
  const seconds = Object.fromEntries(files.slice(0, 39).map(({ file }, i) => [file, (i * 7) % 30]));
  const lanes = planLanes(files, { rootDir, seconds });
  const [first = 0, second = 0] = lanes.map((lane) => lane.reduce((sum, { file }) => sum + (seconds[file] ?? 0), 0));
  expect(lanes.flat()).toHaveLength(40);
  expect(Math.abs(2 * first - second)).toBeLessThanOrEqual(60);
});
