import type { QuietPart } from "../../identity/part";
import { demoRoutes } from "./demo.routes";
import { WRITE_SIMULATED_TRAFFIC } from "./start-simulated-traffic";
import { type WriteSimulatedTraffic, writeSimulatedTraffic } from "./write-simulated-traffic";

/** Writes the simulated traffic of the demo, once. */
export const demoPart: QuietPart<WriteSimulatedTraffic, typeof demoRoutes> = {
  name: "demo",
  routes: [demoRoutes],
  start: ({ sql, clock, currency, publisherShare }) => ({
    gives: {},
    tasks: {
      [WRITE_SIMULATED_TRAFFIC]: () => writeSimulatedTraffic({ sql, clock, currency, publisherShare }),
    },
  }),
};
