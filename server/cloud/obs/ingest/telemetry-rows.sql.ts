import type { ClickHouseClient } from "@clickhouse/client";
import { RESOURCES_TABLE, type Signal, TABLES } from "./telemetry";

const SECONDS_MAX = 10;
/** Of the records that one call returns, in the memory of ClickHouse. */
const BYTES_MAX = 8 << 20;
/** Of their resources: more than list-telemetry-records.ts returns as JSON. */
const RESOURCES_BYTES_MAX = 16 << 20;
/** What `contains` looks at. */
const TEXT: Readonly<Record<Signal, string>> = {
  log: "concat(body, ' ', service, ' ', toString(attributes))",
  trace: "concat(name, ' ', service, ' ', trace_id, ' ', toString(attributes))",
  metric: "concat(name, ' ', service, ' ', toString(attributes))",
};

const COMMON = "id, time, service, scope, attributes, resource_id, resource";
const COLUMNS: Readonly<Record<Signal, string>> = {
  log: `${COMMON}, severity_number, severity, body, trace_id, span_id`,
  trace: `${COMMON}, name, kind, duration_ns, status, status_message, trace_id, span_id, parent_span_id`,
  metric: `${COMMON}, name, type, unit, temporality, value, count, bounds, buckets, details`,
};
/** Of those, what JSON would not keep exactly. */
const AS_TEXT: Readonly<Record<Signal, string>> = {
  log: "",
  trace: "toString(duration_ns) AS duration_ns",
  metric: "toString(count) AS count, arrayMap(n -> toString(n), buckets) AS buckets",
};

/** The first condition is what the order of the table can use. */
const AFTER = `AND t.time <= toDateTime64({time:String}, 9, 'UTC')
          AND (t.time, t.id) < (toDateTime64({time:String}, 9, 'UTC'), {id:String})`;

export interface StoreRows {
  signal: Signal;
  tenantId: string;
  rid: string;
}

interface Asked {
  from: Date;
  to: Date;
  contains: string;
  limit: number;
  /** The last record of the page before. */
  after: RecordPosition | undefined;
}

/** Where a record is in the order of its store: newest first, and those of one time by id. */
export interface RecordPosition {
  /** As ClickHouse writes it, with nanoseconds, such as 2026-11-20T08:59:58.120000000Z. */
  time: string;
  id: string;
}

/** A record as it is stored; its resource is in a row of its own, if `resource_id` is not empty. */
export interface StoredRecord extends RecordPosition {
  resource_id: string;
  resource: Record<string, string>;
}

/**
 * The newest records of a store in [from, to) that contain a text, whatever its case: at most `limit`, and at most about
 * 8 MiB. `hasMore`: older ones follow.
 */
export async function newestRows<T extends StoredRecord>(
  clickhouse: ClickHouseClient,
  { signal, tenantId, rid }: StoreRows,
  { from, to, contains, limit, after }: Asked,
): Promise<{ rows: T[]; hasMore: boolean }> {
  const columns = COLUMNS[signal];
  const exact = ["concat(replaceOne(toString(time), ' ', 'T'), 'Z') AS time", AS_TEXT[signal]].filter(Boolean);
  const answer = await clickhouse.query({
    query: `SELECT * EXCEPT (before) REPLACE (${exact.join(", ")}) FROM (
      SELECT *, sum(byteSize(${columns})) OVER newer - byteSize(${columns}) AS before, count() OVER () AS found FROM (
        SELECT ${columns} FROM ${TABLES[signal]} AS t
        WHERE tenant_id = {tenantId:String} AND rid = {rid:String} AND expires > now()
          AND t.time >= fromUnixTimestamp64Milli({from:Int64}) AND t.time < fromUnixTimestamp64Milli({to:Int64})
          ${after ? AFTER : ""}
          AND ({contains:String} = '' OR positionCaseInsensitiveUTF8(${TEXT[signal]}, {contains:String}) > 0)
        ORDER BY t.time DESC, t.id DESC LIMIT {take:UInt32})
      WINDOW newer AS (ORDER BY time DESC, id DESC ROWS UNBOUNDED PRECEDING))
      WHERE before < ${BYTES_MAX} ORDER BY before`,
    query_params: {
      tenantId,
      rid,
      contains,
      take: limit + 1,
      from: from.getTime(),
      to: to.getTime(),
      ...(after && { time: after.time.replace("T", " ").replace("Z", ""), id: after.id }),
    },
    clickhouse_settings: { max_execution_time: SECONDS_MAX, output_format_json_quote_denormals: 1 },
    format: "JSONEachRow",
  });
  const found = await answer.json<T & { found: string }>();
  const rows = found.slice(0, limit).map(({ found: _, ...row }) => row as unknown as T);
  return { rows, hasMore: Number(found[0]?.found ?? 0) > rows.length };
}

/** The attributes of these resources of a store, of the first ones first: at most about 16 MiB. */
export async function resourcesOf(
  clickhouse: ClickHouseClient,
  { tenantId, rid }: Omit<StoreRows, "signal">,
  ids: readonly string[],
): Promise<Map<string, Record<string, string>>> {
  if (ids.length === 0) return new Map();
  const answer = await clickhouse.query({
    query: `SELECT resource_id, resource FROM (
      SELECT *, sum(byteSize(resource)) OVER (ORDER BY at ROWS UNBOUNDED PRECEDING) - byteSize(resource) AS before FROM (
        SELECT resource_id, resource, indexOf({ids:Array(String)}, resource_id) AS at FROM ${RESOURCES_TABLE}
        WHERE tenant_id = {tenantId:String} AND rid = {rid:String} AND resource_id IN {ids:Array(String)}
        LIMIT 1 BY resource_id))
      WHERE before < ${RESOURCES_BYTES_MAX}`,
    query_params: { tenantId, rid, ids },
    clickhouse_settings: { max_execution_time: SECONDS_MAX },
    format: "JSONEachRow",
  });
  return new Map(
    (await answer.json<Pick<StoredRecord, "resource_id" | "resource">>()).map((row) => [row.resource_id, row.resource]),
  );
}

/** Deletes the records of a store; returns how many are left. */
export async function deleteRows(clickhouse: ClickHouseClient, { signal, tenantId, rid }: StoreRows): Promise<number> {
  const query_params = { tenantId, rid };
  const where = "tenant_id = {tenantId:String} AND rid = {rid:String}";
  const left = async (table: string) => {
    const answer = await clickhouse.query({
      query: `SELECT count() AS count FROM ${table} WHERE ${where}`,
      query_params,
      format: "JSONEachRow",
    });
    return Number((await answer.json<{ count: string }>())[0]?.count ?? 0);
  };
  const leftAfter = async (table: string) => {
    if ((await left(table)) === 0) return 0;
    await clickhouse.command({ query: `DELETE FROM ${table} WHERE ${where}`, query_params });
    return left(table);
  };
  return (await leftAfter(TABLES[signal])) + (await leftAfter(RESOURCES_TABLE));
}
