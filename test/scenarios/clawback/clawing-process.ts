import { ClawBack, clawBack } from "../../../server/ads/clawbacks/claw-back";
import { connectPostgres } from "../../../server/engines/postgres/connect-postgres";
import { systemClock } from "../../../server/kernel/clock";

/** Claws a channel's events back and kills itself behind the first batch: arguments are the database and the channel. */
const [url = "", channel = ""] = process.argv.slice(2);
const { db, sql } = connectPostgres(url, { poolMax: 4 });
const parts = { db, sql, clock: systemClock, currency: "USD", mail: { send: async () => undefined } };
const afterBatch = () => void process.kill(process.pid, "SIGKILL");
await clawBack({ ...parts, afterBatch }, ClawBack.parse({ channel, reason: "A test", confirmed: true }));
