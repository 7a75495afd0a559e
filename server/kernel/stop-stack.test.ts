import { expect, it } from "vitest";
import { StopStack } from "./stop-stack";

it("stops in the reverse order, goes on after a failure, and names what failed", async () => {
  const stopped: string[] = [];
  const stack = new StopStack();
  stack.push("engines", () => stopped.push("engines"));
  stack.push("loops", async () => {
    throw new Error("stuck");
  });
  stack.push("requests", async () => stopped.push("requests"));
  await expect(stack.stop()).rejects.toThrow("could not stop: loops");
  expect(stopped).toEqual(["requests", "engines"]);
});

it("stops each part once", async () => {
  let times = 0;
  const stack = new StopStack();
  stack.push("part", () => times++);
  await stack.stop();
  await stack.stop();
  expect(times).toBe(1);
});
