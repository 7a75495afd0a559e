"use client";

import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import {
  FIGURES,
  type Figure,
  formatFigure,
  type Group,
  isTime,
  keyOf,
  type Report,
  type ReportRow,
} from "./report-view";

const ROWS_STEP = 100;

interface ReportTableProps {
  report: Report;
  group: Group;
  /** What the rows are ordered by, the largest first; time keeps its order. */
  figure: Figure;
  nameOf: (row: ReportRow, group: Group) => string;
}

export function ReportTable({ report, group, figure, nameOf }: ReportTableProps) {
  const [shown, setShown] = useState(ROWS_STEP);
  const rows = isTime(group)
    ? report.rows
    : report.rows.toSorted((a, b) => (b[figure.key] ?? 0) - (a[figure.key] ?? 0));
  const columns = [{ label: titleOf(group) }, ...FIGURES.map(({ label }) => ({ label, numeric: true }))];
  return (
    <div className={`space-y-4 ${PINNED}`}>
      <Table caption={`Figures by ${group}`} columns={columns}>
        {rows.slice(0, shown).map((row) => (
          <Row key={keyOf(row, group)}>
            <RowHeading className={isTime(group) ? "whitespace-nowrap" : "max-w-36 sm:max-w-52"}>
              <span className="line-clamp-2 break-words" title={nameOf(row, group)}>
                {nameOf(row, group)}
              </span>
              {group === "creative" && row.creative && (
                <span className="block truncate font-normal text-muted-foreground text-xs">
                  {nameOf(row, "campaign")}
                </span>
              )}
            </RowHeading>
            <FigureCells figures={row} currency={report.currency} />
          </Row>
        ))}
        <Row className="border-t-2 bg-muted/40">
          <RowHeading>Total</RowHeading>
          <FigureCells figures={report.totals} currency={report.currency} />
        </Row>
      </Table>
      {report.rows.length > shown && (
        <Button variant="outline" onClick={() => setShown(shown + ROWS_STEP)}>
          Show more of {report.rows.length} rows
        </Button>
      )}
    </div>
  );
}

/** Twelve figures are wider than most windows: what a row is called stays in sight while they pass. */
const PINNED =
  "[&_th:first-child]:sticky [&_th:first-child]:left-0 [&_tbody_th]:bg-card [&_thead_th:first-child]:bg-muted [&_tbody_tr:last-child_th]:bg-muted";

const FigureCells = ({ figures, currency }: { figures: Report["totals"]; currency: string }) =>
  FIGURES.map(({ key, kind }) => (
    <Cell key={key} numeric>
      {formatFigure(figures[key], kind, currency)}
    </Cell>
  ));

const titleOf = (group: Group): string => group.charAt(0).toUpperCase() + group.slice(1);
