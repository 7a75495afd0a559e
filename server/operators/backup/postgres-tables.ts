import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { ClientBase } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { makePartitions } from "../../engines/postgres/partitions";
import type { Manifest, TableEntry } from "./manifest";
import { readTable, writeTable } from "./table-file";

type PostgresPart = Manifest["postgres"];
type Sequence = PostgresPart["sequences"][number];

interface Table {
  table: string;
  columns: string[];
  /** Tables that its foreign keys reference. */
  needs: string[];
}

/**
 * All persistent tables of svc, each after the tables that its foreign keys reference; partitioned tables count as one.
 * Excludes the record of migrations, which a restore creates, and estimates that do not survive a crash either.
 */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES);
  const ordered: Table[] = [];
  for (let waiting = rows; waiting.length > 0; ) {
    const known = new Set(ordered.map(({ table }) => table));
    const ready = waiting.filter(({ table, needs }) => needs.every((name) => name === table || known.has(name)));
    if (ready.length === 0) throw new Error(`Foreign keys of ${waiting[0]?.table} form a cycle.`);
    ordered.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
}

const LASTING = `n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p'
  AND c.relname <> '_prisma_migrations'`;

const TABLES = `
  SELECT c.relname AS table,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    ARRAY(SELECT DISTINCT k.confrelid::regclass::text FROM pg_constraint k
      WHERE k.conrelid = c.oid AND k.contype = 'f') AS needs
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE ${LASTING} ORDER BY c.relname`;

/**
 * Begins the transaction that a backup reads, and returns its time. Its locks block migrations and the removal of old
 * partitions until it ends, but do not block serving.
 */
export async function beginSnapshot(client: ClientBase, tables: readonly Table[]): Promise<Date> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query(`LOCK TABLE ${tables.map(({ table }) => quoted(table)).join(", ")} IN ACCESS SHARE MODE`);
  const { rows } = await client.query<{ at: Date }>("SELECT clock_timestamp() AS at");
  return rows[0]?.at ?? new Date(0);
}

/** Copies every table within the current transaction. */
export async function copyOut(
  client: ClientBase,
  { tables, folder, progress }: { tables: readonly Table[]; folder: string; progress: (step: string) => void },
): Promise<PostgresPart> {
  const entries: TableEntry[] = [];
  for (const { table, columns } of tables) {
    progress(`copying PostgreSQL, ${table}`);
    // COPY cannot read a partitioned table directly, so it reads a query.
    const rows = client.query(copyTo(`COPY (SELECT ${listed(columns)} FROM ${quoted(table)}) TO STDOUT`));
    entries.push({ table, columns, ...(await writeTable(rows, { folder, file: `postgres/${table}.tsv.gz` })) });
  }
  return { tables: entries, partitions: await listPartitions(client), sequences: await listSequences(client) };
}

/** Triggers that update sums in other tables when rows are inserted. */
const SUMMING: readonly (readonly [table: string, trigger: string])[] = [
  ["ledger", "ledger_publisher_earnings"],
  ["ledger", "ledger_summed_by_day"],
  ["products", "products_added"],
  ["creatives", "creatives_added"],
  ["campaign_spend", "campaign_spend_total"],
];

async function setTriggers(client: ClientBase, to: "ENABLE" | "DISABLE"): Promise<void> {
  for (const [table, trigger] of SUMMING)
    await client.query(`ALTER TABLE ${quoted(table)} ${to} TRIGGER ${quoted(trigger)}`);
}

/**
 * Fills migrated, empty tables within the current transaction. Throws an error with a one-sentence message if the
 * number of rows in a table differs from the backup.
 */
export async function copyIn(
  client: ClientBase,
  { part, folder, progress }: { part: PostgresPart; folder: string; progress: (step: string) => void },
): Promise<void> {
  await makePartitions(client, part.partitions);
  // The backup also contains the sums that these triggers would compute.
  await setTriggers(client, "DISABLE");
  for (const { table, columns, file, rows } of part.tables) {
    progress(`restoring PostgreSQL, ${table}`);
    const target = client.query(copyFrom(`COPY ${quoted(table)} (${listed(columns)}) FROM STDIN`));
    await pipeline(readTable(path.join(folder, file)).content, target);
    if (target.rowCount !== rows) throw new Error(`${table}: restored ${target.rowCount} of ${rows} rows.`);
  }
  await setTriggers(client, "ENABLE");
  for (const sequence of part.sequences) await setSequence(client, sequence);
}

/** Names of tables that contain rows. */
export async function filledTables(client: ClientBase): Promise<string[]> {
  const filled: string[] = [];
  for (const { table } of await listTables(client)) {
    const { rows } = await client.query<{ filled: boolean }>(`SELECT EXISTS (SELECT FROM ${quoted(table)}) AS filled`);
    if (rows[0]?.filled) filled.push(table);
  }
  return filled;
}

async function listPartitions(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind = 'r' AND c.relispartition ORDER BY c.relname`,
  );
  return rows.map(({ name }) => name);
}

/** Sequences are not transactional: the value read is never older than the snapshot. */
async function listSequences(client: ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `SELECT * FROM (
       SELECT c.relname AS table, a.attname AS column,
         pg_get_serial_sequence(quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname) AS sequence
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE ${LASTING} AND a.attnum > 0 AND NOT a.attisdropped) AS owned
     WHERE sequence IS NOT NULL ORDER BY 1, 2`,
  );
  const sequences: Sequence[] = [];
  for (const { table, column, sequence } of rows) {
    const { rows: states } = await client.query<Pick<Sequence, "last_value" | "is_called">>(
      `SELECT last_value::text, is_called FROM ${sequence}`,
    );
    for (const state of states) sequences.push({ table, column, ...state });
  }
  return sequences;
}

async function setSequence(client: ClientBase, sequence: Sequence): Promise<void> {
  const { table, column, last_value, is_called } = sequence;
  await client.query("SELECT setval(pg_get_serial_sequence($1, $2), $3, $4)", [
    quoted(table),
    column,
    last_value,
    is_called,
  ]);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const listed = (columns: readonly string[]): string => columns.map(quoted).join(", ");
