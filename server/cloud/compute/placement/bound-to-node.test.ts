import { expect, it } from "vitest";
import { boundWait } from "./bound-to-node";
import { keptOfAll } from "./decide-place";
import { eligibleNodes } from "./eligible-nodes";

const node = (id: string) => ({
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

it("a pod that is bound to a node runs on no other one, and waits for it by name of what is missing", () => {
  const nodes = [node("a"), node("b")];
  const ids = (requiredNodeId: string | null) =>
    eligibleNodes(nodes, { ...needed, requiredNodeId }).map(({ id }) => id);
  expect([ids(null), ids("b"), ids("c")]).toEqual([["a", "b"], ["b"], []]);
  expect(boundWait({ requiredNodeId: "c" }, [])).toMatchObject({ code: "node_away" });
  expect(boundWait({ requiredNodeId: null }, [])).toBeUndefined();
  expect(boundWait({ requiredNodeId: "b" }, [node("b")])).toBeUndefined();
});

const capacity = {
  node: "n",
  nodeId: "a",
  isFresh: true,
  gpus: 2,
  cpuMilli: 1000,
  memoryMib: 100,
  withheld: [],
  otherMemoryMib: 10,
  disksFree: null,
};
const ANY = { requiredNodeId: null };

it("a pod that is bound to a node has GPUs of no other one", () => {
  const kept = (requiredNodeId: string | null) => keptOfAll([capacity], { requiredNodeId })[0]?.devices;
  expect([kept(null), kept("a"), kept("b")]).toEqual([[], [], [0, 1]]);
});

it("a pod has GPUs of a node whose disk has room for it, and waits for disk if none has", () => {
  const kept = (...disks: (number | null)[]) =>
    keptOfAll(
      disks.map((disksFree) => ({ ...capacity, disksFree })),
      ANY,
    ).map(({ devices }) => devices);
  expect(kept(0, 1, null, -1)).toEqual([[0, 1], [], [], [0, 1]]);
  expect(kept(0, -1)).toEqual([[], []]);
});
