import { type PassThrough, pipeline, type Readable, type Writable } from "node:stream";
import type { Execution, TerminalSize } from "../../../engines/runtime/execution";
import { redactBytes } from "./redact-bytes";

/** A program in a pod that has a terminal. */
export interface TerminalSession {
  /** The number of the run of the pod. */
  run: number;
  /** What is typed. */
  input: Writable;
  /** What the terminal shows, without the values of secrets. It ends with the program. */
  output: Readable;
  /** Resolves when the program has ended, or cannot be reached any more, which `signal` SIGKILL says too. */
  exited: Promise<TerminalExit>;
  resize(size: TerminalSize): void;
  /** Hangs up: SIGHUP to the program and its process group; after 2 seconds it is ended with all that it has started. May be called again. */
  close(): void;
}

export interface TerminalExit {
  exitCode: number | null;
  signal: string | null;
}

interface SessionParts {
  run: number;
  execution: Execution;
  input: PassThrough;
  /** Values that are not shown. */
  secrets: readonly string[];
  /** Called once, when the program has ended. */
  onEnd: () => void;
}

const HANG_UP_MS = 2000;

export function terminalSession({ run, execution, input, secrets, onEnd }: SessionParts): TerminalSession {
  const output = redactBytes(secrets);
  pipeline(execution.stdout, output, () => {});
  execution.stderr.on("error", () => {}).resume();
  let isClosed = false;
  const exited = execution.exited
    .catch((): TerminalExit => ({ exitCode: null, signal: "SIGKILL" }))
    .finally(() => {
      input.destroy();
      onEnd();
    });
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    output.destroy();
    execution.kill("SIGHUP");
    const late = setTimeout(() => execution.end(), HANG_UP_MS);
    void exited.finally(() => clearTimeout(late));
  };
  return { run, input, output, exited, resize: (size) => execution.resize(size), close };
}
