import { expect, it } from "vitest";
import { boundWait } from "./bound-to-node";
import { keptOfAll } from "./decide-place";
import { eligibleNodes } from "./eligible-nodes";

const runner = (id: string) => ({
  id,
  kind: "namespaces",
  memoryMb: 1000,
  diskMb: null,
  reachesPorts: true,
  keepsVolumes: true,
  volumesGb: null,
  limitsVolumes: true,
});
const needed = { mode: "live" as const, ports: [], volumeGb: null };

it("a pod that is bound to a machine runs on no other one, and waits for it by name of what is missing", () => {
  const runners = [runner("a"), runner("b")];
  const ids = (requiredRunnerId: string | null) =>
    eligibleNodes(runners, { ...needed, requiredRunnerId }).map(({ id }) => id);
  expect([ids(null), ids("b"), ids("c")]).toEqual([["a", "b"], ["b"], []]);
  expect(boundWait({ requiredRunnerId: "c" }, [])).toMatchObject({ code: "machine_away" });
  expect(boundWait({ requiredRunnerId: null }, [])).toBeUndefined();
  expect(boundWait({ requiredRunnerId: "b" }, [runner("b")])).toBeUndefined();
});

const machine = {
  node: "n",
  runnerId: "a",
  isFresh: true,
  gpus: 2,
  cpuMilli: 1000,
  memoryMib: 100,
  withheld: [],
  otherMemoryMib: 10,
  disksFree: null,
};
const ANY = { requiredRunnerId: null };

it("a pod that is bound to a machine has GPUs of no other one", () => {
  const kept = (requiredRunnerId: string | null) => keptOfAll([machine], { requiredRunnerId })[0]?.devices;
  expect([kept(null), kept("a"), kept("b")]).toEqual([[], [], [0, 1]]);
});

it("a pod has GPUs of a machine whose disk has room for it, and waits for disk if none has", () => {
  const kept = (...disks: (number | null)[]) =>
    keptOfAll(
      disks.map((disksFree) => ({ ...machine, disksFree })),
      ANY,
    ).map(({ devices }) => devices);
  expect(kept(0, 1, null, -1)).toEqual([[0, 1], [], [], [0, 1]]);
  expect(kept(0, -1)).toEqual([[], []]);
});
