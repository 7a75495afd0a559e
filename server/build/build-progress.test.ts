import { expect, it } from "vitest";
import { buildProgress } from "./build-progress.mjs";

/** A timer that a test moves forward. */
function manualTimer() {
  let now = 0;
  let tick: (() => void) | undefined;
  let dueEvery = 0;
  const every = (ms: number, run: () => void) => {
    dueEvery = ms;
    tick = run;
    return () => {
      tick = undefined;
    };
  };
  const advance = (seconds: number) => {
    for (const until = now + seconds * 1000; now < until; ) {
      now += 500;
      if (now % dueEvery === 0) tick?.();
    }
  };
  return { timer: { now: () => now, every }, advance };
}

it("prints a plain line per phase and every 10 s, so that a log shows that the build goes on", () => {
  const lines: string[] = [];
  const { timer, advance } = manualTimer();
  const progress = buildProgress({ part: "pages", print: (line) => lines.push(line), timer });
  advance(2);
  progress.enter("compiling");
  progress.enter("compiling");
  advance(20);
  progress.enter("generating static pages");
  expect(progress.end()).toBe(22);
  advance(30);
  expect(lines).toEqual([
    "building pages … 0 s",
    "building pages: compiling … 2 s",
    "building pages: compiling … 10 s",
    "building pages: compiling … 20 s",
    "building pages: generating static pages … 22 s",
  ]);
});

it("rewrites one line of a terminal every second, never wider than it, and removes it at the end", () => {
  const written: string[] = [];
  const { timer, advance } = manualTimer();
  const terminal = { columns: 20, write: (text: string) => written.push(text) };
  const progress = buildProgress({ part: "pages", print: () => expect.unreachable(), terminal, timer });
  advance(2);
  progress.end();
  expect(written).toEqual([
    "\r\u001b[Ksvc: building pages",
    "\r\u001b[Ksvc: building pages",
    "\r\u001b[Ksvc: building pages",
    "\r\u001b[K",
  ]);
});
