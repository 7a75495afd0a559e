import { EXIT } from "../errors";
import type { Io } from "../io";
import { type Executed, printExecuted, runProgram } from "../programs/exec-program";
import type { Arguments } from "../read-arguments";
import { cellText } from "../terminal-text";

interface Sandbox extends Executed {
  id: string;
  status: string;
  status_reason: { message: string } | null;
}

const SECONDS = 300;

/** `svc sandboxes run`. Returns the exit status of the command. */
export async function runSandbox(read: Arguments, io: Io): Promise<number> {
  const made = (await runProgram("createSandbox", { read, io, seconds: SECONDS })) as Sandbox;
  if (read.flags.json) return EXIT.ok;
  if (made.status !== "ended") io.stderr.write(`${cellText(made.id)}\n`);
  if (made.exit_code === null && made.signal === null) {
    io.stderr.write(`svc: ${cellText(made.status_reason?.message ?? "The command did not run.")}\n`);
    return EXIT.refused;
  }
  return printExecuted(made, io);
}
