import type { Pool } from "pg";
import type { Part } from "../../../identity/part";
import type { Clock } from "../../../kernel/clock";
import { Families } from "../kinds/families";
import { RESOURCES_CRONTAB, resourceTasks } from "../records/forget-resources";
import { resourceEventKinds } from "../records/resource.events";
import { RESOURCE_QUOTAS } from "../records/resources.quotas";
import { resourceRoutes } from "./resources.routes";

interface Needs {
  sql: Pool;
  clock: Clock;
  encryptionKey: Buffer;
}

interface Gives {
  /** What makes resources real, by service. The planes add theirs. */
  families: Families;
}

export const resourcesPart: Part<Needs, Gives, typeof resourceRoutes> = {
  name: "resources",
  routes: [resourceRoutes],
  eventKinds: resourceEventKinds,
  quotas: Object.values(RESOURCE_QUOTAS),
  start: ({ sql, clock, encryptionKey }) => ({
    gives: { families: new Families([], encryptionKey) },
    tasks: resourceTasks({ sql, clock }),
    crontab: [RESOURCES_CRONTAB],
  }),
};
