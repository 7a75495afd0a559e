import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { type Report, toReportFigures } from "./report";
import { reportCsv } from "./report-csv";

const figures = toReportFigures({
  requests: 10n,
  filled: 5n,
  served: 8n,
  impressions: 4n,
  clicks: 1n,
  invalid_impressions: 2n,
  invalid_clicks: 0n,
  spend_nanos: 1_500_000n,
  earnings_nanos: 0n,
  conversions: 0n,
  conversion_value_micros: 0n,
  unverified_conversions: 0n,
  unverified_conversion_value_micros: 0n,
});

const reportOf = (rows: Report["rows"], group_by: Report["group_by"]): Report => ({
  from: "2026-11-20T00:00:00.000Z",
  to: "2026-11-21T00:00:00.000Z",
  timezone: "UTC",
  group_by,
  currency: "USD",
  rows,
  totals: figures,
});

test("parses back to the rows of the report", () => {
  const report = reportOf([{ day: "2026-11-20", geo: null, ...figures }], ["geo", "day"]);
  expect(parse(reportCsv(report), { columns: true })).toEqual([
    {
      day: "2026-11-20",
      geo: "",
      requests: "10",
      filled: "5",
      fill_rate: "0.5",
      served: "8",
      impressions: "4",
      viewable_rate: "0.5",
      clicks: "1",
      invalid_impressions: "2",
      invalid_clicks: "0",
      ctr: "0.25",
      spend_micros: "1500",
      earnings_micros: "0",
      conversions: "0",
      conversion_value_micros: "0",
      unverified_conversions: "0",
      unverified_conversion_value_micros: "0",
      currency: "USD",
    },
  ]);
});

test("keeps text that looks like a formula or contains quotes as text", () => {
  const report = reportOf(
    [
      { placement: "=HYPERLINK(1)", ...figures },
      { placement: '-a,"b"', ...figures },
    ],
    ["placement"],
  );
  const rows = parse(reportCsv(report), { columns: true }) as { placement: string }[];
  expect(rows.map(({ placement }) => placement)).toEqual(["'=HYPERLINK(1)", `'-a,"b"`]);
});

test("a report without rows is only the header", () => {
  expect(reportCsv(reportOf([], ["day"])).split("\r\n")).toHaveLength(2);
});
