import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { RESOURCE_STATES } from "../records/resource-states";
import { nextStep, type ReconcileState, type Step, stateAfter, stateObserved, TRANSITIONS } from "./next-step";

type Scenario = Partial<ReconcileState> & Pick<ReconcileState, "state"> & { name: string; step: Step };

const file = path.join(import.meta.dirname, "../../../../test/scenarios/resources/next-step.json");
const scenarios = JSON.parse(readFileSync(file, "utf8")) as Scenario[];

describe("the state of a resource whose effect changes", () => {
  it("is provisioning while svc makes the effect", () => {
    expect(stateAfter("changing", "ready")).toBe("provisioning");
    expect(stateObserved("changing", "provisioning")).toBe("provisioning");
  });

  it("is degraded when the effect was ready, and so not failed when it is faulty after that", () => {
    expect(stateObserved("changing", "ready")).toBe("degraded");
    expect(stateObserved("faulty", stateObserved("changing", "ready"))).toBe("degraded");
    expect(stateObserved("present", "degraded")).toBe("ready");
  });
});

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
