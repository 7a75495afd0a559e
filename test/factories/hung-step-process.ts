import { pino } from "pino";
import { Families } from "../../server/cloud/core/kinds/families";
import { reconcileResource } from "../../server/cloud/core/reconciler/reconciler";
import { ResourceLanes } from "../../server/cloud/core/reconciler/resource-lanes";
import { connectPostgres } from "../../server/engines/postgres/connect-postgres";
import { systemClock } from "../../server/kernel/clock";
import { Effects } from "./effect-family";

/** A program that takes the step of a resource (arguments: URL of the database, id), and says so; the step never ends. */
const [, , url = "", rid = ""] = process.argv;
const { db, sql } = connectPostgres(url, { poolMax: 2, connectTimeoutMs: 30_000 });
const effects = new Effects();
effects.before = () => {
  process.stdout.write("began\n");
  return new Promise(() => undefined);
};
const families = new Families([effects.family()]);
const log = pino({ level: "silent" });
await reconcileResource({ db, sql, clock: systemClock, log, families, lanes: new ResourceLanes() }, rid);
