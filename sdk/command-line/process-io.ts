import { setMaxListeners } from "node:events";
import os from "node:os";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { Interruption, Io } from "./io";
import { localTerminal } from "./local-terminal";

const INTERRUPTED = 130;
/** npm repeats the Ctrl-C that the terminal has already sent to the whole group. */
const REPEATED_WITHIN_MS = 300;

/** The process's own streams and environment, for `main`. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  let piped: AsyncIterator<string> | undefined;
  const nextLine = async (): Promise<string> => {
    piped ??= createInterface({ input: stdin })[Symbol.asyncIterator]();
    const { value, done } = await piped.next();
    return done ? "" : value;
  };
  return {
    stdout,
    stderr,
    env,
    hostname: os.hostname(),
    input: () => {
      keepAlive();
      return Readable.toWeb(stdin) as ReadableStream<Uint8Array>;
    },
    interruption,
    writeBytes,
    isInteractive: stdin.isTTY === true,
    terminal: stdin.isTTY ? localTerminal(process) : undefined,
    ask: async (question, { hidden } = { hidden: false }) => {
      keepAlive();
      if (!stdin.isTTY) return nextLine();
      stderr.write(question);
      return hidden ? readHidden() : readShown();
    },
  };
}

/** What waits for input keeps the program running, also after `interruption`; a file has no such method. */
function keepAlive(): void {
  if ("ref" in process.stdin) process.stdin.ref();
}

/** A reader that closes the pipe early ends the program; see svc.ts. */
const writeBytes = (bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(bytes, (failure) => (failure ? reject(failure) : resolve()));
  });

/** The third signal ends the program at once. */
function interruption(): Interruption {
  const steps = [new AbortController(), new AbortController()] as const;
  let lastAt = Number.NEGATIVE_INFINITY;
  const interrupted = (): void => {
    const now = performance.now();
    if (now - lastAt < REPEATED_WITHIN_MS) return;
    lastAt = now;
    const next = steps.find(({ signal }) => !signal.aborted);
    if (!next) process.exit(INTERRUPTED);
    next.abort();
  };
  // An input that stays open must not keep the program from ending; a file has no such method.
  if ("unref" in process.stdin) process.stdin.unref();
  // A command may wait for many things at once.
  setMaxListeners(0, ...steps.map(({ signal }) => signal));
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) process.on(name, interrupted);
  const end = (): void => {
    for (const name of names) process.off(name, interrupted);
  };
  return { stop: steps[0].signal, kill: steps[1].signal, end };
}

function readShown(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  return new Promise((resolve) => {
    let answer = "";
    lines.once("line", (line) => {
      answer = line;
      lines.close();
    });
    lines.once("close", () => resolve(answer));
  });
}

/** Reads a line key by key, because a terminal echoes whole lines by itself. */
function readHidden(): Promise<string> {
  const { stdin, stderr } = process;
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.resume();
  return new Promise((resolve) => {
    let typed = "";
    const take = (keys: string): void => {
      const { text, end } = withKeys(typed, keys);
      typed = text;
      if (!end) return;
      stdin.off("data", take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
      if (end === "interrupted") process.exit(INTERRUPTED);
      resolve(typed);
    };
    stdin.on("data", take);
  });
}

/** The line after more key presses: Ctrl-C interrupts, Enter or Ctrl-D ends the line, and Backspace deletes a character. */
function withKeys(before: string, keys: string): { text: string; end?: "entered" | "interrupted" } {
  let text = before;
  for (const key of keys) {
    if (key === "\u0003") return { text, end: "interrupted" };
    if (key === "\r" || key === "\n" || key === "\u0004") return { text, end: "entered" };
    text = key === "\u007f" || key === "\b" ? [...text].slice(0, -1).join("") : text + key;
  }
  return { text };
}
