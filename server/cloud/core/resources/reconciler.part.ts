import type { Part } from "../../../identity/part";
import { reconcilerEventKinds } from "./reconciler.events";
import type { WaitUntilStable } from "./resource-ctx";
import { ResourceLanes } from "./resource-lanes";
import type { ReconcileCtx } from "./resource-reconciler";
import type { AtResourceStep } from "./steps";
import { waitUntilStable } from "./wait-until-stable";

interface Needs extends Omit<ReconcileCtx, "lanes" | "atStep"> {
  atResourceStep?: AtResourceStep | undefined;
}

interface Gives {
  /** What takes the next steps of a resource. */
  reconciling: ReconcileCtx;
  waitUntilStable: WaitUntilStable;
}

export const reconcilerPart: Part<Needs, Gives> = {
  name: "reconciler",
  eventKinds: reconcilerEventKinds,
  start: ({ db, sql, clock, log, families, atResourceStep: atStep }) => {
    const reconciling = { db, sql, clock, log, families, lanes: new ResourceLanes(), atStep };
    return {
      gives: { reconciling, waitUntilStable: (rid, signal) => waitUntilStable(reconciling, rid, signal) },
    };
  },
};
