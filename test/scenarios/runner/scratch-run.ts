import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";

/** By name. */
export type ScratchFiles = Record<string, string>;

const runner = path.resolve(import.meta.dirname, "../../runner");
const CONFIG = `
import { LaneSequencer } from ${JSON.stringify(path.join(runner, "lane-sequencer.mjs"))};
export default { test: { pool: "forks", isolate: false, maxWorkers: 1, sequence: { sequencer: LaneSequencer }, projects: [
  { test: { name: "api", isolate: false, include: ["*.test.ts"], sequence: { groupOrder: 1 } } },
] } };
`;

/** A folder of test files with its own configuration; it is removed at the end of the run. */
export function writeScratch(files: ScratchFiles): string {
  const dir = mkdtempSync(path.join(inject("runFolder"), "scratch-"));
  writeFileSync(path.join(dir, "vitest.config.mjs"), CONFIG);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text);
  return dir;
}

export interface ScratchRun {
  code: number | null;
  /** Of standard output and standard error, without empty ones. */
  lines: string[];
}

/** Runs the tests of a folder as `npm test` does, without engines; the folders of the run are made in `parent`. */
export async function runScratch(
  dir: string,
  { args = [], parent }: { args?: string[]; parent: string },
): Promise<ScratchRun> {
  const { ended } = startScratch(dir, { args, parent });
  return ended;
}

export function startScratch(
  dir: string,
  { args = [], parent }: { args?: string[]; parent: string },
): { child: ChildProcess; said: () => string; ended: Promise<ScratchRun> } {
  const options = JSON.stringify({ rootDir: dir, args, withEngines: false });
  const program = `
import { runTests } from ${JSON.stringify(path.join(runner, "run-tests.mjs"))};
process.exitCode = await runTests({ ...${options}, print: (line) => process.stderr.write(line + "\\n") });
`;
  const { SVC_TEST_RUN, SVC_TEST_ENGINES, SVC_TEST_LANE, SVC_TEST_ONLY, ...env } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: dir,
    env: {
      ...env,
      SVC_TEST_TMPDIR: parent,
      NO_COLOR: "1",
      VITEST: undefined,
      VITEST_MODE: undefined,
    } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      text += chunk;
    });
  const ended = new Promise<ScratchRun>((resolve) => {
    child.once("close", (code) => resolve({ code, lines: text.split("\n").filter((line) => line !== "") }));
  });
  return { child, said: () => text, ended };
}
