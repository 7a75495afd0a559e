import { describe, expect, it } from "vitest";
import { ResourceLanes } from "./resource-lanes";

const NET = { kind: "gpuc/net/vpc", tenantId: "ten_a" };
const PODS = { kind: "gpuc/gpu/vm", tenantId: "ten_a" };

/** A task that ends when it is told to. */
function task() {
  let end = () => undefined as undefined;
  const ended = new Promise<void>((resolve) => {
    end = () => resolve() as undefined;
  });
  let begun = 0;
  return {
    run: () => {
      begun++;
      return ended;
    },
    end: () => end(),
    begun: () => begun,
  };
}

describe("the steps of a process", () => {
  it("of one kind do not wait for those of another kind, nor those of a tenant for those of another", async () => {
    const lanes = new ResourceLanes();
    const slow = Array.from({ length: 100 }, task);
    for (const one of slow) void lanes.add(NET, one.run);
    await lanes.add(PODS, async () => undefined);
    await lanes.add({ ...NET, tenantId: "ten_b" }, async () => undefined);
    expect(slow.reduce((sum, one) => sum + one.begun(), 0)).toBe(4);
    for (const one of slow) one.end();
    await lanes.idle();
    expect(slow.every((one) => one.begun() === 1)).toBe(true);
  });

  it("of one resource are taken once for all who wait for it, and again for who comes after that has begun", async () => {
    const lanes = new ResourceLanes();
    const before = Array.from({ length: 4 }, task);
    for (const one of before) void lanes.add(NET, one.run);
    const [first, second] = [task(), task()];
    const step = { ...NET, rid: "res_a" };
    const waiting = [lanes.addStep(step, first.run), lanes.addStep(step, second.run)];
    before[0]?.end();
    await expect.poll(first.begun).toBe(1);
    const third = task();
    void lanes.addStep(step, third.run);
    first.end();
    await Promise.all(waiting);
    expect([first.begun(), second.begun()]).toEqual([1, 0]);
    await expect.poll(third.begun).toBe(1);
    for (const one of [...before, third]) one.end();
    await lanes.idle();
  });

  it("of a tenant that has too many waiting are left out, and can be asked for again", async () => {
    const lanes = new ResourceLanes();
    const slow = Array.from({ length: 504 }, task);
    for (const one of slow) void lanes.add(NET, one.run);
    const late = task();
    await lanes.addStep({ ...NET, rid: "res_late" }, late.run);
    for (const one of slow) one.end();
    await lanes.idle();
    expect(late.begun()).toBe(0);
    late.end();
    await lanes.addStep({ ...NET, rid: "res_late" }, late.run);
    expect(late.begun()).toBe(1);
  });
});

it("a look at a kind does not begin while an earlier one of it has not ended", () => {
  const lanes = new ResourceLanes();
  const end = lanes.beginLook(NET);
  expect(lanes.beginLook(NET)).toBeUndefined();
  expect(lanes.beginLook(PODS)).toBeDefined();
  end?.();
  expect(lanes.beginLook(NET)).toBeDefined();
});
