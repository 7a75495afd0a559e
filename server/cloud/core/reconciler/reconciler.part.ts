import type { Part } from "../../../identity/part";
import type { WaitUntilStable } from "../records/resource-ctx";
import type { ReconcileCtx } from "./reconcile-ctx";
import { reconcilerEventKinds } from "./reconciler.events";
import { ResourceLanes } from "./resource-lanes";
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
