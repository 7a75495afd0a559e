import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { keptOutput } from "./kept-output";

const MANY = 300_000;

it("keeps what a process wrote before anybody read it, also what did not fit at once", async () => {
  const child = spawn(process.execPath, ["-e", `process.stdout.write("a".repeat(${MANY}))`]);
  const output = keptOutput(child.stdout, once(child, "exit"));
  await once(child.stdout, "readable");
  // Less than what is written waits for the reader; the rest is still in the process.
  await sleep(50);
  expect((await text(output)).length).toBe(MANY);
});

it("keeps what an ended process wrote", async () => {
  const child = spawn("/bin/echo", ["fine"]);
  const output = keptOutput(child.stdout, once(child, "exit"));
  await once(child, "exit");
  await sleep(50);
  expect(await text(output)).toBe("fine\n");
});

it("ends the process's output when the reader has enough", async () => {
  const child = spawn("/usr/bin/yes");
  const output = keptOutput(child.stdout, once(child, "exit"));
  await once(output, "readable");
  output.destroy();
  const [code, signal] = await once(child, "exit");
  // It cannot write any more, which ends it by a signal or an error.
  expect([code, signal]).not.toEqual([0, null]);
});

it("ends with its program, although a process that it left behind has the output open", async () => {
  const child = spawn("/bin/sh", ["-c", "sleep 86400 & echo $!"]);
  const output = keptOutput(child.stdout, once(child, "exit"));
  const left = Number(await text(output));
  process.kill(left, "SIGKILL");
  expect(left).toBeGreaterThan(0);
});

it("ends with its program, although a process that it left behind goes on writing, and the reader keeps up", async () => {
  const child = spawn("/bin/sh", ["-c", "while :; do echo left; sleep 0.05; done & echo $!"]);
  const output = keptOutput(child.stdout, once(child, "exit"));
  expect(await text(output)).toContain("left\n");
});

it("is read to the end by a slow reader after the end of its program", async () => {
  const child = spawn("/usr/bin/head", ["-c", String(MANY), "/dev/zero"]);
  const exited = once(child, "exit");
  const output = keptOutput(child.stdout, exited);
  let bytes = 0;
  for await (const chunk of output) {
    bytes += (chunk as Buffer).length;
    await sleep(20);
  }
  await exited;
  expect(bytes).toBe(MANY);
});
