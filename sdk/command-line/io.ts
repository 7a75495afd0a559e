import type { Fetch } from "../call-api";
import type { Timing } from "../send-operation";

/** A text stream; terminals set `isTTY`. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
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
  /** Used in the name of a created key. */
  hostname: string;
  fetch?: Fetch | undefined;
  timing?: Partial<Timing> | undefined;
}
