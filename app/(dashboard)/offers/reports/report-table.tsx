import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { changeText } from "../../../format/numbers";
import { titleOf } from "./report-csv";
import { type Figure, formatFigure, type Sums } from "./report-figures";
import { type Group, isTime, keyOf, type ReportChoice, type ReportRow, type Sorting } from "./report-view";

const ROWS_STEP = 100;

interface ReportTableProps {
  /** In the order of the table. */
  rows: readonly ReportRow[];
  totals: Sums;
  currency: string;
  choice: ReportChoice;
  nameOf: (row: ReportRow, group: Group) => string;
  before: Before | undefined;
  onSort: (sort: string) => void;
}

/** The figures of the period before. */
export interface Before {
  totals: Sums;
  /** undefined where rows cannot be matched. */
  of: ((row: ReportRow) => Sums | undefined) | undefined;
}

export function ReportTable({ rows, totals, currency, choice, nameOf, before, onSort }: ReportTableProps) {
  const [shown, setShown] = useState(ROWS_STEP);
  const { groups, columns, sorting } = choice;
  const sortBy = (key: string) => ({
    order: orderOf(key, sorting),
    onSort: () => onSort(nextSort(key, sorting)),
  });
  const headings = [
    { label: groups.map(titleOf).join(" / "), sort: sortBy("name") },
    ...columns.map(({ key, label, meaning }) => ({ label, numeric: true, title: meaning, sort: sortBy(key) })),
  ];
  return (
    <div className={`space-y-4 ${PINNED}`}>
      <Table caption={`Figures by ${groups.join(", ")}`} columns={headings}>
        {rows.slice(0, shown).map((row) => (
          <Row key={keyOf(row, groups)}>
            <NameCell row={row} groups={groups} nameOf={nameOf} />
            <FigureCells columns={columns} currency={currency} figures={row} before={before?.of?.(row)} />
          </Row>
        ))}
        <Row className="border-t-2 bg-muted/40">
          <RowHeading>Total</RowHeading>
          <FigureCells columns={columns} currency={currency} figures={totals} before={before?.totals} />
        </Row>
      </Table>
      {rows.length > shown && (
        <Button variant="outline" onClick={() => setShown(shown + ROWS_STEP)}>
          Show more of {rows.length} rows
        </Button>
      )}
    </div>
  );
}

/** Many figures are wider than most windows: what a row is called stays in sight while they pass. */
const PINNED =
  "[&_th:first-child]:sticky [&_th:first-child]:left-0 [&_tbody_th]:bg-card [&_thead_th:first-child]:bg-muted [&_tbody_tr:last-child_th]:bg-muted";

const orderOf = (key: string, sorting: Sorting | undefined) => {
  if (sorting?.key !== key) return "none" as const;
  return sorting.isDescending ? ("descending" as const) : ("ascending" as const);
};

/** The largest figures first, names from A; again for the reverse. */
function nextSort(key: string, sorting: Sorting | undefined): string {
  const isDescending = sorting?.key === key ? !sorting.isDescending : key !== "name";
  return isDescending ? `-${key}` : key;
}

type NameCellProps = Pick<ReportTableProps, "nameOf"> & { row: ReportRow; groups: readonly Group[] };

/** What a row is called: its first group, and the others below. */
function NameCell({ row, groups, nameOf }: NameCellProps) {
  const [first = "day", ...others] = groups;
  const details = others.map((group) => nameOf(row, group));
  if (first === "creative" && row.creative && !groups.includes("campaign")) details.push(nameOf(row, "campaign"));
  const name = nameOf(row, first);
  return (
    <RowHeading className={isTime(first) ? "min-w-24 whitespace-nowrap" : "max-w-36 sm:max-w-52"}>
      <span className="line-clamp-2 break-words" title={name}>
        {name}
      </span>
      {details.map((detail) => (
        <span
          key={detail}
          title={detail}
          className="block max-w-32 truncate font-normal text-muted-foreground text-xs sm:max-w-52"
        >
          {detail}
        </span>
      ))}
    </RowHeading>
  );
}

interface FigureCellsProps {
  figures: Sums;
  columns: readonly Figure[];
  currency: string;
  before: Sums | undefined;
}

const FigureCells = ({ figures, columns, currency, before }: FigureCellsProps) =>
  columns.map((figure) => (
    <Cell key={figure.key} numeric>
      {formatFigure(figure.of(figures), figure.kind, currency)}
      {before && <Change figure={figure} figures={figures} before={before} currency={currency} />}
    </Cell>
  ));

type ChangeProps = Pick<FigureCellsProps, "figures" | "currency"> & { figure: Figure; before: Sums };

/** "+12%" against the period before, with its figure on hover. */
function Change({ figure, figures, before, currency }: ChangeProps) {
  const [now, then] = [figure.of(figures), figure.of(before)];
  const text = now === null || then === null ? undefined : changeText(now, then);
  return (
    <span
      className="block whitespace-nowrap text-muted-foreground text-xs"
      title={`${formatFigure(then, figure.kind, currency)} in the period before`}
    >
      {text ?? "–"}
    </span>
  );
}
