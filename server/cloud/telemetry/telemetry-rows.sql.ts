import type { ClickHouseClient } from "@clickhouse/client";
import { type Signal, TABLES } from "./telemetry";

const SECONDS_MAX = 10;
/** What `contains` looks at. */
const TEXT: Readonly<Record<Signal, string>> = {
  log: "concat(body, ' ', service, ' ', toString(attributes))",
  trace: "concat(name, ' ', service, ' ', trace_id, ' ', toString(attributes))",
  metric: "concat(name, ' ', service, ' ', toString(attributes))",
};

const COMMON = `concat(replaceOne(toString(time), ' ', 'T'), 'Z') AS time, service, scope, attributes, resource`;
const COLUMNS: Readonly<Record<Signal, string>> = {
  log: `${COMMON}, severity_number, severity, body, trace_id, span_id`,
  trace: `${COMMON}, name, kind, toString(duration_ns) AS duration_ns, status, status_message, trace_id, span_id, parent_span_id`,
  metric: `${COMMON}, name, type, unit, temporality, value, toString(count) AS count, bounds, arrayMap(n -> toString(n), buckets) AS buckets`,
};

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
}

/** The newest records of a store in [from, to) that contain a text, whatever its case. */
export async function newestRows<T>(
  clickhouse: ClickHouseClient,
  { signal, tenantId, rid }: StoreRows,
  { from, to, contains, limit }: Asked,
): Promise<T[]> {
  const answer = await clickhouse.query({
    query: `SELECT ${COLUMNS[signal]} FROM ${TABLES[signal]} AS t
      WHERE tenant_id = {tenantId:String} AND rid = {rid:String} AND expires > now()
        AND t.time >= fromUnixTimestamp64Milli({from:Int64}) AND t.time < fromUnixTimestamp64Milli({to:Int64})
        AND ({contains:String} = '' OR positionCaseInsensitiveUTF8(${TEXT[signal]}, {contains:String}) > 0)
      ORDER BY t.time DESC LIMIT {limit:UInt32}`,
    query_params: { tenantId, rid, contains, limit, from: from.getTime(), to: to.getTime() },
    clickhouse_settings: { max_execution_time: SECONDS_MAX },
    format: "JSONEachRow",
  });
  return answer.json<T>();
}

/** Deletes the records of a store; returns how many are left. */
export async function deleteRows(clickhouse: ClickHouseClient, { signal, tenantId, rid }: StoreRows): Promise<number> {
  const query_params = { tenantId, rid };
  const where = "tenant_id = {tenantId:String} AND rid = {rid:String}";
  const table = TABLES[signal];
  const left = async () => {
    const answer = await clickhouse.query({
      ...{ query: `SELECT count() AS count FROM ${table} WHERE ${where}`, query_params, format: "JSONEachRow" },
    });
    return Number((await answer.json<{ count: string }>())[0]?.count ?? 0);
  };
  if ((await left()) === 0) return 0;
  await clickhouse.command({ query: `DELETE FROM ${table} WHERE ${where}`, query_params });
  return left();
}
