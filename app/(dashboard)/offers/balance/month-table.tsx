import { Badge } from "../../../components/ui/badge";
import { formatMonth } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { DataTable } from "../../components/data-table";
import { DownloadStatement } from "./download-statement";
import type { Kind, StatementMonth } from "./statement";

export interface MonthColumn {
  label: string;
  title?: string;
  of: (month: StatementMonth) => number;
}

interface MonthTableProps {
  kind: Kind;
  caption: string;
  months: readonly StatementMonth[];
  columns: readonly MonthColumn[];
}

const STATES = {
  open: { tone: "accent", label: "So far" },
  pending: { tone: "warn", label: "Pending" },
  final: { tone: "neutral", label: "Final" },
} as const;

/** A row for each month, with its statement to download. */
export const MonthTable = ({ kind, caption, months, columns }: MonthTableProps) => (
  <DataTable
    caption={caption}
    rows={months}
    keyOf={({ month }) => month}
    columns={[
      {
        label: "Month",
        className: "whitespace-nowrap",
        cell: ({ month, state }) => (
          <span className="flex flex-col items-start gap-1 sm:flex-row sm:items-center sm:gap-2">
            {formatMonth(month)}
            <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
          </span>
        ),
      },
      ...columns.map(({ of, ...heading }) => ({
        ...heading,
        numeric: true,
        cell: (month: StatementMonth) => formatMoney(of(month), month.currency),
      })),
      { label: "Statement", cell: ({ month }) => <DownloadStatement kind={kind} month={month} /> },
    ]}
  />
);
