import { Badge } from "../../../components/ui/badge";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatMonth } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
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
  <Table
    caption={caption}
    columns={[
      { label: "Month" },
      ...columns.map(({ label, title }) => ({ label, title, numeric: true })),
      { label: "Statement" },
    ]}
  >
    {months.map((month) => (
      <Row key={month.month}>
        <RowHeading className="whitespace-nowrap">
          <span className="flex flex-col items-start gap-1 sm:flex-row sm:items-center sm:gap-2">
            {formatMonth(month.month)}
            <Badge tone={STATES[month.state].tone}>{STATES[month.state].label}</Badge>
          </span>
        </RowHeading>
        {columns.map(({ label, of }) => (
          <Cell key={label} numeric>
            {formatMoney(of(month), month.currency)}
          </Cell>
        ))}
        <Cell>
          <DownloadStatement kind={kind} month={month.month} />
        </Cell>
      </Row>
    ))}
  </Table>
);
