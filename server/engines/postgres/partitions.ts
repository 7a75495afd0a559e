import type { Pool, PoolClient } from "pg";
import { uuidv7Floor } from "../../kernel/ids";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_AHEAD = 14;
const LOCK_TIMEOUT_MS = 2000;
/** Processes that start together take turns ("svcp" in ASCII). */
const PARTITION_LOCK = 0x73_76_63_70;

/**
 * Makes the daily partitions of `offers` from yesterday to 14 days after `now` (UTC), and answers the new names.
 * A partition is built aside and attached, which, unlike PARTITION OF, does not stop the inserts that are under way.
 */
export async function ensureOfferPartitions(sql: Pool, now: Date): Promise<string[]> {
  const today = dayStart(now);
  const days = Array.from({ length: DAYS_AHEAD + 2 }, (_, i) => today + (i - 1) * DAY_MS);
  return alone(sql, async (client) => {
    const present = new Set((await offerPartitions(client)).map(({ name }) => name));
    const missing = days.filter((day) => !present.has(partitionName(day)));
    for (const day of missing) await attachPartition(client, day);
    return missing.map(partitionName);
  });
}

/**
 * Drops the partitions whose whole day ended `keepDays` days or more before the day of `now`, and answers their names.
 * Offers redirect for 30 days, and attribution looks back for 90: 92 keep the last of them whole.
 */
export async function dropOldOfferPartitions(sql: Pool, now: Date, keepDays = 92): Promise<string[]> {
  const oldest = dayStart(now) - keepDays * DAY_MS;
  return alone(sql, async (client) => {
    const old = (await offerPartitions(client)).filter(({ dayMs }) => dayMs + DAY_MS <= oldest);
    for (const { name } of old) await client.query(`DROP TABLE ${name}`);
    return old.map(({ name }) => name);
  });
}

const dayStart = (moment: Date): number => Math.floor(moment.getTime() / DAY_MS) * DAY_MS;

const partitionName = (dayMs: number): string =>
  `offers_${new Date(dayMs).toISOString().slice(0, 10).replaceAll("-", "")}`;

async function attachPartition(client: PoolClient, dayMs: number): Promise<void> {
  const name = partitionName(dayMs);
  await client.query(`CREATE TABLE ${name} (LIKE offers INCLUDING ALL) WITH (fillfactor = 80)`);
  await client.query(
    `ALTER TABLE offers ATTACH PARTITION ${name}
     FOR VALUES FROM ('${uuidv7Floor(dayMs)}') TO ('${uuidv7Floor(dayMs + DAY_MS)}')`,
  );
}

async function offerPartitions(client: PoolClient): Promise<{ name: string; dayMs: number }[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'offers'::regclass ORDER BY 1",
  );
  return rows
    .filter(({ name }) => /^offers_\d{8}$/.test(name))
    .map(({ name }) => ({
      name,
      dayMs: Date.parse(`${name.slice(7, 11)}-${name.slice(11, 13)}-${name.slice(13, 15)}T00:00:00Z`),
    }));
}

/** One transaction that gives up rather than queue in front of the hot path; the next round tries again. */
async function alone<T>(sql: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await sql.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [PARTITION_LOCK]);
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const result = await run(client);
    await client.query("COMMIT");
    return result;
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw cause;
  } finally {
    client.release();
  }
}
