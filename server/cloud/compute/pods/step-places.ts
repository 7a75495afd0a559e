import { FairSemaphore, type Release } from "../../../kernel/fair-semaphore";
import type { RunStep } from "./run-step";

/** Pulls of images for the most part: each may take as long as its registry. */
const STARTS_MAX = 128;
/** Most of them wait for the grace of a stop. */
const ENDS_MAX = 128;

/** How many steps of runs a node takes at a time: starts never take the places of ends, and no tenant takes all. */
export class StepPlaces {
  readonly #starts = new FairSemaphore(STARTS_MAX);
  readonly #ends = new FairSemaphore(ENDS_MAX);

  /** The place of a step of a tenant's run; undefined if it must wait for one. */
  take(step: RunStep, tenantId: string): Release | undefined {
    // A notice must not wait.
    if (step === "reclaim") return () => {};
    return (step === "start" ? this.#starts : this.#ends).tryTake(tenantId);
  }
}
