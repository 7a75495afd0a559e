import type { ClickHouseClient } from "@clickhouse/client";
import { REPORT_SUMS, type ReportGroup, type ReportSums, toReportFigures } from "../../server/ads/reports/report";

export interface RawQuestion {
  tenantId: string;
  mode: "test" | "live";
  groups: ReportGroup[];
  timezone: string;
  fromMs: number;
  toMs: number;
}

type Sums = Partial<Record<(typeof REPORT_SUMS)[number], string>>;

interface Events {
  table: string;
  /** The tenant of the campaign is known. */
  isBought: boolean;
  sums: Sums;
  traffic: string;
  campaignOfOthers: string;
}

const OWN = "tenant_id = {tenant:String}";
const BUYS = "buyer_tenant_id = {tenant:String}";
const LOCAL = "toTimeZone(at, {timezone:String})";
const OFFSET = `timezoneOffset(${LOCAL})`;
const TWO = (number: string): string => `leftPad(toString(${number}), 2, '0')`;
const OFFSET_TEXT = `concat(if(${OFFSET} < 0, '-', '+'), ${TWO(`intDiv(abs(${OFFSET}), 3600)`)}, ':', ${TWO(`intDiv(abs(${OFFSET}) % 3600, 60)`)})`;

const seen = (name: string, money: boolean): Sums => ({
  [name]: "countIf(traffic = '')",
  [`invalid_${name}`]: "countIf(traffic != '')",
  ...(money && { spend_nanos: `sumIf(charge_nanos, ${BUYS})`, earnings_nanos: `sumIf(earning_nanos, ${OWN})` }),
});

const EVENTS: Events[] = [
  {
    table: "requests",
    isBought: false,
    sums: { requests: "count()", filled: "countIf(served > 0)" },
    traffic: "''",
    campaignOfOthers: "''",
  },
  {
    table: "offers",
    isBought: true,
    sums: { served: "count()" },
    traffic: "''",
    campaignOfOthers: "if(house = 1, 'house', 'network')",
  },
  ...["impressions", "clicks"].map((table) => ({
    table,
    isBought: true,
    sums: seen(table, true),
    traffic: "toString(traffic)",
    campaignOfOthers: "if(house = 1, 'house', 'network')",
  })),
  {
    table: "conversions",
    isBought: true,
    traffic: "''",
    campaignOfOthers: "'network'",
    sums: {
      conversions: "sum(sign)",
      conversion_value_micros: `sumIf(sign * value_micros, ${BUYS})`,
      unverified_conversions: "sumIf(sign, source = 'pixel')",
      unverified_conversion_value_micros: `sumIf(sign * value_micros, source = 'pixel' AND ${BUYS})`,
    },
  },
];

function keyOf(group: ReportGroup, { isBought, traffic, campaignOfOthers }: Events): string {
  switch (group) {
    case "day":
      return `formatDateTime(${LOCAL}, '%Y-%m-%d')`;
    case "hour":
      return `concat(formatDateTime(${LOCAL}, '%Y-%m-%dT%H:00:00'), ${OFFSET_TEXT})`;
    case "channel":
      return `if(${OWN}, toString(channel_id), 'network')`;
    case "campaign":
      return isBought ? `if(${BUYS}, toString(campaign_id), ${campaignOfOthers})` : "''";
    case "creative":
      return isBought ? `if(${BUYS}, creative_id, '')` : "''";
    case "traffic":
      return traffic;
    default:
      return `toString(${group})`;
  }
}

/** The report that single events give, in ClickHouse's own local time: rows as getReport answers them, in no order. */
export async function rawReport(
  clickhouse: ClickHouseClient,
  question: RawQuestion,
): Promise<Record<string, unknown>[]> {
  const { groups, tenantId, mode, timezone, fromMs, toMs } = question;
  const names = groups.map((_, i) => `key_${i}`);
  const branches = EVENTS.map((events) => {
    const keys = groups.map((group, i) => `${keyOf(group, events)} AS key_${i}`);
    const sums = REPORT_SUMS.map((sum) => `toUInt64(${events.sums[sum] ?? "0"}) AS ${sum}`);
    return `SELECT ${[...keys, ...sums].join(", ")} FROM ${events.table}
      WHERE (${events.isBought ? `${OWN} OR ${BUYS}` : OWN}) AND mode = {mode:String}
        AND at >= fromUnixTimestamp64Milli({from:Int64}) AND at < fromUnixTimestamp64Milli({to:Int64})
      ${names.length > 0 ? `GROUP BY ${names.join(", ")}` : ""}`;
  });
  const answer = await clickhouse.query({
    query: `SELECT ${[...names, ...REPORT_SUMS.map((sum) => `sum(${sum})`)].join(", ")}
      FROM (${branches.join(" UNION ALL ")}) ${names.length > 0 ? `GROUP BY ${names.join(", ")}` : ""}`,
    query_params: { tenant: tenantId, mode, timezone, from: fromMs, to: toMs },
    format: "JSONCompactEachRow",
  });
  return (await answer.json<string[]>()).map((row) => ({
    ...Object.fromEntries(groups.map((group, i) => [group, row[i] || (group === "traffic" ? "valid" : null)])),
    ...toReportFigures(sumsOf(row.slice(groups.length))),
  }));
}

const sumsOf = (values: string[]): ReportSums =>
  Object.fromEntries(REPORT_SUMS.map((sum, i) => [sum, BigInt(values[i] ?? 0)])) as ReportSums;
