import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { keptOutput } from "../kept-output";
import { type ExecOptions, type Execution, RuntimeError, type TerminalSize } from "../runtime";
import { signalGroup } from "../signal-group";
import { boundedSize } from "../terminal-size";
import { scriptFields, startScript } from "./run-script";
import { exitOf, type ProcessMark, type WorkloadNotes } from "./workload-folder";
import { idsField, type WorkloadIds } from "./workload-ids";

export interface ExecuteProgram extends ExecOptions {
  scripts: string;
  process: ProcessMark;
  supervisor: ProcessMark;
  ids: WorkloadIds;
  notes: WorkloadNotes;
  cgroupFolders: readonly string[];
  command: readonly string[];
}

const SPECIFICATION_FD = 3;
const REPORT_FD = 4;
const CONTROL_FD = 5;

/** Starts a further program in a running workload; resolves when it runs. Throws `start_failed` and `not_running`. */
export async function executeProgram(options: ExecuteProgram): Promise<Execution> {
  const fields = fieldsOf(options);
  if (fields.some(([, value]) => value.includes("\0"))) {
    throw new RuntimeError("start_failed", "The program did not start: no text may contain a NUL character.");
  }
  const lastFd = options.terminal ? CONTROL_FD : REPORT_FD;
  const stdio = Array.from({ length: lastFd + 1 }, () => "pipe" as const);
  const child = startScript(options.scripts, ["execute.pl"], { stdio });
  const output = { stdout: keptOutput(child.stdout), stderr: keptOutput(child.stderr) };
  child.on("error", () => {});
  (child.stdio[SPECIFICATION_FD] as Writable).on("error", () => {}).end(scriptFields(fields));
  const report = createInterface({ input: child.stdio[REPORT_FD] as Readable });
  const lines = report[Symbol.asyncIterator]();
  const first = (await lines.next()).value ?? "the process could not be created";
  const pid = /^pid (\d+)$/.exec(first)?.[1];
  if (pid === undefined) throw failureOf(first);
  feed(child, options.stdin);
  return { ...output, ...executionOf(child, { pid: Number(pid), lines }) };
}

function failureOf(sentence: string): RuntimeError {
  if (sentence === "the workload does not run") return new RuntimeError("not_running", "The workload does not run.");
  return new RuntimeError("start_failed", `The program did not start: ${sentence}.`);
}

function executionOf(
  child: ChildProcess,
  { pid, lines }: { pid: number; lines: AsyncIterator<string> },
): Omit<Execution, "stdout" | "stderr"> {
  let hasEnded = false;
  const control = (child.stdio as readonly unknown[])[CONTROL_FD] as Writable | undefined;
  control?.on("error", () => {});
  const exited = (async () => {
    const { value = "" } = await lines.next();
    hasEnded = true;
    control?.end();
    const status = /^status (\d+)$/.exec(value)?.[1];
    return status === undefined ? ({ exitCode: null, signal: "SIGKILL" } as const) : exitOf(Number(status));
  })();
  return {
    exited,
    kill: (signal) => {
      if (!hasEnded) signalGroup(pid, signal);
    },
    resize: (size) => {
      if (!hasEnded) control?.write(`${sizeField(size)}\n`);
    },
  };
}

function feed({ stdin }: ChildProcess, source: Readable | undefined): void {
  if (!stdin) return;
  // A program need not read its input.
  stdin.on("error", () => source?.destroy());
  if (source) source.on("error", () => stdin.destroy()).pipe(stdin);
  else stdin.end();
}

const fieldsOf = ({
  process,
  supervisor,
  ids,
  notes,
  cgroupFolders,
  command,
  env = {},
  terminal,
}: ExecuteProgram): [string, string][] => [
  ["pid", String(process.pid)],
  ["mark", process.mark],
  ["supervisor", String(supervisor.pid)],
  ["ids", idsField(ids)],
  ...(terminal ? [["terminal", sizeField(terminal)] as [string, string]] : []),
  ...cgroupFolders.map((path): [string, string] => ["cgroup", path]),
  ["user", notes.user],
  ["cwd", notes.workingDir],
  ...command.map((part): [string, string] => ["command", part]),
  ...Object.entries(env).map(([name, value]): [string, string] => ["env", `${name}=${value}`]),
];

const sizeField = (size: TerminalSize): string => {
  const { columns, rows } = boundedSize(size);
  return `${columns} ${rows}`;
};
