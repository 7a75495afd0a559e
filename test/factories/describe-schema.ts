import type { ClientBase } from "pg";

/** Excludes Prisma's record of migrations and the daily partitions, which migrations do not create. */
const TABLES = `tables AS (
  SELECT oid, relname, relkind, relpersistence, reloptions FROM pg_class
  WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND NOT relispartition
    AND relname <> '_prisma_migrations')`;

/** One line per object of a schema, without the schema's name: equal schemas give equal lines. */
const LINES = `WITH ${TABLES}
  SELECT format('table %s %s %s %s %s', relname, relkind, relpersistence, reloptions,
    CASE relkind WHEN 'p' THEN pg_get_partkeydef(oid) END) AS line FROM tables
  UNION ALL
  SELECT format('column %s.%s %s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
    pg_get_expr(adbin, adrelid))
  FROM tables JOIN pg_attribute ON attrelid = tables.oid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attnum > 0 AND NOT attisdropped
  UNION ALL
  SELECT format('index %s %s', pg_get_indexdef(indexrelid, 0, true), indisvalid)
  FROM tables JOIN pg_index ON indrelid = tables.oid
  UNION ALL
  SELECT format('constraint %s %s %s', relname, conname, pg_get_constraintdef(pg_constraint.oid, true))
  FROM tables JOIN pg_constraint ON conrelid = tables.oid
  UNION ALL
  SELECT format('trigger %s', pg_get_triggerdef(pg_trigger.oid, true))
  FROM tables JOIN pg_trigger ON tgrelid = tables.oid WHERE NOT tgisinternal
  UNION ALL
  SELECT format('function %s', pg_get_functiondef(oid)) FROM pg_proc WHERE pronamespace = $1::regnamespace AND prokind = 'f'
  UNION ALL
  SELECT format('enum %s %s', typname, (SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = pg_type.oid))
  FROM pg_type WHERE typnamespace = $1::regnamespace AND typtype = 'e'`;

/** The objects of a schema, sorted. Requires a transaction, whose search path is set to this schema. */
export async function describeSchema(client: ClientBase, schema: string): Promise<string[]> {
  await client.query("SELECT set_config('search_path', $1, true)", [client.escapeIdentifier(schema)]);
  const { rows } = await client.query<{ line: string }>(LINES, [client.escapeIdentifier(schema)]);
  return rows.map(({ line }) => line.replaceAll(`${schema}.`, "")).sort();
}
