import type { Fetch } from "../call-api";
import type { Timing } from "../send-operation";

/** A text stream; terminals set `isTTY`. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** What Ctrl-C says to a command that runs until then. */
export interface Interruption {
  /** Aborted by the first one: finish. */
  stop: AbortSignal;
  /** Aborted by the second one: end what still runs. */
  kill: AbortSignal;
  /** From then on, Ctrl-C ends the program by itself again. */
  end?: (() => void) | undefined;
}

/** The terminal of a person, for a program elsewhere that has one, too. */
export interface LocalTerminal {
  /** Undefined if it is not known. */
  size: () => { columns: number; rows: number } | undefined;
  /** Keys are then input as they are pressed, Ctrl-C included. Returns what restores the terminal. */
  enterRawMode: () => () => void;
  /** Calls `changed` after each change of the size. Returns what ends that. */
  onResize: (changed: () => void) => () => void;
}

/** A command's access to the outside, except files. */
export interface Io {
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Reads a line from the terminal, without echo if `hidden`; without a terminal, the next line of the input. */
  ask: (question: string, options?: { hidden: boolean }) => Promise<string>;
  /** Standard input, for a feed. */
  input: () => ReadableStream<Uint8Array>;
  /** Writes bytes to standard output, and resolves when more can be written. */
  writeBytes?: ((bytes: Uint8Array) => Promise<void>) | undefined;
  /** Whether `ask` asks a person, and not a pipe or a file. */
  isInteractive?: boolean | undefined;
  /** The terminal that standard input is, if it is one. */
  terminal?: LocalTerminal | undefined;
  /** From then on, Ctrl-C no longer ends the program by itself. Without it, nothing interrupts. */
  interruption?: (() => Interruption) | undefined;
  /** Used in the name of a created key. */
  hostname: string;
  fetch?: Fetch | undefined;
  timing?: Partial<Timing> | undefined;
}
