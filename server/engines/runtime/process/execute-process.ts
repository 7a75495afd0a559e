import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { processMark } from "../../file-lock.mjs";
import { endable } from "../endable";
import type { ExecOptions, Execution, ExecutionExit } from "../execution";
import { EXECUTION_MARK } from "../execution-mark";
import { keptOutput } from "../kept-output";
import type { ProcessMark, WorkloadFolder } from "../namespaces/workload-folder";
import { RuntimeError } from "../runtime";
import { signalGroup } from "../signal-group";
import { onHost, variablesOf } from "./process-environment";
import { resolveProgram } from "./resolve-program";
import { endProcesses } from "./workload-processes";

export interface ExecuteProcess extends Omit<ExecOptions, "terminal"> {
  folder: WorkloadFolder;
  /** The first process of the workload, whose environment the program gets. */
  first: ProcessMark;
  architecture: string;
  command: readonly string[];
}

/** Starts a further program of the image as a process of the node. Throws `start_failed` and `not_running`. */
export async function executeProcess(options: ExecuteProcess): Promise<Execution> {
  const { folder, first, architecture, command, env: added = {} } = options;
  if ([...command, ...Object.entries(added).flat()].some((text) => text.includes("\0"))) {
    throw failure("no text may contain a NUL character");
  }
  const [{ workingDir: cwd }, inherited] = await Promise.all([folder.notes(), environmentOf(first)]);
  const root = folder.file("root");
  const own = onHost(variablesOf(Object.entries(added).map(([name, value]) => `${name}=${value}`)), root);
  const env = { ...inherited, ...Object.fromEntries([...own].filter(([name]) => Object.hasOwn(added, name))) };
  const view = { root, workingDir: cwd.slice(root.length) || "/", env: inImage(env, root), architecture };
  const [file = "", ...args] = await resolveProgram(command, view);
  const mark = randomUUID();
  const marked: Record<string, string | undefined> = { ...env, [EXECUTION_MARK]: mark };
  const child = spawn(file, args, { cwd, env: marked as NodeJS.ProcessEnv, detached: true, stdio: "pipe" });
  const reported = new Promise<ExecutionExit>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const outputs = { stdout: keptOutput(child.stdout, reported), stderr: keptOutput(child.stderr, reported) };
  await Promise.race([once(child, "spawn"), once(child, "error").then(([cause]) => Promise.reject(cause))]).catch(
    (cause: NodeJS.ErrnoException) => {
      throw failure(`${command[0]} cannot be run (${cause.code ?? "unknown error"})`);
    },
  );
  feed(child, options.stdin);
  void reported.then(() => child.stdin.destroy());
  const program = { pid: child.pid ?? 0, mark: processMark(child.pid ?? 0) ?? "" };
  // One that is not found, or that the kernel cannot end, runs on.
  const kill = () => void endProcesses({ mark: `${EXECUTION_MARK}=${mark}`, first: program }).catch(() => undefined);
  const { exited, end } = endable(reported, { outputs: Object.values(outputs), kill });
  return { ...outputs, exited, end, kill: (signal) => signalIfRunning(child, signal), resize: () => {} };
}

/** As it was when the program began. */
async function environmentOf({ pid }: ProcessMark): Promise<Record<string, string>> {
  const text = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => {
    throw new RuntimeError("not_running", "The workload does not run.");
  });
  return Object.fromEntries(variablesOf(text.split("\0")));
}

/** The folders of lists as the image names them, which are looked for below its root. */
const inImage = (env: Readonly<Record<string, string>>, root: string): Map<string, string> =>
  new Map(Object.entries(env).map(([name, value]) => [name, value.replaceAll(`${root}/`, "/")]));

function feed(child: ChildProcess, stdin: Readable | undefined): void {
  // A program need not read its input.
  child.stdin?.on("error", () => stdin?.destroy());
  if (stdin && child.stdin) stdin.on("error", () => child.stdin?.destroy()).pipe(child.stdin);
  else child.stdin?.end();
}

function signalIfRunning({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) signalGroup(pid, signal);
}

const failure = (why: string): RuntimeError => new RuntimeError("start_failed", `The program did not start: ${why}.`);
