"use client";

import type { ReactNode } from "react";
import { Link } from "../../components/ui/link";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../components/ui/table";
import { useProjects } from "../account/api-keys/use-projects";
import { ROW_LINK_STYLE } from "./row-link-style";

/** A column beside the one of the names. */
export interface NounColumn<T> {
  label: string;
  numeric?: boolean;
  /** Explains the label on hover. */
  title?: string;
  /** Of the cells. */
  className?: string;
  /** `projectOf` has the name of a project. */
  cell: (row: T, projectOf: (id: string) => string) => ReactNode;
}

interface NounTableProps<T> {
  /** Names the table for screen readers. */
  caption: string;
  rows: T[];
  /** The page of one. */
  href: (row: T) => string;
  columns: readonly NounColumn<T>[];
  /** Shows below each name its project, if the tenant has several. */
  showsProject?: boolean;
  /** Shows below each name its ID. */
  showsId?: boolean;
  /** The menu of one; absent for those who may change none. */
  menu?: ((row: T) => ReactNode) | undefined;
}

interface Named {
  id: string;
  name: string;
  project_id?: string | null;
}

const ACTIONS = { label: "" };

/** A table of things with names, which link to their pages. */
export function NounTable<T extends Named>({ caption, rows, columns, menu, ...names }: NounTableProps<T>) {
  const { projects, nameOf } = useProjects();
  const headings = [{ label: "Name" }, ...columns.map(headingOf), ...(menu ? [ACTIONS] : [])];
  return (
    <Table caption={caption} columns={headings}>
      {rows.map((row) => (
        <Row key={row.id}>
          <NameCell row={row} projectOf={projects.length > 1 ? nameOf : undefined} {...names} />
          {columns.map(({ label, numeric = false, className, cell }) => (
            <Cell key={label} numeric={numeric} className={className}>
              {cell(row, nameOf)}
            </Cell>
          ))}
          {menu && <ActionsCell>{menu(row)}</ActionsCell>}
        </Row>
      ))}
    </Table>
  );
}

const headingOf = <T,>({ label, numeric = false, title }: NounColumn<T>) => ({ label, numeric, title });

interface NameCellProps<T> extends Pick<NounTableProps<T>, "href" | "showsProject" | "showsId"> {
  row: T;
  projectOf: ((id: string) => string) | undefined;
}

const NameCell = <T extends Named>({ row, href, showsProject, showsId, projectOf }: NameCellProps<T>) => (
  <RowHeading className="min-w-40 max-w-80">
    <Link href={href(row)} className={`${ROW_LINK_STYLE} wrap-anywhere`}>
      {row.name}
    </Link>
    {showsId && (
      <span className="block break-all font-mono font-normal text-muted-foreground text-xs sm:whitespace-nowrap">
        {row.id}
      </span>
    )}
    {showsProject && row.project_id && projectOf && (
      <span className="block font-normal text-muted-foreground text-xs">{projectOf(row.project_id)}</span>
    )}
  </RowHeading>
);
