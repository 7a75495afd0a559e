import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../../factories/wait-for";
import { processesOf, removeLeftovers } from "../../runner/leftovers.mjs";
import { runScratch, startScratch, writeScratch } from "./scratch-run";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(os.tmpdir(), "svc-runner-"));
});
afterEach(async () => {
  for (const mark of readdirSync(parent)) await removeLeftovers(mark, []);
  rmSync(parent, { recursive: true, force: true });
});

const isRoot = process.getuid?.() === 0;
/** Starts a process of its own session without environment, as svc starts its engines, and mounts where it may. */
const leaving = (then: string) => `
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { it } from "vitest";
it("leaves things", async () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), "left-"));
  const child = spawn("/bin/sh", ["-c", "sleep 600 & sleep 600"], { cwd: dir, detached: true, env: {}, stdio: "ignore" });
  child.unref();
  if (${isRoot}) execFileSync("mount", ["-t", "tmpfs", "none", dir]);
  writeFileSync(path.join(import.meta.dirname, "left.json"), JSON.stringify({ dir, pid: child.pid }));
  ${then}
});
`;

interface Left {
  dir: string;
  pid: number;
}
const leftIn = (scratch: string) => JSON.parse(readFileSync(path.join(scratch, "left.json"), "utf8")) as Left;

/** A process that has been killed may be a zombie for a moment. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

function expectNothingLeft({ dir, pid }: Left): void {
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(dir)).toBe(false);
  expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(dir);
}

describe.runIf(process.platform === "linux")("what tests leave behind", () => {
  it("is removed and named at the end of a run that passed", async () => {
    const scratch = writeScratch({ "a.test.ts": leaving("") });
    const { code, lines } = await runScratch(scratch, { parent });
    expect(lines.at(-1)).toBe("1 passed, 0 failed");
    expect(code).toBe(0);
    const left = leftIn(scratch);
    const named = lines.filter((line) => line.startsWith("left behind by this run: "));
    expect(named).toContain(`left behind by this run: process ${left.pid}: /bin/sh -c sleep 600 & sleep 600`);
    expect(named).toContain(`left behind by this run: folder ${path.basename(left.dir)}`);
    if (isRoot) expect(named).toContain(`left behind by this run: mount ${left.dir}`);
    expectNothingLeft(left);
    expect(readdirSync(parent)).toEqual([]);
  });

  it("of a run that was killed is removed when the next one starts, with its workers", async () => {
    const scratch = writeScratch({ "a.test.ts": leaving("await new Promise((go) => setTimeout(go, 50_000));") });
    const killed = startScratch(scratch, { parent });
    await waitFor(() => leftIn(scratch));
    const [mark = ""] = readdirSync(parent);
    const exited = once(killed.child, "exit");
    killed.child.kill("SIGKILL");
    await exited;
    expect(processesOf(mark).length).toBeGreaterThan(3);
    const left = leftIn(scratch);
    expect(isAlive(left.pid)).toBe(true);

    const next = await runScratch(
      writeScratch({ "a.test.ts": 'import { it } from "vitest"; it("holds", () => {});' }),
      {
        parent,
      },
    );
    expect(next.lines).toContain(`removed the folders of an earlier run, ${mark}`);
    expect(next.lines.at(-1)).toBe("1 passed, 0 failed");
    expectNothingLeft(left);
    expect(processesOf(mark)).toEqual([]);
    expect(readdirSync(parent)).toEqual([]);
  });

  it("of a run that is interrupted is removed at its end", async () => {
    const scratch = writeScratch({ "a.test.ts": leaving("await new Promise((go) => setTimeout(go, 50_000));") });
    const run = startScratch(scratch, { parent });
    await waitFor(() => leftIn(scratch));
    run.child.kill("SIGTERM");
    const { code, lines } = await run.ended;
    expect(lines).toContain("failed: the run was interrupted");
    expect(lines.at(-1)).toMatch(/^0 passed, \d failed$/);
    expect(code).toBe(1);
    expectNothingLeft(leftIn(scratch));
    expect(readdirSync(parent)).toEqual([]);
  });
});
