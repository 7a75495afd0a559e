import os from "node:os";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { Io } from "./io";

const INTERRUPTED = 130;

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
    input: () => Readable.toWeb(stdin) as ReadableStream<Uint8Array>,
    ask: async (question, { hidden } = { hidden: false }) => {
      if (!stdin.isTTY) return nextLine();
      stderr.write(question);
      return hidden ? readHidden() : readShown();
    },
  };
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
