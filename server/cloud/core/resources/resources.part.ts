import type { Part } from "../../../identity/part";
import { Families } from "./family";
import { RESOURCES_CRONTAB, resourceTasks } from "./forget-resources";
import { resourceEventKinds } from "./resource.events";
import { ResourceLanes } from "./resource-lanes";
import type { ReconcileCtx } from "./resource-reconciler";
import { RESOURCE_QUOTAS } from "./resources.quotas";
import { resourceRoutes } from "./resources.routes";
import type { AtResourceStep } from "./steps";

interface Needs extends Omit<ReconcileCtx, "families" | "lanes" | "atStep"> {
  encryptionKey: Buffer;
  atResourceStep?: AtResourceStep | undefined;
}

interface Gives {
  /** What makes resources real, by service. The planes add theirs. */
  families: Families;
  /** What takes the next steps of a resource. */
  reconciling: ReconcileCtx;
}

export const resourcesPart: Part<Needs, Gives, typeof resourceRoutes> = {
  name: "resources",
  routes: [resourceRoutes],
  eventKinds: resourceEventKinds,
  quotas: Object.values(RESOURCE_QUOTAS),
  start: ({ db, sql, clock, log, encryptionKey, atResourceStep: atStep }) => {
    const families = new Families([], encryptionKey);
    const lanes = new ResourceLanes();
    return {
      gives: { families, reconciling: { db, sql, clock, log, families, lanes, atStep } },
      tasks: resourceTasks({ sql, clock }),
      crontab: [RESOURCES_CRONTAB],
    };
  },
};
