import { writeSync } from "node:fs";
import pino from "pino";
import { createQueueEngine } from "../../../server/cloud/data/queue-log/create-queue-engine";
import { MemoryCounters } from "../../../server/engines/counters/memory-counters";
import { connectPostgres } from "../../../server/engines/postgres/connect-postgres";
import { ManualClock, systemClock } from "../../../server/kernel/clock";

/**
 * Sends, receives and acknowledges, writes down what it begins and what has succeeded, and kills itself at its n-th
 * turn: before the statement, while Postgres runs it, or behind it. Arguments: the database, the queue, the number of
 * this run, the turn, and the moment.
 */
const [url = "", id = "", runText = "", turnText = "", moment = ""] = process.argv.slice(2);
const [run, dyingTurn] = [Number(runText), Number(turnText)];
const { sql } = connectPostgres(url, { poolMax: 4 });
const die = () => void process.kill(process.pid, "SIGKILL");

let turns = 0;
const query = sql.query.bind(sql) as (...args: unknown[]) => Promise<unknown>;
Object.assign(sql, {
  query: async (...args: unknown[]) => {
    const { name = "" } = args[0] as { name?: string };
    const isDying = name.startsWith("queue_turn_") && ++turns === dyingTurn;
    if (isDying && moment === "before") die();
    const result = query(...args);
    if (isDying && moment === "during") setImmediate(die);
    await result;
    if (isDying) die();
    return result;
  },
});

/** Each run is an hour later, so that the leases of the one before have ended. */
const clock = new ManualClock(new Date(Date.UTC(2026, 10, 20, run)));
const log = pino({ level: "silent" });
const engine = createQueueEngine({ sql, clock, counters: new MemoryCounters(systemClock), log });
const queue = { id, visibilityTimeoutMs: 30_000, retentionMs: 86_400_000_000, maxReceives: 1_000_000 };
const note = (what: string, names: readonly string[]) => writeSync(1, `${JSON.stringify({ what, names })}\n`);

for (let round = 0; ; round++) {
  const names = [0, 1, 2].flatMap((i) => ["g", "h"].map((group) => `${group}:${run}.${round}.${i}`));
  note("sending", names);
  await engine.send(
    queue,
    names.map((body) => ({ body, isText: true, groupId: body.slice(0, 1) })),
  );
  note("sent", names);
  const messages = await engine.receive(queue, { messagesMax: 5, waitMs: 0 });
  note(
    "received",
    messages.map(({ body }) => body),
  );
  const done = messages.slice(0, 1 + (round % 4));
  note(
    "acknowledging",
    done.map(({ body }) => body),
  );
  const outcomes = await engine.acknowledge(
    queue,
    done.map(({ receipt }) => receipt),
  );
  note(
    "acknowledged",
    done.filter((_, i) => outcomes[i] === "ok").map(({ body }) => body),
  );
  await engine.giveBack(
    queue,
    messages.slice(done.length).map(({ receipt }) => ({ receipt, delayMs: 0 })),
  );
}
