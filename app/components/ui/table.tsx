import { ArrowDown, ArrowUp } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

export interface ColumnHeading {
  label: string;
  numeric?: boolean;
  /** Shown instead of the label, such as a checkbox for all rows. */
  control?: ReactNode;
  /** Explains the label on hover. */
  title?: string | undefined;
  /** The heading is a button that sorts by its column. */
  sort?: { order: "ascending" | "descending" | "none"; onSort: () => void };
}

interface TableProps {
  /** Names the table for screen readers. */
  caption: string;
  /** Column headings; an empty one is an actions column. */
  columns: readonly ColumnHeading[];
  children: ReactNode;
}

/** Inside a card the table is as wide as the card instead of being a second box. */
const WRAPPER = cn(
  "relative overflow-x-auto rounded-lg border bg-card",
  "in-[[data-card]]:-mx-4 in-[[data-card]]:rounded-none in-[[data-card]]:border-x-0 in-[[data-card]]:last:border-b-0 sm:in-[[data-card]]:-mx-6",
  "in-[[data-card]]:[&_tr>:first-child]:pl-4 sm:in-[[data-card]]:[&_tr>:first-child]:pl-6 sm:in-[[data-card]]:[&_tr>:last-child]:pr-6",
);

/** A table that scrolls sideways by itself; the wrapper takes the keyboard's focus so that it can. */
export const Table = ({ caption, columns, children }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1).
  <section className={WRAPPER} aria-label={caption} tabIndex={0}>
    <table className="w-full border-collapse text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead className="border-b bg-muted/60 text-left text-muted-foreground">
        <tr>
          {columns.map((column) => (
            <Heading key={column.label} {...column} />
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">{children}</tbody>
    </table>
  </section>
);

const Heading = ({ label, numeric, control, title, sort }: ColumnHeading) => (
  <th
    scope="col"
    title={title}
    aria-sort={sort && sort.order !== "none" ? sort.order : undefined}
    className={cn(
      "h-9 whitespace-nowrap px-3 font-medium sm:px-4",
      numeric && "text-right",
      label === "" && "sticky right-0 bg-[color-mix(in_oklab,var(--muted)_60%,var(--card))]",
    )}
  >
    {label === "" && <span className="sr-only">Actions</span>}
    {sort ? (
      <button
        type="button"
        onClick={sort.onSort}
        className={cn(
          "-mx-1.5 inline-flex items-center gap-1 rounded px-1.5 py-1 hover:text-foreground",
          numeric && "flex-row-reverse",
          sort.order !== "none" && "text-foreground",
        )}
      >
        {label}
        {sort.order === "ascending" && <ArrowUp aria-hidden className="size-3.5" />}
        {sort.order === "descending" && <ArrowDown aria-hidden className="size-3.5" />}
      </button>
    ) : (
      (control ?? label)
    )}
  </th>
);

/** What is scrolled under a cell that stays in sight must not show through. */
const HOVERED = "transition-colors group-hover/row:bg-[color-mix(in_oklab,var(--muted)_40%,var(--card))]";

export const Row = ({ className, ...props }: ComponentProps<"tr">) => (
  <tr className={cn("group/row transition-colors hover:bg-muted/40", className)} {...props} />
);

export const Cell = ({ className, numeric, ...props }: ComponentProps<"td"> & { numeric?: boolean }) => (
  <td
    className={cn("px-3 py-2 align-middle sm:px-4", numeric && "whitespace-nowrap text-right tabular-nums", className)}
    {...props}
  />
);

/** The last cell of a row, for its menu: in sight also where the table scrolls sideways. */
export const ActionsCell = ({ className, ...props }: ComponentProps<"td">) => (
  <td className={cn("sticky right-0 w-px bg-card px-2 py-1 text-right align-middle", HOVERED, className)} {...props} />
);

/** The cell that names its row. */
export const RowHeading = ({ className, ...props }: ComponentProps<"th">) => (
  <th
    scope="row"
    className={cn("min-w-28 px-3 py-2 text-left align-middle font-medium sm:px-4", className)}
    {...props}
  />
);
