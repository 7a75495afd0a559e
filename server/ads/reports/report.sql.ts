import type { ClickHouseClient } from "@clickhouse/client";
import type { OffsetSpan } from "./local-time";
import { REPORT_SUMS, type ReportGroup, type ReportSums } from "./report";
import type { ReportPeriod } from "./report-period";

export interface ReportQuery extends ReportPeriod {
  /** Whose rows: the viewer. */
  tenantId: string;
  mode: "test" | "live";
  groups: ReportGroup[];
  /** Local time within the period; the first span begins at or before `fromMs`. */
  offsets: OffsetSpan[];
  rowsMax: number;
}

export interface SummedRow {
  /** The values of the groups, in their order. */
  keys: string[];
  sums: ReportSums;
}

/** Seconds of local time, and the index of the offset that is in force. */
const SPAN = "arrayCount(start -> start <= toUnixTimestamp(r.slot), {starts:Array(Int64)})";
const LOCAL = `toDateTime(toUnixTimestamp(r.slot) + {offsets:Array(Int32)}[${SPAN}], 'UTC')`;

const KEYS: Record<ReportGroup, string> = {
  day: `formatDateTime(${LOCAL}, '%Y-%m-%d')`,
  hour: `concat(formatDateTime(${LOCAL}, '%Y-%m-%dT%H:00:00'), {labels:Array(String)}[${SPAN}])`,
  channel: "toString(r.channel_id)",
  campaign: "toString(r.campaign_id)",
  creative: "r.creative_id",
  placement: "toString(r.placement)",
  geo: "toString(r.geo)",
  device: "toString(r.device)",
  traffic: "toString(r.traffic)",
};

/** Hours are put in order by their moment, because on the day of a change their texts are not in order. */
const ORDER: Partial<Record<ReportGroup, string>> = {
  hour: `min(toUnixTimestamp(toStartOfHour(${LOCAL})) - {offsets:Array(Int32)}[${SPAN}])`,
};

/** The rollup's sums of one tenant and mode; at most `rowsMax + 1` rows, so that the caller notices the excess. */
export async function sumReport(client: ClickHouseClient, query: ReportQuery, labels: string[]): Promise<SummedRow[]> {
  const { groups, offsets, tenantId, mode, fromMs, toMs, rowsMax } = query;
  const keys = groups.map((group, i) => `${KEYS[group]} AS key_${i}`);
  const answer = await client.query({
    query: `
      SELECT ${[...keys, ...REPORT_SUMS.map((sum) => `sum(r.${sum})`)].join(", ")}
      FROM report_slots AS r
      WHERE r.tenant_id = {tenant:String} AND r.mode = {mode:String}
        AND r.slot >= fromUnixTimestamp({from:Int64}) AND r.slot < fromUnixTimestamp({to:Int64})
      ${groups.length > 0 ? `GROUP BY ${groups.map((_, i) => `key_${i}`).join(", ")}` : ""}
      ${groups.length > 0 ? `ORDER BY ${groups.map((group, i) => ORDER[group] ?? `key_${i}`).join(", ")}` : ""}
      LIMIT {limit:UInt32}`,
    query_params: {
      tenant: tenantId,
      mode,
      from: fromMs / 1000,
      to: toMs / 1000,
      starts: offsets.map((span) => span.startMs / 1000),
      offsets: offsets.map((span) => span.offsetMinutes * 60),
      labels,
      limit: rowsMax + 1,
    },
    format: "JSONCompactEachRow",
  });
  const rows = await answer.json<string[]>();
  return rows.map((row) => ({ keys: row.slice(0, groups.length), sums: sumsOf(row.slice(groups.length)) }));
}

const sumsOf = (values: string[]): ReportSums =>
  Object.fromEntries(REPORT_SUMS.map((sum, i) => [sum, BigInt(values[i] ?? 0)])) as ReportSums;
