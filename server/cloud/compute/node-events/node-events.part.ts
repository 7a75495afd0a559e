import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { QuietPart } from "../../../identity/part";
import type { Clock } from "../../../kernel/clock";
import { nodeEventKinds } from "./node-event.events";
import { nodeEventRoutes } from "./node-events.routes";
import { startCordons } from "./start-cordons";

interface Needs {
  db: PrismaClient;
  clock: Clock;
  alarms: Pick<StartedAlarms, "add">;
  config: { roles: ReadonlySet<string> };
}

/** Events of nodes; workers end the cordons of tenants. */
export const nodeEventsPart: QuietPart<Needs, typeof nodeEventRoutes> = {
  name: "cordons of tenants",
  routes: [nodeEventRoutes],
  eventKinds: nodeEventKinds,
  start: ({ db, clock, alarms, config }) => {
    const cordons = config.roles.has("worker") ? startCordons({ db, clock, alarms }) : undefined;
    return { gives: {}, stop: () => cordons?.stop() };
  },
};
