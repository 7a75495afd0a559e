import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { Turns } from "../../kernel/turns";
import { modeOf } from "../../operation/actor";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { offsetText, Zone } from "../local-time";
import { REPORT_GROUPS, Report, type ReportGroup, toReportFigures, totalOf } from "./report";
import { reportExample } from "./report.example";
import { type SummedRow, sumReport } from "./report.sql";
import { reportCsv } from "./report-csv";
import type { ReportCtx } from "./report-ctx";
import { periodOf } from "./report-period";

const ROWS_MAX = 50_000;
const DAY_MS = 86_400_000;
/** The number of concurrent reports of one tenant in one process. */
const TURNS = { running: 4, waiting: 20, waitMs: 5000 };

export const createReportTurns = (): Turns => new Turns(TURNS, "reports");

const splitList = (value: string | string[]): string[] => {
  const items = [value].flat().flatMap((text) => text.split(","));
  return [...new Set(items.map((item) => item.trim()).filter(Boolean))];
};

/**
 * Reports the activity of the tenant's channels and campaigns from 15-minute sums; events appear within seconds.
 *
 * Returns one row per combination of the groups that has any event, sorted by the groups; without groups one row.
 * Events of other tenants' campaigns on the tenant's channels have the campaign `network` (`house` for house offers)
 * and no creative; the tenant's campaigns on other tenants' channels have the channel `network`. A request has no
 * campaign, creative or traffic reason, so it is counted in the row with `campaign: null`, `creative: null` and
 * `traffic: "valid"`; served offers are also counted under `traffic: "valid"`. Each event counts at its own time, so an
 * impression may be in a later hour than its offer. `from` and `to` in the response are the requested ones widened to
 * whole slots. Money is computed exactly and rounded once per row and once for the totals. Conversion values are sums
 * of what advertisers reported, and only they see them.
 *
 * Throws `invalid_request` with `param` for an unknown time zone or an invalid time, for more than 400 days (31 by
 * hour), and for more than 50,000 rows; `rate_limited` if the tenant has too many reports in progress.
 */
export const getReport = operation({
  id: "getReport",
  summary: "Report on channels and campaigns",
  access: "ads:read",
  cost: "report",
  input: z.strictObject({
    from: z.string().max(40).optional().describe("Date or date-time. Default: six days before the day of `to`"),
    to: z.string().max(40).optional().describe("Date or date-time, exclusive. Default: now"),
    timezone: z.string().max(64).default("UTC").describe("IANA time zone; days and hours are local to it"),
    group_by: z
      .union([z.string().max(200), z.array(z.string().max(40)).max(20)])
      .default("")
      .transform(splitList)
      .pipe(z.array(z.enum(REPORT_GROUPS)))
      .describe(`A comma-separated list of ${REPORT_GROUPS.join(", ")}`),
    channel: id
      .optional()
      .describe("Only this channel: an id, or `network` for the tenant's campaigns on channels of other tenants"),
    campaign: id
      .optional()
      .describe("Only this campaign: an id, `network` or `house`; requests have no campaign and are not counted"),
    mode: z
      .enum(["test", "live"])
      .optional()
      .describe("For users only; an API key always uses its own mode. Default: test"),
    format: z
      .enum(["json", "csv"])
      .default("json")
      .describe("`csv` returns the rows without totals as text/csv, in UTF-8 with a byte order mark"),
  }),
  output: Report,
  example: {
    input: { from: "2026-11-20", to: "2026-11-21", group_by: "day" },
    output: reportExample,
    csv: "day,requests,served,impressions\r\n2026-11-20,1200,1100,800\r\n",
  },
  csv: reportCsv,
  run: async (ctx: ReportCtx, input) => {
    const { timezone, group_by: groups } = input;
    const zone = Zone.open(timezone);
    if (!zone) {
      throw new ServiceError("invalid_request", "`timezone` must be an IANA name such as Europe/Berlin.", {
        param: "timezone",
      });
    }
    const byHour = groups.includes("hour");
    const period = periodOf({ from: input.from, to: input.to, byHour }, zone, ctx.clock.now());
    const offsets = zone.offsetsBetween(period.fromMs, period.toMs);
    const { tenantId } = ctx.actor;
    const { channel, campaign } = input;
    const requested = { mode: modeOf(ctx.actor, input.mode), groups, channel, campaign };
    const query = { tenantId, ...requested, offsets, rowsMax: ROWS_MAX, ...period };
    const offsetTexts = offsets.map((span) => offsetText(span.offsetMinutes));
    const rows = await ctx.reportTurns.run(tenantId, () => sumReport(ctx.clickhouse, query, offsetTexts));
    if (rows.length > ROWS_MAX) {
      throw new ServiceError("invalid_request", `The report has more than ${ROWS_MAX} rows; group by less.`, {
        param: "group_by",
      });
    }
    const isFillKnown = period.fromMs > ctx.clock.now().getTime() - ctx.retentionRawDays * DAY_MS;
    return {
      from: new Date(period.fromMs).toISOString(),
      to: new Date(period.toMs).toISOString(),
      timezone,
      group_by: groups,
      currency: ctx.currency,
      rows: rows.map((row) => ({ ...keysOf(groups, row), ...toReportFigures(row.sums, isFillKnown) })),
      totals: toReportFigures(totalOf(rows.map((row) => row.sums)), isFillKnown),
    };
  },
});

/** The group fields of a row; unknown values are null, and an event without a traffic reason is `valid`. */
const keysOf = (groups: ReportGroup[], { keys }: SummedRow): Partial<Record<ReportGroup, string>> =>
  Object.fromEntries(groups.map((group, i) => [group, keys[i] || (group === "traffic" ? "valid" : null)]));
