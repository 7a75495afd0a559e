import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { pino } from "pino";
import { startAlarms } from "../../server/engines/start-alarms";
import { systemClock } from "../../server/kernel/clock";
import { repeat } from "../../server/kernel/repeat";
import { onDurablePostgres } from "./durable-postgres";

const THINGS = 300;
const WITHIN_MS = 30_000;
const PEER_EVERY_MS = 1000;
const AIM_MS = 50;

/** How long things wait after they are due, beside a loop that looks each second. */
export const run = (print: (line: string) => void): Promise<void> =>
  onDurablePostgres(async ({ sql }) => {
    await sql.query(
      `CREATE TABLE due_things (id bigserial PRIMARY KEY, due_at timestamptz(3) NOT NULL, is_begun boolean);
       CREATE INDEX ON due_things (due_at) WHERE is_begun IS NULL;
       CREATE TRIGGER due_things_wake AFTER INSERT ON due_things FOR EACH ROW EXECUTE FUNCTION wake_rounds('due')`,
    );
    print(`${THINGS} things within ${WITHIN_MS / 1000} s, ${cpus().length} cores, Node ${process.version}`);
    print("");
    print("| things that | begun by | ms from due to begun, p50 | p99 (aim) |");
    print("|---|---|---|---|");
    for (const isLater of [true, false]) {
      for (const [by, start] of WAYS) {
        const late = await measure(sql, start, { isLater });
        const [p50, p99] = [0.5, 0.99].map((share) => late[Math.floor(late.length * share)] ?? Number.NaN);
        print(`| are due ${isLater ? "later" : "at once"} | ${by} | ${p50} | ${p99} (${AIM_MS}) |`);
      }
    }
  });

type Start = (sql: Pool, round: () => Promise<void>) => { stop(): Promise<void> };

const startLoop: Start = (_sql, round) =>
  repeat({ everyMs: PEER_EVERY_MS, log: pino({ level: "silent" }), purpose: "begin due things" }, round);

const startRound: Start = (sql, run) => {
  const alarms = startAlarms({ sql, clock: systemClock, log: pino({ level: "silent" }) });
  const nextDue = "SELECT min(due_at) FROM due_things WHERE is_begun IS NULL";
  alarms.add({ topic: "due", purpose: "begin due things", nextDue, run });
  return alarms;
};

const WAYS = [
  ["peer: a loop each second", startLoop],
  ["a round of the alarms", startRound],
] as const;

/** How late each thing was begun, in milliseconds, in ascending order. */
async function measure(sql: Pool, start: Start, { isLater }: { isLater: boolean }): Promise<number[]> {
  await sql.query("TRUNCATE due_things");
  const late: number[] = [];
  const round = async () => {
    const now = Date.now();
    const { rows } = await sql.query<{ ms: number }>(
      `UPDATE due_things SET is_begun = true WHERE is_begun IS NULL AND due_at <= $1
       RETURNING (extract(epoch FROM due_at) * 1000)::float8 AS ms`,
      [new Date(now)],
    );
    for (const { ms } of rows) late.push(now - ms);
  };
  const working = start(sql, round);
  await sleep(PEER_EVERY_MS);
  for (let i = 0; i < THINGS; i++) {
    const ms = isLater ? WITHIN_MS * Math.random() : 0;
    await sql.query("INSERT INTO due_things (due_at) VALUES ($1)", [new Date(Date.now() + ms)]);
    if (!isLater) await sleep(WITHIN_MS / THINGS);
  }
  const until = Date.now() + 2 * WITHIN_MS;
  while (late.length < THINGS && Date.now() < until) await sleep(PEER_EVERY_MS / 2);
  await working.stop();
  return late.sort((a, b) => a - b);
}
