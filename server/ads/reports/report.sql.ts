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

const DAY_MS = 86_400_000;

/** The rollup's sums of one tenant and mode; at most `rowsMax + 1` rows, so that the caller notices the excess. */
export async function sumReport(client: ClickHouseClient, query: ReportQuery, labels: string[]): Promise<SummedRow[]> {
  const { groups, offsets, tenantId, mode, rowsMax } = query;
  const answer = await client.query({
    query: textOf(query),
    query_params: {
      tenant: tenantId,
      mode,
      offsets: offsets.map((span) => span.offsetMinutes * 60),
      labels,
      limit: rowsMax + 1,
    },
    format: "JSONCompactEachRow",
  });
  const rows = await answer.json<string[]>();
  return rows.map((row) => ({ keys: row.slice(0, groups.length), sums: sumsOf(row.slice(groups.length)) }));
}

/** Texts are made at the end, of the few rows that are left: making them of every slot took most of the time. */
function textOf(query: ReportQuery): string {
  const { groups } = query;
  const names = groups.map((_, i) => `key_${i}`);
  const by = groups.includes("hour") ? [...names, "ahead"] : names;
  const grouped = by.length > 0 ? `GROUP BY ${by.join(", ")}` : "";
  const keys = [...groups.map((group, i) => `${keyOf(group, query.offsets)} AS key_${i}`)];
  if (groups.includes("hour")) keys.push(`${aheadOf(query.offsets)} AS ahead`);
  const parts = periodsOf(query).map(
    (period) => `
      SELECT ${[...keys, ...REPORT_SUMS.map((sum) => `sum(r.${sum}) AS sum_${sum}`)].join(", ")}
      FROM report_slots AS r
      WHERE r.tenant_id = {tenant:String} AND r.mode = {mode:String} AND (${period})
      ${grouped}`,
  );
  return `
    SELECT ${[...groups.map(nameOf), ...REPORT_SUMS.map((sum) => `sum(sum_${sum})`)].join(", ")}
    FROM (${parts.join(" UNION ALL ")})
    ${grouped}
    ${groups.length > 0 ? `ORDER BY ${groups.map(orderOf).join(", ")}` : ""}
    LIMIT {limit:UInt32}`;
}

/**
 * The period as conditions that touch no slot twice. Whole days of UTC are asked for as days, which a projection of the
 * rollup holds; where local days or hours are asked for, only slots can tell them apart.
 */
function periodsOf({ groups, offsets, fromMs, toMs }: ReportQuery): string[] {
  const isLocal =
    groups.includes("hour") || (groups.includes("day") && offsets.some((span) => span.offsetMinutes !== 0));
  const firstMs = Math.ceil(fromMs / DAY_MS) * DAY_MS;
  const lastMs = Math.floor(toMs / DAY_MS) * DAY_MS;
  if (isLocal || firstMs >= lastMs) return [slots(fromMs, toMs)];
  const ends = [
    [fromMs, firstMs],
    [lastMs, toMs],
  ].flatMap(([from = 0, to = 0]) => (from < to ? [slots(from, to)] : []));
  const days = `toDate(r.slot) >= '${dateOf(firstMs)}' AND toDate(r.slot) < '${dateOf(lastMs)}'`;
  return ends.length > 0 ? [days, ends.join(" OR ")] : [days];
}

const slots = (fromMs: number, toMs: number): string =>
  `r.slot >= fromUnixTimestamp(${fromMs / 1000}) AND r.slot < fromUnixTimestamp(${toMs / 1000})`;

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Seconds that local time is ahead of UTC at a slot. */
function aheadOf(offsets: OffsetSpan[]): string {
  const seconds = offsets.map((span) => `toInt32(${span.offsetMinutes * 60})`);
  const changes = offsets
    .slice(1)
    .map((span, i) => `r.slot < fromUnixTimestamp(${span.startMs / 1000}), ${seconds[i]}`);
  return changes.length > 0 ? `multiIf(${[...changes, seconds.at(-1)].join(", ")})` : (seconds[0] ?? "toInt32(0)");
}

function keyOf(group: ReportGroup, offsets: OffsetSpan[]): string {
  if (group === "day") return `toDate(r.slot + ${aheadOf(offsets)})`;
  if (group === "hour") return `toStartOfHour(r.slot + ${aheadOf(offsets)})`;
  return `r.${COLUMNS[group]}`;
}

const COLUMNS: Record<Exclude<ReportGroup, "day" | "hour">, string> = {
  channel: "channel_id",
  campaign: "campaign_id",
  creative: "creative_id",
  placement: "placement",
  geo: "geo",
  device: "device",
  traffic: "traffic",
};

const nameOf = (group: ReportGroup, i: number): string =>
  group === "hour"
    ? `concat(formatDateTime(key_${i}, '%Y-%m-%dT%H:00:00'), transform(ahead, {offsets:Array(Int32)}, {labels:Array(String)}, ''))`
    : `toString(key_${i})`;

/** Hours are put in order by their moment, because on the day of a change their texts are not in order. */
const orderOf = (group: ReportGroup, i: number): string => (group === "hour" ? `key_${i} - ahead` : `key_${i}`);

const sumsOf = (values: string[]): ReportSums =>
  Object.fromEntries(REPORT_SUMS.map((sum, i) => [sum, BigInt(values[i] ?? 0)])) as ReportSums;
