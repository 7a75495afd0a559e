import { describe, expect, it } from "vitest";
import { CORDONS_MAX, CORDONS_OF_NODE_MAX, decideCordon, type ReportedNode } from "./decide-cordon";

const open: ReportedNode = { cordonedBy: null, ownCordons: { ofNode: 0, ofAll: 0 } };

describe("an event that a tenant reports of its node", () => {
  it("cordons the node if it is crit, and only then", () => {
    expect((["info", "warn", "crit"] as const).map((severity) => decideCordon(open, severity).cordons)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("never takes over a cordon of others", () => {
    for (const cordonedBy of ["operator", "health", "upgrade", "tenant"] as const)
      expect(decideCordon({ ...open, cordonedBy }, "crit").cordons).toBe(false);
  });

  it("does not cordon a node that flaps, nor more nodes than the limit of an hour", () => {
    const decided = (ofNode: number, ofAll: number) => decideCordon({ ...open, ownCordons: { ofNode, ofAll } }, "crit");
    expect(decided(CORDONS_OF_NODE_MAX - 1, CORDONS_MAX - 1).cordons).toBe(true);
    expect(decided(CORDONS_OF_NODE_MAX, CORDONS_OF_NODE_MAX)).toMatchObject({ cordons: false });
    expect(decided(0, CORDONS_MAX)).toMatchObject({ cordons: false });
  });
});
