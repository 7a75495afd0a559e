import { beginSchedules } from "../../../server/cloud/compute/functions/begin-schedules";
import { connectPostgres } from "../../../server/engines/postgres/connect-postgres";

/** Begins what is due at each time that it is sent, until it is killed: the argument is the database. */
const { sql } = connectPostgres(process.argv[2] ?? "", { poolMax: 1 });
process.on("message", (now: number) => {
  void beginSchedules(sql, new Date(now)).then(() => process.send?.("begun"));
});
