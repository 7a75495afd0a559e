import type { ClickHouseClient } from "@clickhouse/client";
import { type KeyKind, STATUS_CLASSES, type Sums } from "./request-count";
import type { CountedBatch } from "./request-counter";
import type { RequestPeriod } from "./request-period";

/** Inserts a batch; inserting it again changes nothing. */
export async function insertRequestCounts(
  clickhouse: ClickHouseClient,
  { token, hours }: CountedBatch,
  signal?: AbortSignal,
): Promise<void> {
  await clickhouse.insert({
    table: "key_requests",
    values: hours.map(({ tenantId, mode, hourMs, keyId, kind, parentId, sums }) => ({
      tenant_id: tenantId,
      mode,
      hour: hourMs / 1000,
      key_id: keyId,
      kind,
      parent_id: parentId,
      ...sums,
    })),
    format: "JSONEachRow",
    clickhouse_settings: { insert_deduplication_token: token },
    ...(signal && { abort_signal: signal }),
  });
}

export interface RequestsQuery extends RequestPeriod {
  tenantId: string;
  mode: "test" | "live";
  /** Of the platform keys only those of this project. */
  projectId: string | undefined;
  /** Only this key. */
  keyId: string | undefined;
}

export interface SummedKey {
  id: string;
  kind: KeyKind;
  parentId: string;
  sums: Sums;
}

const SUMS = STATUS_CLASSES.map((name) => `sum(r.${name}) AS sum_${name}`).join(", ");

/** The sums of each hour or day with requests, by its start in milliseconds since 1970. */
export async function sumByTime(clickhouse: ClickHouseClient, query: RequestsQuery): Promise<Map<number, Sums>> {
  const seconds = query.intervalMs / 1000;
  const rows = await select(
    clickhouse,
    query,
    `SELECT intDiv(toUnixTimestamp(r.hour), ${seconds}) * ${seconds} AS start, ${SUMS}
     FROM key_requests AS r WHERE ${conditionOf(query)} GROUP BY start`,
  );
  return new Map(rows.map(([start, ...sums]) => [Number(start) * 1000, sumsOf(sums)]));
}

/** The `keysMax` keys with the most requests, and the number of keys with any. */
export async function sumByKey(
  clickhouse: ClickHouseClient,
  query: RequestsQuery,
  keysMax: number,
): Promise<{ keys: SummedKey[]; total: number }> {
  const all = STATUS_CLASSES.map((name) => `sum_${name}`).join(" + ");
  const rows = await select(
    clickhouse,
    query,
    `SELECT r.key_id, r.kind, r.parent_id, count() OVER () AS keys, ${SUMS}
     FROM key_requests AS r WHERE ${conditionOf(query)} GROUP BY r.key_id, r.kind, r.parent_id
     ORDER BY ${all} DESC, r.key_id LIMIT ${keysMax}`,
  );
  const keys = rows.map(([id = "", kind = "", parentId = "", , ...sums]) => ({
    id,
    kind: kind as KeyKind,
    parentId,
    sums: sumsOf(sums),
  }));
  return { keys, total: Number(rows[0]?.[3] ?? 0) };
}

const conditionOf = ({ projectId, keyId }: RequestsQuery): string =>
  [
    "r.tenant_id = {tenant:String} AND r.mode = {mode:String}",
    "r.hour >= fromUnixTimestamp({from:UInt32}) AND r.hour < fromUnixTimestamp({to:UInt32})",
    ...(projectId === undefined ? [] : ["(r.kind != 'platform' OR r.parent_id = {project:String})"]),
    ...(keyId === undefined ? [] : ["r.key_id = {key:String}"]),
  ].join(" AND ");

async function select(
  clickhouse: ClickHouseClient,
  { tenantId, mode, projectId = "", keyId = "", fromMs, toMs }: RequestsQuery,
  query: string,
): Promise<string[][]> {
  const query_params = { tenant: tenantId, mode, project: projectId, key: keyId, from: fromMs / 1000, to: toMs / 1000 };
  const result = await clickhouse.query({ query, query_params, format: "JSONCompactEachRow" });
  return result.json<string[]>();
}

const sumsOf = (values: readonly string[]): Sums =>
  Object.fromEntries(STATUS_CLASSES.map((name, i) => [name, Number(values[i] ?? 0)])) as Sums;
