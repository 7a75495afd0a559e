import { z } from "zod";
import { modeOf } from "../../identity/actors/actor";
import { ServiceError } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { offsetText, Zone } from "./local-time";
import { REPORT_GROUPS, type Report, type ReportGroup, toReportFigures, totalOf } from "./report";
import { type SummedRow, sumReport } from "./report.sql";
import { periodOf } from "./report-period";

const ROWS_MAX = 50_000;

const splitList = (asked: string | string[]): string[] => {
  const items = [asked].flat().flatMap((text) => text.split(","));
  return [...new Set(items.map((item) => item.trim()).filter(Boolean))];
};

export const GetReport = z.strictObject({
  from: z.string().max(40).optional().describe("Date or date-time; default: six days before the day of `to`"),
  to: z.string().max(40).optional().describe("Date or date-time, exclusive; default: now"),
  timezone: z.string().max(64).default("UTC").describe("IANA name; days and hours are local to it"),
  group_by: z
    .union([z.string().max(200), z.array(z.string().max(40)).max(20)])
    .default("")
    .transform(splitList)
    .pipe(z.array(z.enum(REPORT_GROUPS)))
    .describe(`A comma-separated list of ${REPORT_GROUPS.join(", ")}`),
  mode: z.enum(["test", "live"]).optional().describe("For people; a key reports on its own mode. Default: test"),
  format: z.enum(["json", "csv"]).default("json").describe("`csv` answers the rows, without totals, as text/csv"),
});

type ReportCtx = Pick<AdsCtx, "actor" | "clickhouse" | "clock" | "currency">;

/**
 * What the tenant's channels and campaigns did, from 15-minute sums; events appear within seconds.
 *
 * One row per combination of the groups that had any event, in the order of the groups; without groups one row.
 * Events of others' campaigns on the tenant's channels have the campaign `network` (`house` when they are house
 * offers) and no creative; the tenant's campaigns on others' channels have the channel `network`. A request has no
 * campaign, creative or traffic reason: grouped by those it stands in the row with `campaign: null`,
 * `creative: null`, `traffic: "valid"`, and so do the offers served under `traffic`. Each event counts at its own
 * time, so that an impression may fall into a later hour than its offer. `from` and `to` in the answer are the asked
 * ones widened to whole slots. Money is exact inside and rounded once per row and once for the totals; conversion
 * values are sums of what advertisers reported and only they see them.
 *
 * Throws `invalid_request` with `param` for an unknown time zone or time, more than 400 days (31 by hour), and more
 * than 50,000 rows.
 */
export async function getReport(ctx: ReportCtx, input: Omit<z.output<typeof GetReport>, "format">): Promise<Report> {
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
  const rows = await sumReport(
    ctx.clickhouse,
    {
      tenantId: ctx.actor.tenantId,
      mode: modeOf(ctx.actor, input.mode),
      groups,
      offsets,
      rowsMax: ROWS_MAX,
      ...period,
    },
    offsets.map((span) => offsetText(span.offsetMinutes)),
  );
  if (rows.length > ROWS_MAX) {
    throw new ServiceError("invalid_request", `The report has more than ${ROWS_MAX} rows; group by less.`, {
      param: "group_by",
    });
  }
  return {
    from: new Date(period.fromMs).toISOString(),
    to: new Date(period.toMs).toISOString(),
    timezone,
    group_by: groups,
    currency: ctx.currency,
    rows: rows.map((row) => ({ ...keysOf(groups, row), ...toReportFigures(row.sums) })),
    totals: toReportFigures(totalOf(rows.map((row) => row.sums))),
  };
}

/** The group fields of a row; what is unknown is null, and no reason against an event is `valid`. */
const keysOf = (groups: ReportGroup[], { keys }: SummedRow): Partial<Record<ReportGroup, string>> =>
  Object.fromEntries(groups.map((group, i) => [group, keys[i] || (group === "traffic" ? "valid" : null)]));
