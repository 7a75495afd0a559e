import type { Key, ReactNode } from "react";
import { cn } from "../../components/ui/cn";
import { Checkbox } from "../../components/ui/input";
import { Link } from "../../components/ui/link";
import { ActionsCell, Cell, type ColumnHeading, Row, RowHeading, Table } from "../../components/ui/table";
import { formatDateTime } from "../../format/dates";
import { useProjects } from "../account/api-keys/use-projects";
import { ROW_LINK_STYLE } from "./row-link-style";
import { useUrlParams } from "./use-url-params";

export interface Column<T> extends Pick<ColumnHeading, "label" | "numeric" | "title"> {
  /** Of the cells. */
  className?: string;
  cell: (row: T) => ReactNode;
  /** What its heading sorts by, if it is a button. */
  sortBy?: string;
}

/** How the rows of a table are sorted, and what a press on a heading does. */
interface Sorting {
  sort: string;
  order: "asc" | "desc";
  onSort: (sort: string) => void;
}

/** The first one names each row. */
export type Columns<T> = readonly [Column<T>, ...Column<T>[]];

/** Rows that are chosen by a checkbox each, and all of them by one in the heading. */
export interface Selection<T> {
  /** What a row is called, for screen readers. */
  nameOf: (row: T) => string;
  isChosen: (row: T) => boolean;
  /** Chooses a row, or no longer. */
  onToggle: (row: T) => void;
  /** Chooses all rows, or none. */
  onAll: (isChosen: boolean) => void;
}

interface DataTableProps<T> {
  /** Names the table for screen readers. */
  caption: string;
  rows: readonly T[];
  keyOf: (row: T) => Key;
  columns: Columns<T>;
  sorting?: Sorting;
  /** Absent where nothing can be done with several rows. */
  selection?: Selection<T> | undefined;
  /** The menu of a row; absent for those who may change none. */
  menu?: ((row: T) => ReactNode) | undefined;
}

const ACTIONS = { label: "" };

/** A table of things of one kind. */
export function DataTable<T>({ caption, rows, keyOf, columns, sorting, selection, menu }: DataTableProps<T>) {
  const [naming, ...others] = columns;
  const headings = columns.map((column) => headingOf(column, sorting));
  if (selection) headings.unshift({ label: "Select", control: <AllCheckbox rows={rows} selection={selection} /> });
  if (menu) headings.push(ACTIONS);
  return (
    <Table caption={caption} columns={headings}>
      {rows.map((row) => (
        <Row key={keyOf(row)}>
          {selection && (
            <Cell className="w-px pr-0 sm:pr-0">
              <Checkbox
                aria-label={`Select ${selection.nameOf(row)}`}
                className="block"
                checked={selection.isChosen(row)}
                onChange={() => selection.onToggle(row)}
              />
            </Cell>
          )}
          <RowHeading className={naming.className}>{naming.cell(row)}</RowHeading>
          {others.map(({ label, numeric = false, className, cell }) => (
            <Cell key={label} numeric={numeric} className={className}>
              {cell(row)}
            </Cell>
          ))}
          {menu && <ActionsCell>{menu(row)}</ActionsCell>}
        </Row>
      ))}
    </Table>
  );
}

function AllCheckbox<T>({ rows, selection }: { rows: readonly T[]; selection: Selection<T> }) {
  const isChosen = rows.every(selection.isChosen);
  return (
    <Checkbox
      aria-label="Select all shown"
      className="block"
      checked={isChosen}
      onChange={() => selection.onAll(!isChosen)}
    />
  );
}

const ORDERS = { asc: "ascending", desc: "descending" } as const;

function headingOf<T>({ label, numeric = false, title, sortBy }: Column<T>, sorting?: Sorting): ColumnHeading {
  const heading = { label, numeric, title };
  if (sortBy === undefined || sorting === undefined) return heading;
  const order = sorting.sort === sortBy ? ORDERS[sorting.order] : "none";
  return { ...heading, sort: { order, onSort: () => sorting.onSort(sortBy) } };
}

/** A second line of a cell, in small letters; nothing where it is empty. */
export const Below = ({ children, className }: { children: ReactNode; className?: string }) =>
  children ? (
    <span className={cn("block font-normal text-muted-foreground text-xs", className)}>{children}</span>
  ) : null;

/** The ID of a row below its name. */
export const IdBelow = ({ id }: { id: string }) => (
  <Below className="break-all font-mono sm:whitespace-nowrap">{id}</Below>
);

/** The name of a row that opens something on the same page. */
export const RowButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={`${ROW_LINK_STYLE} text-left`} onClick={onClick}>
    {children}
  </button>
);

interface OpenerProps {
  /** The parameter of the address that names what is open. */
  param: string;
  id: string;
  children: ReactNode;
}

/** The name of a row whose details are open while the address names it: a step in the browser's history. */
export function RowOpener({ param, id, children }: OpenerProps) {
  const { change } = useUrlParams();
  return <RowButton onClick={() => change({ [param]: id }, "push")}>{children}</RowButton>;
}

interface Named {
  id: string;
  name: string;
  project_id?: string | null;
}

/** The name of a row, which links to its page below `path`; below it its ID, or its project if there are several. */
export const nameColumn = (path: string, ...below: ("id" | "project")[]): Column<Named> => ({
  label: "Name",
  className: "min-w-40 max-w-80",
  cell: ({ id, name, project_id }) => (
    <>
      <Link href={`${path}/${id}`} className={`${ROW_LINK_STYLE} wrap-anywhere`}>
        {name}
      </Link>
      {below.includes("id") && <IdBelow id={id} />}
      {below.includes("project") && project_id && <ProjectBelow id={project_id} />}
    </>
  ),
});

function ProjectBelow({ id }: { id: string }) {
  const { projects, nameOf } = useProjects();
  return projects.length > 1 && <Below>{nameOf(id)}</Below>;
}

/** The name of a project; null means all of them. */
export function ProjectName({ id }: { id: string | null }) {
  const { nameOf } = useProjects();
  return id === null ? "All projects" : nameOf(id);
}

export const PROJECT_COLUMN: Column<{ project_id: string | null }> = {
  label: "Project",
  className: "min-w-24 break-words text-muted-foreground",
  cell: ({ project_id }) => <ProjectName id={project_id} />,
};

/** When something happened to a row; a dash for never. */
export const timeColumn = <T,>(label: string, at: (row: T) => string | null): Column<T> => ({
  label,
  className: "whitespace-nowrap text-muted-foreground",
  cell: (row) => textOf(at(row)),
});

const textOf = (at: string | null): string => (at === null ? "–" : formatDateTime(at));
