import { describe, expect, it } from "vitest";
import { decideHealth, type NodeHealth, type NodeSeverity } from "./node-health";

const NOW = new Date("2026-11-26T12:00:00Z");
const MINUTE_MS = 60_000;
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const decide = (severity: NodeSeverity, node: Partial<NodeHealth> = {}) => {
  const { cordonedBy, flaps } = decideHealth(
    { cordonedBy: null, flaps: false, crits: [], ...node },
    { severity, at: NOW },
  );
  return { cordonedBy, flaps };
};

const OPEN = { cordonedBy: null, flaps: false };
const CORDONED = { cordonedBy: "health", flaps: false };
const FLAPS = { cordonedBy: "health", flaps: true };
const BY_OPERATOR = { cordonedBy: "operator", flaps: false } as const;

describe("the health of a node", () => {
  it("is not changed by info and warn", () => {
    for (const severity of ["info", "warn"] as const) {
      expect(decide(severity)).toEqual(OPEN);
      expect(decide(severity, { cordonedBy: "health" })).toEqual(CORDONED);
    }
  });

  it("is cordoned by a critical event, and flaps with the third within an hour", () => {
    const hour = 60 * MINUTE_MS;
    expect(decide("crit")).toEqual(CORDONED);
    expect(decide("crit", { crits: [ago(1)] })).toEqual(CORDONED);
    expect(decide("crit", { crits: [ago(1), ago(hour - 1)] })).toEqual(FLAPS);
    expect(decide("crit", { crits: [ago(1), ago(hour)] })).toEqual(CORDONED);
    expect(decide("crit", { cordonedBy: "health", flaps: true })).toEqual(FLAPS);
  });

  it("accepts pods again with ok, 5 minutes after the last critical event", () => {
    const ok = (ms: number) => decide("ok", { cordonedBy: "health", crits: [ago(ms)] });
    expect(ok(0)).toEqual(CORDONED);
    expect(ok(5 * MINUTE_MS - 1)).toEqual(CORDONED);
    expect(ok(5 * MINUTE_MS)).toEqual(OPEN);
    expect(decide("ok")).toEqual(OPEN);
  });

  it("stays cordoned once it flaps, however long ago its critical events are", () => {
    const node = { cordonedBy: "health", flaps: true, crits: [ago(24 * 60 * MINUTE_MS)] } as const;
    expect(decide("ok", node)).toEqual(FLAPS);
  });

  it("never ends or takes over the cordon of an operator", () => {
    for (const severity of ["ok", "info", "warn", "crit"] as const) {
      expect(decide(severity, { ...BY_OPERATOR, crits: [ago(1), ago(2), ago(3)] })).toEqual(BY_OPERATOR);
    }
  });
});
