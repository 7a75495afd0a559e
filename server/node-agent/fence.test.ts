import { expect, it } from "vitest";
import { waitFor } from "../../test/factories/wait-for";
import { fence } from "./fence";

it("ends the workloads of a node that svc has not reached for 9 minutes, and not before", async () => {
  const ended: string[] = [];
  const runtime = {
    list: async () => ["one", "two"],
    terminate: async (id: string) => {
      ended.push(id);
      return { state: "absent" } as const;
    },
  };
  const minutesAfter = async (minutes: number) => {
    const stopping = new AbortController();
    let looks = 0;
    const drivenAt = () => {
      looks++;
      return 0;
    };
    const clock = { now: () => new Date(minutes * 60_000) };
    const fenced = fence({ runtime, drivenAt, clock, log: { warn: () => undefined } }, stopping.signal);
    await waitFor(async () => expect(looks).toBe(1), { interval: 1 });
    stopping.abort();
    await fenced;
  };
  await minutesAfter(9);
  expect(ended).toEqual([]);
  await minutesAfter(9.1);
  expect(ended).toEqual(["one", "two"]);
});
