import { constants } from "node:os";
import { stringifyJson } from "../../exact-json";
import { OPERATIONS } from "../../generated/operations";
import { connect } from "../connect";
import { EXIT } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";

type OperationId = keyof typeof OPERATIONS;

/** How a program ended, and what it wrote. */
export interface Executed {
  exit_code: number | null;
  signal: string | null;
  timed_out: boolean | null;
  stdout: string | null;
  stderr: string | null;
  truncated: boolean | null;
}

const SIGNAL_BASE = 128;
/** svc ends the program; the client waits for the start of what it runs in, too. */
const START_SECONDS = 900;
const SECONDS = 60;

/** `svc pods exec` and those of other nouns. They return the exit status of the program. */
export const execIn =
  (operation: OperationId) =>
  async (read: Arguments, io: Io): Promise<number> => {
    const executed = (await runProgram(operation, { read, io, seconds: SECONDS })) as Executed;
    return read.flags.json ? EXIT.ok : printExecuted(executed, io);
  };

interface Run {
  read: Arguments;
  io: Io;
  /** How long it takes at most if the caller names no time. */
  seconds: number;
}

/** Calls an operation that runs the program of a command, and prints its response if that is asked for. */
export async function runProgram(
  operation: OperationId,
  { read: { input, flags, program }, io, seconds }: Run,
): Promise<unknown> {
  const call = connect("platform", flags["base-url"] as string | undefined, io);
  const timeoutMs = (Number(input.timeout_seconds ?? seconds) + START_SECONDS) * 1000;
  const result = await call(OPERATIONS[operation], { ...input, command: [...program] }, { timeoutMs, retries: 0 });
  if (flags.json) io.stdout.write(`${stringifyJson(result, 2)}\n`);
  return result;
}

/** Prints what a program wrote. Returns its exit status. */
export function printExecuted(executed: Executed, io: Io): number {
  const { stdout, stderr, exit_code: code, signal, timed_out, truncated } = executed;
  io.stdout.write(stdout ?? "");
  io.stderr.write(stderr ?? "");
  if (truncated) io.stderr.write("svc: It wrote more than 1 MiB; the rest is dropped.\n");
  if (timed_out) io.stderr.write("svc: It was ended, because its time was over.\n");
  return code ?? SIGNAL_BASE + (constants.signals[signal as NodeJS.Signals] ?? 0);
}
