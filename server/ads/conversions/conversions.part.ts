import type { Pool } from "pg";
import type { QuietPart } from "../../identity/part";
import type { Clock } from "../../kernel/clock";
import { attributeWaiting } from "./attribute-waiting";
import { conversionRoutes } from "./conversions.routes";

interface Needs {
  sql: Pool;
  clock: Clock;
  currency: string;
}

const ATTRIBUTE_WAITING = "attribute_waiting";

/** Orders; those that arrived before their click are attributed later. */
export const conversionsPart: QuietPart<Needs, typeof conversionRoutes> = {
  name: "conversions",
  routes: [conversionRoutes],
  start: ({ sql, clock, currency }) => ({
    gives: {},
    tasks: {
      [ATTRIBUTE_WAITING]: async () => {
        await attributeWaiting(sql, { now: clock.now(), currency });
      },
    },
    crontab: [`*/5 * * * * ${ATTRIBUTE_WAITING}`],
  }),
};
