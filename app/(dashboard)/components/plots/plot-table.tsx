import type { ReactNode } from "react";
import { DataTable } from "../data-table";

interface PlotTableProps<P> {
  /** What opens the table. */
  summary: string;
  caption: string;
  /** Of the column with the times. */
  heading: string;
  /** In the order of the plot. */
  points: readonly P[];
  formatX: (x: string) => string;
  columns: readonly { label: string; title?: string; of: (point: P) => string }[];
  /** Below the table. */
  note?: ReactNode;
}

/** The figures of a plot as a table, the newest first, for those who open it. */
export const PlotTable = <P extends { x: string }>(props: PlotTableProps<P>) => (
  <details>
    <summary className="cursor-pointer text-sm">{props.summary}</summary>
    <div className="space-y-2 pt-3">
      <DataTable
        caption={props.caption}
        rows={props.points.toReversed()}
        keyOf={({ x }) => x}
        columns={[
          { label: props.heading, className: "whitespace-nowrap", cell: ({ x }) => props.formatX(x) },
          ...props.columns.map(({ of, ...heading }) => ({ ...heading, numeric: true, cell: of })),
        ]}
      />
      {props.note && <p className="text-muted-foreground text-xs">{props.note}</p>}
    </div>
  </details>
);
