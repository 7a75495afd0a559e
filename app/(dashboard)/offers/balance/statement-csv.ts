import { csvOf } from "../../../format/csv";
import type { EarningsStatement, SpendStatement } from "./statement";

type Cells = readonly string[];

/** One row per channel and a total; amounts are exact and in units of the currency, which is the last column. */
export const earningsCsv = (statement: EarningsStatement): string =>
  statementCsv(statement, {
    heading: ["Channel", "Channel ID", "Earned", "Clawed back", "Pending", "Available"],
    rows: statement.lines.map((line) => [
      line.channel_name ?? "Other channels",
      line.channel_id ?? "",
      ...earned(line),
    ]),
    totals: earned(statement.totals),
  });

const earned = ({ earned, clawed_back, pending, available }: EarningsStatement["totals"]): Cells => [
  earned,
  clawed_back,
  pending,
  available,
];

/** One row per campaign and a total; amounts are exact and in units of the currency, which is the last column. */
export const spendCsv = (statement: SpendStatement): string =>
  statementCsv(statement, {
    heading: ["Campaign", "Campaign ID", "Charged", "Reversed", "Spent", "Own channels (not paid)"],
    rows: statement.lines.map((line) => [
      line.campaign_name ?? "Other campaigns",
      line.campaign_id ?? "",
      ...spent(line),
    ]),
    totals: spent(statement.totals),
  });

const spent = ({ charged, reversed, spent, own_channels }: SpendStatement["totals"]): Cells => [
  charged,
  reversed,
  spent,
  own_channels,
];

interface Table {
  heading: Cells;
  rows: readonly Cells[];
  totals: Cells;
}

const statementCsv = (
  { month, currency }: { month: string; currency: string },
  { heading, rows, totals }: Table,
): string =>
  csvOf([
    ["Month (UTC)", ...heading, "Currency"],
    ...[...rows, ["Total", "", ...totals]].map((cells) => [month, ...cells, currency]),
  ]);
