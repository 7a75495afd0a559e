import { describe, expect, it } from "vitest";
import { chooseLentPods } from "./choose-lent-pods";
import type { ReservationDevice } from "./reservation-rounds.sql";

const device = (node: string, podId: string | null, fields: Partial<ReservationDevice> = {}): ReservationDevice => ({
  ...{ node, podId, spot: podId === null ? null : true, status: podId === null ? null : "ready", ...fields },
});
const several = (count: number, ...of: Parameters<typeof device>) => Array.from({ length: count }, () => device(...of));

describe("the spot pods that give GPUs back to a reservation", () => {
  it("are none if a node has enough that is idle or being given back", () => {
    expect(chooseLentPods([...several(4, "a", null), ...several(4, "a", "p")], 4)).toEqual([]);
    const given = [...several(2, "a", null), ...several(6, "a", "p", { status: "reclaiming" })];
    expect(chooseLentPods(given, 8)).toEqual([]);
  });

  it("are on the node where the fewest GPUs are reclaimed, and only those that are needed", () => {
    const devices = [
      ...[...several(8, "a", "p8")],
      ...[...several(2, "b", null), ...several(1, "b", "p1"), ...several(2, "b", "p2"), ...several(3, "b", "p3")],
    ];
    expect(chooseLentPods(devices, 4)).toEqual(["p3"]);
    expect(chooseLentPods(devices, 8)).toHaveLength(3);
  });

  it("are undefined if pods of the reservation use the rest", () => {
    const own = several(6, "a", "own", { spot: false });
    expect(chooseLentPods([...own, ...several(2, "a", "p")], 4)).toBeUndefined();
    expect(chooseLentPods([...own, ...several(2, "a", "p")], 2)).toEqual(["p"]);
  });
});
