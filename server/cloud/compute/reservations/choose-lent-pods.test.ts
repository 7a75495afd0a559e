import { describe, expect, it } from "vitest";
import { chooseLentPods } from "./choose-lent-pods";
import type { ReservationDevice } from "./reservation-rounds.sql";

const device = (node: string, podId: string | null, fields: Partial<ReservationDevice> = {}): ReservationDevice => ({
  node,
  podId,
  spot: podId === null ? null : true,
  status: podId === null ? null : "ready",
  gangGpus: null,
  ...fields,
});
const several = (count: number, ...of: Parameters<typeof device>) => Array.from({ length: count }, () => device(...of));

describe("the spot pods that give GPUs back to a reservation", () => {
  it("are none if a node has enough that is idle or being given back", () => {
    expect(chooseLentPods([...several(4, "a", null), ...several(4, "a", "p")], { gpus: 4, pods: 1 })).toEqual([]);
    const given = [...several(2, "a", null), ...several(6, "a", "p", { status: "reclaiming" })];
    expect(chooseLentPods(given, { gpus: 8, pods: 1 })).toEqual([]);
  });

  it("are on the node where the fewest GPUs are reclaimed, and only those that are needed", () => {
    const devices = [
      ...several(8, "a", "p8"),
      ...several(2, "b", null),
      ...several(1, "b", "p1"),
      ...several(2, "b", "p2"),
      ...several(3, "b", "p3"),
    ];
    expect(chooseLentPods(devices, { gpus: 4, pods: 1 })).toEqual(["p3"]);
    expect(chooseLentPods(devices, { gpus: 8, pods: 1 })).toHaveLength(3);
  });

  it("are undefined if pods of the reservation use the rest", () => {
    const own = several(6, "a", "own", { spot: false });
    expect(chooseLentPods([...own, ...several(2, "a", "p")], { gpus: 4, pods: 1 })).toBeUndefined();
    expect(chooseLentPods([...own, ...several(2, "a", "p")], { gpus: 2, pods: 1 })).toEqual(["p"]);
  });

  it("are those of several nodes for pods that are placed together, and rather single pods than a gang", () => {
    const devices = [...several(4, "a", "p1"), ...several(4, "a", "p2"), ...several(8, "b", "p3")];
    expect(chooseLentPods(devices, { gpus: 4, pods: 2 })).toEqual(["p1", "p2"]);
    expect(chooseLentPods(devices, { gpus: 8, pods: 2 })).toEqual(["p1", "p2", "p3"]);
    expect(chooseLentPods(devices, { gpus: 8, pods: 3 })).toBeUndefined();
    const gang = [...several(4, "a", "p1", { gangGpus: 16 }), ...several(4, "b", "p2")];
    expect(chooseLentPods(gang, { gpus: 4, pods: 1 })).toEqual(["p2"]);
  });
});
