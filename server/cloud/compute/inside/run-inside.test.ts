import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { endable } from "../../../engines/runtime/endable";
import type { Execution, ExecutionExit } from "../../../engines/runtime/execution";
import { type InsideScript, runInside } from "./run-inside";

const KILLED: ExecutionExit = { exitCode: null, signal: "SIGKILL" };

/** A program of which nothing ends by itself, as when a process that it has started has its output open. */
function endless({ isReported }: { isReported: boolean }) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let hasEnded = false;
  let report: (exit: ExecutionExit) => void = () => {};
  const reported = new Promise<ExecutionExit>((resolve) => {
    report = resolve;
  });
  const kill = () => {
    hasEnded = true;
    if (isReported) report(KILLED);
  };
  const ending = endable(reported, { outputs: [stdout, stderr], kill });
  const execution: Execution = { stdout, stderr, ...ending, kill: () => {}, resize: () => {} };
  return { execution, stdout, stderr, hasEnded: () => hasEnded };
}

const run = ({ execution }: ReturnType<typeof endless>, signal: AbortSignal, more: Partial<InsideScript> = {}) => {
  const reached = { runtime: { exec: async () => execution }, run: { id: "run_1" }, signal };
  return runInside(reached as never, { script: "cat", path: "/a", bytesMax: 1000, ...more });
};

it("returns although nothing of the program ends, when its caller does not wait any longer", async () => {
  const program = endless({ isReported: false });
  program.stdout.write("begun");
  const caller = new AbortController();
  const ran = expect(run(program, caller.signal)).rejects.toMatchObject({ code: "unprocessable" });
  caller.abort();
  await ran;
  expect(program.hasEnded()).toBe(true);
  expect(program.stdout.destroyed).toBe(true);
});

it("ends a program that writes more than it may, and reads nothing more of it", async () => {
  const program = endless({ isReported: true });
  const ran = expect(run(program, new AbortController().signal)).rejects.toMatchObject({ code: "payload_too_large" });
  program.stdout.write(Buffer.alloc(1001));
  await ran;
  expect(program.hasEnded()).toBe(true);
  expect(program.stdout.destroyed).toBe(true);
});
