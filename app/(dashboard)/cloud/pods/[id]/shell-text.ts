import type { Outputs } from "../../../../trpc/client";

type Executed = Pick<Outputs["cloud"]["pods"]["exec"], "exit_code" | "signal" | "timed_out" | "truncated">;

/** What is worth saying about the end of a program: empty for exit code 0 with all of its output. */
export function endText({ exit_code: code, signal, timed_out: timedOut, truncated }: Executed): string {
  const notes = [
    truncated && "more output was dropped",
    timedOut && "it was ended, because its time was over",
    !timedOut && signal !== null && `ended by ${signal}`,
    code !== null && code !== 0 && `exit code ${code}`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? "" : `[${notes.join("; ")}]`;
}

interface Step {
  /** How many lines back the shown one is; 0: none of them. */
  from: number;
  by: 1 | -1;
}

/** The line that an arrow key recalls, of the oldest first, and how far back it is. */
export function steppedBack(lines: readonly string[], { from, by }: Step): { back: number; typed: string } {
  const back = Math.min(lines.length, Math.max(0, from + by));
  return { back, typed: back === 0 ? "" : (lines.at(-back) ?? "") };
}
