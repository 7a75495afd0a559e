import type { Observation } from "../kinds/kind";
import type { ResourceState } from "../records/resource-states";

/** What is known of a resource when a step is decided. */
export interface ReconcileState {
  state: ResourceState;
  generation: number;
  observedGeneration: number | null;
  /** Its service is activated. */
  isActive: boolean;
  /** Its effect is a result, which stays as it is. */
  isSettled?: boolean;
  /** What was seen of its effect just now; undefined: nobody has looked. */
  seen?: Observation["is"] | undefined;
}

/** The only changes of state. A placeholder has no effect, so that it is deleted at once. */
export const TRANSITIONS: Readonly<Record<ResourceState, readonly ResourceState[]>> = {
  provisioning: ["ready", "failed", "suspended", "deleting"],
  ready: ["provisioning", "degraded", "failed", "suspended", "deleting"],
  degraded: ["provisioning", "ready", "failed", "suspended", "deleting"],
  failed: ["provisioning", "ready", "suspended", "deleting"],
  suspended: ["provisioning", "deleting"],
  deleting: ["deleted"],
  deleted: [],
  placeholder: ["deleted"],
};

/** `observe`: look first, then decide again. `keep`: everything is as it should be. */
export type Step = "provision" | "observe" | "suspend" | "remove" | "keep";

/** The next step towards what is wanted. Pure: the scenarios are in `test/scenarios/resources`. */
export function nextStep({ state, generation, observedGeneration, isActive, isSettled, seen }: ReconcileState): Step {
  switch (state) {
    case "deleted":
    case "placeholder":
      return "keep";
    case "deleting":
      return "remove";
    case "suspended":
      return isActive ? "provision" : "keep";
    case "provisioning":
    case "failed":
      if (!isActive) return "suspend";
      return seen === undefined && observedGeneration === generation ? "observe" : stepFor(seen);
    case "ready":
    case "degraded":
      if (!isActive) return "suspend";
      if (observedGeneration !== generation) return "provision";
      if (isSettled && state === "ready") return "keep";
      return seen === undefined ? "observe" : stepFor(seen);
  }
}

const stepFor = (seen: Observation["is"] | undefined): Step =>
  seen === undefined || seen === "absent" ? "provision" : "keep";

/** The state after an effect was provisioned; one that was faulty from the start has failed. */
export function stateAfter(seen: Observation["is"], before: ResourceState): ResourceState {
  if (seen === "present") return "ready";
  if (seen === "changing") return "provisioning";
  return wasReady(before) ? "degraded" : "failed";
}

/** The state after a look: an effect that was ready and changes, such as an instance that is stopped from outside, is degraded. */
export const stateObserved = (seen: Observation["is"], before: ResourceState): ResourceState =>
  seen === "changing" && wasReady(before) ? "degraded" : stateAfter(seen, before);

const wasReady = (state: ResourceState): boolean => state === "ready" || state === "degraded";
