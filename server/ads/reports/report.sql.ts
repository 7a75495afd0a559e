import type { ClickHouseClient } from "@clickhouse/client";
import type { OffsetSpan } from "../local-time";
import { REPORT_SUMS, type ReportGroup, type ReportSums } from "./report";
import type { ReportPeriod } from "./report-period";

export interface ReportQuery extends ReportPeriod {
  /** The tenant that views the report. */
  tenantId: string;
  mode: "test" | "live";
  groups: ReportGroup[];
  /** Only rows of this channel or campaign, named as in the rows of a report. */
  channel?: string | undefined;
  campaign?: string | undefined;
  /** Local time within the period; the first span begins at or before `fromMs`. */
  offsets: OffsetSpan[];
  rowsMax: number;
}

export interface SummedRow {
  /** The values of the groups, in the same order. */
  keys: string[];
  sums: ReportSums;
}

const DAY_MS = 86_400_000;

/**
 * Returns the rollup's sums of one tenant and mode: at most `rowsMax + 1` rows, so that the caller can detect an
 * excess.
 */
export async function sumReport(client: ClickHouseClient, query: ReportQuery, labels: string[]): Promise<SummedRow[]> {
  const { groups, offsets, tenantId, mode, rowsMax } = query;
  const result = await client.query({
    query: textOf(query),
    query_params: {
      tenant: tenantId,
      mode,
      channel: query.channel ?? "",
      campaign: query.campaign ?? "",
      offsets: offsets.map((span) => span.offsetMinutes * 60),
      labels,
      limit: rowsMax + 1,
    },
    format: "JSONCompactEachRow",
  });
  const rows = await result.json<string[]>();
  return rows.map((row) => ({ keys: row.slice(0, groups.length), sums: sumsOf(row.slice(groups.length)) }));
}

type SumTexts = Partial<Record<(typeof REPORT_SUMS)[number], string>>;

/**
 * Conversions that only pixels reported have their own rollup with signed rows: when a server reports the order, they
 * are subtracted.
 */
const CONVERSIONS = {
  conversions: "toInt64(sum(r.conversions))",
  conversion_value_micros: "toInt64(sum(r.conversion_value_micros))",
};
const SUMS: SumTexts = Object.fromEntries(
  REPORT_SUMS.filter((sum) => sum !== "filled" && !sum.startsWith("unverified_")).map((sum) => [sum, `sum(r.${sum})`]),
);
interface Source {
  table: string;
  sums: SumTexts;
  /** What takes the place of columns that only a rollup has. */
  instead?: Record<string, string>;
}

const SOURCES: Source[] = [
  { table: "report_slots", sums: { ...SUMS, ...CONVERSIONS } },
  {
    table: "pixel_slots",
    sums: {
      ...CONVERSIONS,
      unverified_conversions: CONVERSIONS.conversions,
      unverified_conversion_value_micros: CONVERSIONS.conversion_value_micros,
    },
  },
  {
    // A projection of it holds the counts by slot.
    table: "requests",
    sums: { filled: "countIf(r.served > 0)" },
    instead: {
      "r.slot": "toStartOfFifteenMinutes(r.at)",
      "r.campaign_id": "''",
      "r.creative_id": "''",
      "r.traffic": "''",
    },
  },
];

/** Values are converted to text last, for the few remaining rows: converting every slot took most of the time. */
function textOf(query: ReportQuery): string {
  const { groups } = query;
  const names = groups.map((_, i) => `key_${i}`);
  const by = groups.includes("hour") ? [...names, "ahead"] : names;
  const grouped = by.length > 0 ? `GROUP BY ${by.join(", ")}` : "";
  const keys = [...groups.map((group, i) => `${keyOf(group, query.offsets)} AS key_${i}`)];
  if (groups.includes("hour")) keys.push(`${aheadOf(query.offsets)} AS ahead`);
  const periods = periodsOf(query);
  const parts = SOURCES.flatMap(({ table, sums, instead = {} }) =>
    periods.map((period) =>
      withColumns(
        instead,
        `
      SELECT ${[...keys, ...REPORT_SUMS.map((sum) => `${sums[sum] ?? "0"} AS sum_${sum}`)].join(", ")}
      FROM ${table} AS r
      WHERE r.tenant_id = {tenant:String} AND r.mode = {mode:String} AND (${period})${filterOf(query)}
      ${grouped}`,
      ),
    ),
  );
  return `
    SELECT ${[...groups.map(nameOf), ...REPORT_SUMS.map((sum) => `sum(sum_${sum})`)].join(", ")}
    FROM (${parts.join(" UNION ALL ")})
    ${grouped}
    ${groups.length > 0 ? `ORDER BY ${groups.map(orderOf).join(", ")}` : ""}
    LIMIT {limit:UInt32}`;
}

const withColumns = (instead: Record<string, string>, text: string): string =>
  Object.entries(instead).reduce((changed, [column, expression]) => changed.replaceAll(column, expression), text);

/** Unused filters are omitted, so that the projections without these columns can be read. */
const filterOf = ({ channel, campaign }: ReportQuery): string =>
  [
    channel === undefined ? "" : " AND r.channel_id = {channel:String}",
    campaign === undefined ? "" : " AND r.campaign_id = {campaign:String}",
  ].join("");

/**
 * The period as non-overlapping conditions. Whole UTC days are queried as days, which a projection of the rollup
 * stores; for local days or hours, only slots are precise enough.
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

/** The offset of local time from UTC at a slot, in seconds. */
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

/** Hours are sorted by their instant, because on the day of a clock change their texts are not in order. */
const orderOf = (group: ReportGroup, i: number): string => (group === "hour" ? `key_${i} - ahead` : `key_${i}`);

const sumsOf = (values: string[]): ReportSums =>
  Object.fromEntries(REPORT_SUMS.map((sum, i) => [sum, countOf(values[i] ?? "0")])) as ReportSums;

/**
 * The reversal of a conversion or charge can arrive shortly before the conversion or charge itself. Sums of money wrap
 * around: a reversal is stored in the rollup as 2^64 minus its amount.
 */
function countOf(text: string): bigint {
  const sum = BigInt.asIntN(64, BigInt(text));
  return sum < 0n ? 0n : sum;
}
