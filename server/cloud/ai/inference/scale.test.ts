import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Load, scaleOf } from "./scale";

const file = path.join(import.meta.dirname, "../../../../test/scenarios/inference/scale.json");
const scenarios = JSON.parse(readFileSync(file, "utf8")) as { name: string; load: Partial<Load>; wanted: number }[];
const IDLE: Load = {
  outstanding: 0,
  queued: 0,
  target: 8,
  current: 0,
  min: 0,
  max: 4,
  quietMs: 0,
  scaleDownMs: 60_000,
};

describe("the number of replicas", () => {
  it.each(scenarios)("$name", ({ load, wanted }) => {
    expect(scaleOf({ ...IDLE, ...load })).toBe(wanted);
  });
});
