import type { Fetch } from "../call-api";
import type { Timing } from "../send-operation";

/** A stream for text; what a terminal is says so. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Everything that a command touches beside files. */
export interface Io {
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** A line from the terminal, not shown where it is `hidden`; without a terminal the next line of the input. */
  ask: (question: string, options?: { hidden: boolean }) => Promise<string>;
  /** The bytes that are piped in, for a feed. */
  input: () => ReadableStream<Uint8Array>;
  /** What a key made here is named after. */
  hostname: string;
  fetch?: Fetch | undefined;
  timing?: Partial<Timing> | undefined;
}
