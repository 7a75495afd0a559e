import { Readable } from "node:stream";
import { ServiceError } from "../../../kernel/errors";
import { outputBudget, readExecution } from "../pods/read-execution";
import { startFailure } from "../pods/start-failure";
import type { ReachedInside } from "./reach-started";

/** Of one file. */
export const FILE_BYTES_MAX = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const ERROR_BYTES_MAX = 1000;

/** What scripts end with besides 0; other codes are failures of programs. */
const FAILURES: Readonly<Record<number, [ConstructorParameters<typeof ServiceError>[0], string, string]>> = {
  44: ["not_found", "no_such_file", "does not exist"],
  45: ["unprocessable", "is_folder", "is a folder"],
  46: ["unprocessable", "no_file", "is no regular file"],
  47: ["unprocessable", "not_permitted", "must not be accessed by the user of the image"],
  48: ["unprocessable", "no_folder", "is no folder"],
  49: ["conflict", "exists", "exists already"],
};

export interface InsideScript {
  /** Of /bin/sh; `$1` is the path, `$2` is `to`. */
  script: string;
  path: string;
  /** The other path of what is moved. */
  to?: string | undefined;
  stdin?: Buffer | undefined;
  bytesMax: number;
}

/**
 * Runs a script as a program in a workload and returns its output. A path reaches only what is in the workload, because
 * the kernel resolves it there. It ends within a minute even if the program does not. Throws `not_found` (reason
 * `no_such_file`), `unprocessable`, `conflict` (reason `exists`) and `payload_too_large`.
 */
export async function runInside(
  { runtime, run, signal }: Pick<ReachedInside, "runtime" | "run" | "signal">,
  { script, path, to, stdin, bytesMax }: InsideScript,
): Promise<Buffer> {
  const command = ["/bin/sh", "-c", script, "svc", path, ...(to === undefined ? [] : [to])];
  const env = { LC_ALL: "C" };
  const execution = await runtime
    .exec(run.id, command, { env, ...(stdin && { stdin: Readable.from(stdin.length > 0 ? [stdin] : []) }) })
    .catch(startFailure);
  const stdout = outputBudget(bytesMax);
  const { exit, ...read } = await readExecution(execution, {
    timeoutMs: TIMEOUT_MS,
    signal,
    endsWhenFull: true,
    budgets: { stdout, stderr: outputBudget(ERROR_BYTES_MAX) },
  });
  if (stdout.isExceeded) throw tooLarge(path, bytesMax);
  if (exit.exitCode !== 0) throw failureOf(exit.exitCode, { path, to }, read.stderr.toString("utf8"));
  return read.stdout;
}

const tooLarge = (path: string, bytesMax: number): ServiceError =>
  new ServiceError("payload_too_large", `path: ${path} has more than ${bytesMax} bytes; read it in parts with exec.`, {
    param: "path",
  });

const EXISTS = 49;

function failureOf(
  exitCode: number | null,
  { path, to }: Pick<InsideScript, "path" | "to">,
  errors: string,
): ServiceError {
  const why = exitCode === null ? "the program that accesses it was ended" : errors.trim().replace(/\.$/, "");
  const [code, reason, text] = FAILURES[exitCode ?? -1] ?? ["unprocessable", "failed", `cannot be accessed: ${why}`];
  const param = exitCode === EXISTS && to !== undefined ? "to" : "path";
  return new ServiceError(code, `${param}: ${param === "to" ? to : path} ${text}.`, { param, details: { reason } });
}
