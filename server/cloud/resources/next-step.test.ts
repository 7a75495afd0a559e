import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { nextStep, type Situation, type Step } from "./next-step";
import { RESOURCE_STATES, TRANSITIONS } from "./resource-states";

type Scenario = Partial<Situation> & Pick<Situation, "state"> & { name: string; step: Step };

const file = path.join(import.meta.dirname, "../../../test/scenarios/resources/next-step.json");
const scenarios = JSON.parse(readFileSync(file, "utf8")) as Scenario[];

describe("the next step of a resource", () => {
  it.each(scenarios)("$name", ({ name: _name, step, ...situation }) => {
    expect(nextStep({ generation: 1, observedGeneration: null, isActive: true, ...situation })).toBe(step);
  });

  it("leads out of every state that is not final", () => {
    for (const state of RESOURCE_STATES) {
      const isFinal = TRANSITIONS[state].length === 0;
      expect(isFinal).toBe(state === "deleted");
    }
  });
});
