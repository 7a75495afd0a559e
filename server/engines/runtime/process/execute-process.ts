import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { keptOutput } from "../kept-output";
import type { ProcessMark, WorkloadFolder } from "../namespaces/workload-folder";
import { type ExecOptions, type Execution, RuntimeError } from "../runtime";
import { signalGroup } from "../signal-group";
import { onMachine, variablesOf } from "./process-environment";
import { resolveProgram } from "./resolve-program";

export interface ExecuteProcess extends Omit<ExecOptions, "terminal"> {
  folder: WorkloadFolder;
  /** The first process of the workload, whose environment the program gets. */
  first: ProcessMark;
  architecture: string;
  command: readonly string[];
}

/** Starts a further program of the image as a process of the machine. Throws `start_failed` and `not_running`. */
export async function executeProcess(options: ExecuteProcess): Promise<Execution> {
  const { folder, first, architecture, command, env: added = {} } = options;
  if ([...command, ...Object.entries(added).flat()].some((text) => text.includes("\0"))) {
    throw failure("no text may contain a NUL character");
  }
  const [{ workingDir: cwd }, inherited] = await Promise.all([folder.notes(), environmentOf(first)]);
  const root = folder.file("root");
  const own = onMachine(variablesOf(Object.entries(added).map(([name, value]) => `${name}=${value}`)), root);
  const env = { ...inherited, ...Object.fromEntries([...own].filter(([name]) => Object.hasOwn(added, name))) };
  const view = { root, workingDir: cwd.slice(root.length) || "/", env: inImage(env, root), architecture };
  const [program = "", ...args] = await resolveProgram(command, view);
  const child = spawn(program, args, { cwd, env: env as NodeJS.ProcessEnv, detached: true, stdio: "pipe" });
  const output = { stdout: keptOutput(child.stdout), stderr: keptOutput(child.stderr) };
  await Promise.race([once(child, "spawn"), once(child, "error").then(([cause]) => Promise.reject(cause))]).catch(
    (cause: NodeJS.ErrnoException) => {
      throw failure(`${command[0]} cannot be run (${cause.code ?? "unknown error"})`);
    },
  );
  return { ...output, ...executionOf(child, options.stdin) };
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

function executionOf(child: ChildProcess, stdin: Readable | undefined): Omit<Execution, "stdout" | "stderr"> {
  const exited = new Promise<Awaited<Execution["exited"]>>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  // A program need not read its input.
  child.stdin?.on("error", () => stdin?.destroy());
  if (stdin && child.stdin) stdin.on("error", () => child.stdin?.destroy()).pipe(child.stdin);
  else child.stdin?.end();
  return {
    exited,
    kill: (signal) => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        signalGroup(child.pid, signal);
    },
    resize: () => {},
  };
}

const failure = (why: string): RuntimeError => new RuntimeError("start_failed", `The program did not start: ${why}.`);
