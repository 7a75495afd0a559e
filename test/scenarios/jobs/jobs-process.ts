import { pino } from "pino";
import { startJobs } from "../../../server/engines/jobs/start-jobs";
import { connectPostgres } from "../../../server/engines/postgres/connect-postgres";
import { startAlarms } from "../../../server/engines/start-alarms";
import { systemClock } from "../../../server/kernel/clock";

/** Begins jobs of one task, and never ends one: arguments are the database and the task. Sends a message for each. */
const [url = "", task = ""] = process.argv.slice(2);
const { sql } = connectPostgres(url, { poolMax: 2 });
const log = pino({ level: "silent" });
const begin = async () => {
  process.send?.("began");
  await new Promise(() => undefined);
};
await startJobs({ pool: sql, alarms: startAlarms({ sql, clock: systemClock, log }), tasks: { [task]: begin }, log });
