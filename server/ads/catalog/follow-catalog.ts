import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { applyRow, type Mirror, readyRows } from "./apply-rows";
import {
  CATALOG_TABLES,
  type CatalogTable,
  CHANGED_TABLES,
  campaignItems,
  ITEM_TABLES,
  tableRows,
} from "./catalog.sql";

const BEGIN_VIEW = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/** Gives way to a migration that has locked others of the tables: Postgres looks for deadlocks after a second. */
const BEGIN_FOLLOWING_VIEW = `${BEGIN_VIEW}; SET LOCAL lock_timeout = 300`;
const SLICE_MS = 8;
const ROWS_PER_LOOK_AT_THE_CLOCK = 16;
const TOMBSTONES_MIN = 256;
const TOMBSTONES_SHARE = 0.1;
const POSTINGS_PER_SLICE = 50_000;
/** About 20 ms. */
const POSTINGS_PER_REVEAL = 3_000_000;

/** Reads every row that is not archived in one consistent view. Returns the Postgres snapshot of the mirror. */
export const loadCatalog = (sql: Pool, mirror: Mirror): Promise<string> =>
  inOneView(sql, BEGIN_VIEW, async (client) => {
    const { rows } = await client.query<{ snapshot: string }>("SELECT pg_current_snapshot()::text AS snapshot");
    await applyTables(client, mirror, undefined);
    mirror.items.wasLoaded();
    await loadItems(client, mirror);
    reveal(mirror);
    return rows[0]?.snapshot ?? "";
  });

interface FollowedCatalog {
  snapshot: string;
  tables: readonly CatalogTable[];
}

/**
 * Applies everything that was committed since `since` and returns the new snapshot, and the tables that changed. This is
 * exact: a row is read if its transaction is invisible in the old snapshot and visible in the new one. A late commit is
 * therefore never missed, and a long transaction does not delay others.
 */
export async function followCatalog(sql: Pool, mirror: Mirror, since: string): Promise<FollowedCatalog> {
  const followed = await inOneView(sql, BEGIN_FOLLOWING_VIEW, async (client) => {
    const { rows } = await client.query<FollowedCatalog>(CHANGED_TABLES, [since]);
    const [look = { snapshot: since, tables: [] }] = rows;
    if (look.tables.length === 0 && !mirror.items.isDue()) return look;
    await applyTables(client, mirror, since);
    reveal(mirror);
    await loadItems(client, mirror);
    reveal(mirror);
    return look;
  });
  await compact(mirror);
  return followed;
}

/**
 * Changes what decisions see from one state to the next within one turn of the event loop: all that one view has of a
 * campaign's items, or nothing. Removed postings of a small index are swept in the same turn, because they count until
 * then.
 */
function reveal({ items, state }: Mirror): void {
  if (items.reveal() && needsCompaction(state)) state.index.compact(POSTINGS_PER_REVEAL);
}

async function applyTables(client: PoolClient, mirror: Mirror, since: string | undefined): Promise<void> {
  for (const table of CATALOG_TABLES) {
    for await (const rows of tableRows(client, table, since)) await applySlices(mirror, table, rows);
  }
}

const loadItems = (client: PoolClient, mirror: Mirror): Promise<void> =>
  mirror.items.loadPending(async (campaignIds) => {
    for (const table of ITEM_TABLES) {
      for await (const rows of campaignItems(client, table, campaignIds)) await applySlices(mirror, table, rows);
    }
    await compact(mirror);
  });

/** Yields to requests after every 8 ms. */
async function applySlices(mirror: Mirror, table: CatalogTable, rows: Record<string, unknown>[]): Promise<void> {
  const readied = await readyRows(mirror, table, rows);
  let started = performance.now();
  for (const [i, ready] of readied.entries()) {
    applyRow(mirror, table, ready);
    if (i % ROWS_PER_LOOK_AT_THE_CLOCK !== 0 || performance.now() - started < SLICE_MS) continue;
    await nextTurn();
    started = performance.now();
  }
}

const needsCompaction = ({ index }: Mirror["state"]): boolean =>
  index.tombstones >= Math.max(TOMBSTONES_MIN, index.size * TOMBSTONES_SHARE);

async function compact({ state }: Mirror): Promise<void> {
  if (!needsCompaction(state)) return;
  while (!state.index.compact(POSTINGS_PER_SLICE)) await nextTurn();
}

async function inOneView<T>(sql: Pool, begin: string, read: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await sql.connect();
  let failure: unknown;
  try {
    await client.query(begin);
    const result = await read(client);
    await client.query("COMMIT");
    return result;
  } catch (cause) {
    failure = cause;
    throw cause;
  } finally {
    // A connection that failed within a transaction is not returned to the pool.
    client.release(failure !== undefined);
  }
}
