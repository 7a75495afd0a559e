import { createInterface } from "node:readline";
import { pino } from "pino";
import { ServedCopies } from "../../server/cloud/core/served-copies/served-copies";
import { connectPostgres } from "../../server/engines/postgres/connect-postgres";
import { startAlarms } from "../../server/engines/start-alarms";
import { systemClock } from "../../server/kernel/clock";
import { storedCopies } from "./stored-texts";

/**
 * A process that serves the rows of `stored_texts` from memory (arguments: URL of the database, lease in milliseconds). It
 * says when it begins, and then responds to each line, a key, with what it serves, as a line of JSON.
 */
const [, , url = "", leaseMs = ""] = process.argv;
const { sql } = connectPostgres(url, { poolMax: 4, connectTimeoutMs: 30_000 });
const alarms = startAlarms({ sql, clock: systemClock, log: pino({ level: "silent" }) });
const copies = await new ServedCopies({ sql, alarms, leaseMs: Number(leaseMs) }).of(storedCopies(sql));
const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
print("serves");
for await (const key of createInterface({ input: process.stdin })) print((await copies.get(key))?.text ?? null);
