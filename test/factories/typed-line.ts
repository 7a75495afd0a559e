import type { Io } from "../../sdk/command-line/io";
import { main } from "../../sdk/command-line/main";
import { sleep } from "../../sdk/sleep";

export interface TypedLine {
  key: string;
  svc: string;
  /** Standard input. */
  input?: Uint8Array | string | ReadableStream<Uint8Array>;
  /** What a person types; without it, no terminal is there. */
  answers?: string[];
  columns?: number;
  fetch?: Io["fetch"];
  env?: Record<string, string>;
}

/** Runs a line of the command line; a second of it is a millisecond. `stop` is Ctrl-C, `kill` the second one. */
export function typeLine(argv: readonly string[], { key, svc, input = "", answers, columns, ...more }: TypedLine) {
  const said = { out: "", err: "" };
  const bytes: Uint8Array[] = [];
  const asked: [string, { hidden: boolean } | undefined][] = [];
  const [stop, kill] = [new AbortController(), new AbortController()];
  const done = main(argv, {
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text), isTTY: columns !== undefined, columns },
    env: { SVC_API_KEY: key, SVC_BASE_URL: svc, PATH: process.env.PATH, ...more.env },
    ask: async (question, options) => {
      asked.push([question, options]);
      return answers?.shift() ?? "";
    },
    isInteractive: answers !== undefined,
    input: () => (input instanceof ReadableStream ? input : new Blob([input as BlobPart]).stream()),
    writeBytes: async (chunk) => void bytes.push(chunk.slice()),
    hostname: "laptop",
    interruption: () => ({ stop: stop.signal, kill: kill.signal }),
    fetch: more.fetch,
    timing: { sleep: (_, signal) => sleep(1, signal) },
  });
  return { said, done, stop, kill, asked, written: () => Buffer.concat(bytes) };
}
