import { describe, expect, it } from "vitest";
import { chooseRunner } from "./choose-runner";

const runner = (id: string, memoryMb: number, usedMb: number) => ({ id, memoryMb, usedMb });

describe("a pod runs", () => {
  it("on the machine with the most free memory, the first among equals", () => {
    const runners = [runner("a", 1000, 900), runner("b", 800, 100), runner("c", 1000, 300)];
    expect(chooseRunner(runners, 700)).toEqual({ runnerId: "b" });
  });

  it("nowhere if its memory is not free on one machine, and the reason says how much is", () => {
    expect(chooseRunner([runner("a", 1000, 900)], 101)).toEqual({
      code: "no_memory",
      message: "The pod needs 101 MiB of memory; 100 of 1000 MiB are free on this installation.",
    });
    expect(chooseRunner([runner("a", 1000, 1200)], 64)).toMatchObject({
      message: expect.stringContaining("0 of 1000"),
    });
  });

  it("nowhere without a machine", () => {
    expect(chooseRunner([], 64)).toMatchObject({ code: "no_machine" });
  });
});
