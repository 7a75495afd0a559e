import type { ClientBase, Pool, PoolClient } from "pg";
import { uuidv7Floor } from "../../kernel/ids";
import { inTransaction } from "./in-transaction";
import { lockName } from "./named-lock";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_AHEAD = 14;
const LOCK_TIMEOUT_MS = 2000;

/**
 * Tables partitioned by day, each with the number of days to keep. Offers redirect for 30 days, and attribution looks
 * back 90 days: with 92 days the last of them is complete. The longest frequency cap is 180 days.
 */
const KEEP_DAYS = { offers: 92, cap_events: 180 } as const;
type DailyTable = keyof typeof KEEP_DAYS;
const TABLES = Object.keys(KEEP_DAYS) as DailyTable[];

/**
 * Creates the daily partitions of every such table from yesterday to 14 days after `now` (UTC), and returns the new
 * names. A partition is created separately and then attached, which, unlike PARTITION OF, does not block running
 * inserts.
 */
export async function ensurePartitions(sql: Pool, now: Date): Promise<string[]> {
  const today = dayStart(now);
  const days = Array.from({ length: DAYS_AHEAD + 2 }, (_, i) => today + (i - 1) * DAY_MS);
  return alone(sql, async (client) => {
    const created: string[] = [];
    for (const table of TABLES) {
      const present = new Set((await partitionsOf(client, table)).map(({ name }) => name));
      const missing = days.filter((day) => !present.has(partitionName(table, day)));
      for (const day of missing) created.push(await attachPartition(client, table, day));
    }
    return created;
  });
}

/** Drops the partitions whose day ended more whole days before `now` than are kept, and returns their names. */
export async function dropOldPartitions(sql: Pool, now: Date): Promise<string[]> {
  return alone(sql, async (client) => {
    const dropped: string[] = [];
    for (const table of TABLES) {
      const oldest = dayStart(now) - KEEP_DAYS[table] * DAY_MS;
      const old = (await partitionsOf(client, table)).filter(({ dayMs }) => dayMs + DAY_MS <= oldest);
      for (const { name } of old) await client.query(`DROP TABLE ${name}`);
      dropped.push(...old.map(({ name }) => name));
    }
    return dropped;
  });
}

/**
 * Creates partitions by name in the current transaction, and keeps existing ones. Throws for a name that is invalid.
 */
export async function makePartitions(client: ClientBase, names: readonly string[]): Promise<void> {
  for (const table of TABLES) {
    const present = new Set((await partitionsOf(client, table)).map(({ name }) => name));
    for (const name of names.filter((each) => each.startsWith(`${table}_`) && !present.has(each))) {
      await attachPartition(client, table, dayOf(table, name) ?? wrongName(name));
    }
  }
}

function wrongName(name: string): never {
  throw new Error(`${name} is not the name of a daily partition.`);
}

const dayStart = (moment: Date): number => Math.floor(moment.getTime() / DAY_MS) * DAY_MS;

const partitionName = (table: DailyTable, dayMs: number): string =>
  `${table}_${new Date(dayMs).toISOString().slice(0, 10).replaceAll("-", "")}`;

async function attachPartition(client: ClientBase, table: DailyTable, dayMs: number): Promise<string> {
  const name = partitionName(table, dayMs);
  // Free space in each page lets an offer be updated in place; cap events are only inserted.
  const storage = table === "offers" ? "WITH (fillfactor = 80)" : "";
  await client.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL) ${storage}`);
  await client.query(
    `ALTER TABLE ${table} ATTACH PARTITION ${name}
     FOR VALUES FROM ('${uuidv7Floor(dayMs)}') TO ('${uuidv7Floor(dayMs + DAY_MS)}')`,
  );
  return name;
}

async function partitionsOf(client: ClientBase, table: DailyTable): Promise<{ name: string; dayMs: number }[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1",
    [table],
  );
  return rows.flatMap(({ name }) => {
    const dayMs = dayOf(table, name);
    return dayMs === undefined ? [] : [{ name, dayMs }];
  });
}

/** Undefined if the name is not the one of a daily partition of the table. */
function dayOf(table: DailyTable, name: string): number | undefined {
  const day = name.startsWith(`${table}_`) && /^(\d{4})(\d\d)(\d\d)$/.exec(name.slice(table.length + 1));
  return day ? Date.parse(`${day[1]}-${day[2]}-${day[3]}T00:00:00Z`) : undefined;
}

/** One transaction that fails rather than queue in front of frequent queries; the next round retries. */
const alone = <T>(sql: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(sql, async (client) => {
    // Processes that start together take turns.
    await lockName(client, "partitions");
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    return run(client);
  });
