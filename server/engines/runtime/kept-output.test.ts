import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { keptOutput } from "./kept-output";

const MANY = 300_000;

it("keeps what a process wrote before anybody read it, also what did not fit at once", async () => {
  const child = spawn(process.execPath, ["-e", `process.stdout.write("a".repeat(${MANY}))`]);
  const output = keptOutput(child.stdout);
  await once(child.stdout, "readable");
  // Less than what is written waits for the reader; the rest is still in the process.
  await sleep(50);
  expect((await text(output)).length).toBe(MANY);
});

it("keeps what an ended process wrote", async () => {
  const child = spawn("/bin/echo", ["fine"]);
  const output = keptOutput(child.stdout);
  await once(child, "exit");
  await sleep(50);
  expect(await text(output)).toBe("fine\n");
});

it("ends the process's output when the reader has enough", async () => {
  const child = spawn("/usr/bin/yes");
  const output = keptOutput(child.stdout);
  await once(output, "readable");
  output.destroy();
  const [code, signal] = await once(child, "exit");
  // It cannot write any more, which ends it by a signal or an error.
  expect([code, signal]).not.toEqual([0, null]);
});
