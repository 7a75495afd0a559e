import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { withTimeout } from "../../../kernel/with-timeout";
import { startScript } from "../../perl/run-script";
import { exitOf } from "../../programs/exit-of";
import type { Program } from "../../programs/program";
import { programFields } from "../../programs/program-fields";
import { endable } from "../endable";
import type { ExecOptions, Execution, ExecutionExit, TerminalSize } from "../execution";
import { EXECUTION_MARK } from "../execution-mark";
import { keptOutput } from "../kept-output";
import { RuntimeError } from "../runtime";
import { signalGroup } from "../signal-group";
import { boundedSize } from "../terminal-size";
import type { ProcessMark, WorkloadNotes } from "./workload-folder";
import { idsField, type WorkloadIds } from "./workload-ids";

export interface ExecuteProgram extends ExecOptions {
  scripts: string;
  process: ProcessMark;
  supervisor: ProcessMark;
  ids: WorkloadIds;
  notes: WorkloadNotes;
  /** The last one is made for this program. Empty: none are used. */
  cgroupFolders: readonly string[];
  command: readonly string[];
}

/** Its standard streams, its specification, its reports and its control. */
const DESCRIPTORS = ["input", "output", "output", "input", "output", "input"] as const;
const SPECIFICATION_FD = 3;
const REPORT_FD = 4;
const CONTROL_FD = 5;
const START_MS_MAX = 30_000;
const NO_PROCESS = "the process could not be created";

/** Starts a further program in a running workload; resolves when it runs. Throws `start_failed` and `not_running`. */
export async function executeProgram(options: ExecuteProgram): Promise<Execution> {
  const fields = fieldsOf(options);
  if (fields.some(([, value]) => value.includes("\0"))) {
    throw new RuntimeError("start_failed", "The program did not start: no text may contain a NUL character.");
  }
  const child = await startScript(options.scripts, ["execute.pl"], DESCRIPTORS).catch(() => {
    throw failureOf(NO_PROCESS);
  });
  child.input(SPECIFICATION_FD).end(programFields(fields));
  const report = createInterface({ input: child.output(REPORT_FD) });
  const lines = report[Symbol.asyncIterator]();
  const [first, last] = [lines.next(), lines.next()];
  const reported = last.then(({ value }) => exitOfLine(value));
  const outputs = { stdout: keptOutput(child.output(1), reported), stderr: keptOutput(child.output(2), reported) };
  const pid = await started(child, first);
  feed(child.input(0), options.stdin);
  return { ...outputs, ...executionOf(child, { pid, reported, outputs: Object.values(outputs) }) };
}

/** The process id of the program. */
async function started(child: Program, first: Promise<IteratorResult<string>>): Promise<number> {
  try {
    const { value } = await withTimeout(START_MS_MAX, first, () => failureOf("it did not start in time"));
    const pid = /^pid (\d+)$/.exec(value ?? "")?.[1];
    if (pid === undefined) throw failureOf(value ?? NO_PROCESS);
    return Number(pid);
  } catch (cause) {
    child.kill("SIGKILL");
    child.destroy();
    throw cause;
  }
}

function failureOf(sentence: string): RuntimeError {
  if (sentence === "the workload does not run") return new RuntimeError("not_running", "The workload does not run.");
  return new RuntimeError("start_failed", `The program did not start: ${sentence}.`);
}

function exitOfLine(line = ""): ExecutionExit {
  const status = /^status (\d+)$/.exec(line)?.[1];
  return status === undefined ? { exitCode: null, signal: "SIGKILL" } : exitOf(Number(status));
}

interface Started {
  pid: number;
  reported: Promise<ExecutionExit>;
  outputs: readonly Readable[];
}

/** The script ends when its control does, and if that is before the program ends, ends all that the program has started. */
function executionOf(child: Program, { pid, reported, outputs }: Started): Omit<Execution, "stdout" | "stderr"> {
  const control = child.input(CONTROL_FD);
  let hasEnded = false;
  const { exited, end } = endable(reported, { outputs, kill: () => control.destroy() });
  void exited.then(async () => {
    hasEnded = true;
    child.input(0).destroy();
    await Promise.all(outputs.map((output) => finished(output).catch(() => undefined)));
    control.destroy();
  });
  return {
    exited,
    end,
    kill: (signal) => {
      if (!hasEnded) signalGroup(pid, signal);
    },
    resize: (size) => {
      if (!hasEnded) control.write(`${sizeField(size)}\n`);
    },
  };
}

function feed(stdin: Writable, source: Readable | undefined): void {
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
  ["started", process.mark],
  ["supervisor", String(supervisor.pid)],
  ["ids", idsField(ids)],
  ...(terminal ? [["terminal", sizeField(terminal)] as [string, string]] : []),
  ...cgroupFolders.map((path): [string, string] => ["cgroup", path]),
  ...(cgroupFolders.length === 0 ? [["mark", `${EXECUTION_MARK}=${randomUUID()}`] as [string, string]] : []),
  ["user", notes.user],
  ["cwd", notes.workingDir],
  ...command.map((part): [string, string] => ["command", part]),
  ...Object.entries(env).map(([name, value]): [string, string] => ["env", `${name}=${value}`]),
];

const sizeField = (size: TerminalSize): string => {
  const { columns, rows } = boundedSize(size);
  return `${columns} ${rows}`;
};
