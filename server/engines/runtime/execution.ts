import type { Readable } from "node:stream";

export interface ExecOptions {
  /** Copied to the process's standard input, which is empty without it. */
  stdin?: Readable | undefined;
  /** In addition to the workload's environment. */
  env?: Readonly<Record<string, string>> | undefined;
  /** The program gets a terminal of this size: `stdin` is what is typed, `stdout` has all output. */
  terminal?: TerminalSize | undefined;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** A process that `exec` started. */
export interface Execution {
  /** Both outputs end soon after the process, even if others that it has started still have them open. */
  stdout: Readable;
  stderr: Readable;
  /** Resolves when the process has ended. What it has started may run on, without output, until the workload ends. */
  exited: Promise<ExecutionExit>;
  /** Sends a signal to the process and its group. */
  kill(signal: NodeJS.Signals): void;
  /**
   * Ends the process together with all that it has started, and both outputs: what was not read is lost. `exited`
   * resolves within some seconds, whatever the process does. May be called again; after the process it ends only the outputs.
   */
  end(): void;
  /** Changes the size of its terminal, which tells the programs in it; does nothing without a terminal. */
  resize(size: TerminalSize): void;
}

export interface ExecutionExit {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}
