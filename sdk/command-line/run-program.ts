import { spawn } from "node:child_process";
import { UsageError } from "./errors";

export interface ProgramInput {
  /** Written to standard input. */
  input: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Ends the program and what it has started. */
  kill: AbortSignal;
}

/**
 * Runs a program without a shell, with the output of svc, and resolves with why it failed, or undefined for the exit
 * status 0. It is in a process group of its own, so that a Ctrl-C for svc does not end it.
 *
 * Rejects with a UsageError if it cannot be started.
 */
export function runProgram(
  [file = "", ...args]: readonly string[],
  { input, env, kill }: ProgramInput,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      env: { ...env } as NodeJS.ProcessEnv,
      stdio: ["pipe", "inherit", "inherit"],
      detached: true,
    });
    const end = (): void => endGroup(child.pid);
    if (kill.aborted) end();
    kill.addEventListener("abort", end, { once: true });
    // A program need not read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.on("error", (failure: NodeJS.ErrnoException) => {
      kill.removeEventListener("abort", end);
      reject(new UsageError(`${file}: the command could not be started (${failure.code ?? failure.message}).`));
    });
    child.on("exit", (status, signal) => {
      kill.removeEventListener("abort", end);
      resolve(status === 0 ? undefined : signal ? `ended by ${signal}` : `exit status ${status}`);
    });
  });
}

/** A negative id means the group; without groups, as on Windows, the program alone is ended. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGTERM");
  } catch {
    // It has ended.
  }
}
