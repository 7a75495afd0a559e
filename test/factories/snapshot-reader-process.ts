import { once } from "node:events";
import { pino } from "pino";
import { followSnapshot } from "../../server/cloud/core/snapshots/follow-snapshot";
import { connectPostgres } from "../../server/engines/postgres/connect-postgres";
import { startAlarms } from "../../server/engines/start-alarms";
import { systemClock } from "../../server/kernel/clock";

/**
 * A process that serves a snapshot (arguments: URL of the database, topic, lease in milliseconds). It says when it begins
 * to load, and has loaded when it receives a line.
 */
const [, , url = "", topic = "", leaseMs = ""] = process.argv;
const { sql } = connectPostgres(url, { poolMax: 4, connectTimeoutMs: 30_000 });
const alarms = startAlarms({ sql, clock: systemClock, log: pino({ level: "silent" }) });
const load = async () => {
  process.stdout.write("loads\n");
  await once(process.stdin, "data");
};
followSnapshot({ sql, alarms, process: "other", leaseMs: Number(leaseMs) }, { topic, load });
