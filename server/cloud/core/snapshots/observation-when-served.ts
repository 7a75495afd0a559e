import type { Observation, Observed } from "../kinds/kind";

/**
 * How an effect looks that processes serve from a snapshot: it is present when each living one serves the version that
 * contains it. `served`: that of `servedVersion`.
 */
export function observationWhenServed(version: bigint, served: bigint | undefined, observed: Observed): Observation {
  if (served === undefined) return { is: "faulty", observed, message: "No process that serves it runs at present." };
  return { is: served >= version ? "present" : "changing", observed };
}
