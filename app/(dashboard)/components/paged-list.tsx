import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { useTRPC } from "../../trpc/client";
import { type Columns, DataTable } from "./data-table";
import { type Filter, Filters, filterValue } from "./filters";
import { type ListTexts, NoMatch, NoneYet, pluralOf } from "./list-texts";
import { PagedContent } from "./paged-content";
import type { Page } from "./pages";
import { type ScopeFamily, useCanWrite } from "./shell/access";
import { type Mode, useMode } from "./shell/mode";
import { useUrlParams } from "./use-url-params";

/** What the query of a list may depend on. */
export interface ListContext {
  trpc: ReturnType<typeof useTRPC>;
  mode: Mode;
  /** The chosen value of a filter; undefined for all. */
  filter: (name: string) => string | undefined;
  /** Of the address. */
  params: Pick<URLSearchParams, "get">;
  /** The same until the filters change, so that a range of time that ends now is one query. */
  now: Date;
}

export type Keyed = { id: string } | { rid: string };

type Content<T> =
  | {
      /** Names the table for screen readers; default: the plural. */
      caption?: string;
      columns: Columns<T>;
      /** The menu of a row, for those who may change it. */
      menu?: (row: T) => ReactNode;
      children?: undefined;
    }
  /** What was loaded, other than as a table. */
  | { children: (rows: T[], hasMore: boolean) => ReactNode };

type PagesOptions<T, E, K extends QueryKey, P> = UseInfiniteQueryOptions<Page<T>, E, InfiniteData<Page<T>, P>, K, P>;

export type PagedListProps<T extends Keyed, E, K extends QueryKey, P> = ListTexts &
  Content<T> & {
    /** Of those who may change what is listed. */
    scopes: ScopeFamily;
    pages: (context: ListContext) => PagesOptions<T, E, K, P>;
    /** Returns what the list can be limited by. */
    useFilters?: () => readonly Filter[];
    /** What creates one, for a list without any. */
    create?: ReactNode;
  };

/** A list that is loaded page by page, with its filters, and with what is said while it loads, fails or is empty. */
export function PagedList<T extends Keyed, E, K extends QueryKey, P>(props: PagedListProps<T, E, K, P>) {
  const { mode } = useMode();
  // While a filter changes, the rows before it stay; those of the other mode must not.
  return <ListOfMode key={mode} {...props} />;
}

const NO_FILTERS: readonly Filter[] = [];
const useNoFilters = () => NO_FILTERS;

function ListOfMode<T extends Keyed, E, K extends QueryKey, P>(props: PagedListProps<T, E, K, P>) {
  const { pages, useFilters = useNoFilters } = props;
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const filters = useFilters();
  const chosen = new Map(filters.map((one) => [one.name, filterValue(one, params)]));
  const isFiltered = [...chosen.values()].some((value) => value !== undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new time for new filters.
  const now = useMemo(() => new Date(), [[...chosen.values()].join("&")]);
  const query = useInfiniteQuery(pages({ trpc, mode, filter: (name) => chosen.get(name), params, now }));
  const isEmpty = query.data?.pages.every(({ data }) => data.length === 0) ?? false;
  // A field may hold what it has not put into the address yet: it begins again.
  const [clears, setClears] = useState(0);
  const clear = () => {
    setClears(clears + 1);
    change(Object.fromEntries(filters.map(({ name }) => [name, ""])));
  };
  const list = (
    <PagedContent query={query} empty={isFiltered ? <NoMatch {...props} onClear={clear} /> : <NoneYet {...props} />}>
      {(rows) => <Rows {...props} rows={rows} hasMore={query.hasNextPage} />}
    </PagedContent>
  );
  if (filters.length === 0 || (isEmpty && !isFiltered)) return list;
  return (
    <div className="space-y-4">
      <Filters key={clears} filters={filters} />
      {list}
    </div>
  );
}

const keyOf = (row: Keyed): string => ("id" in row ? row.id : row.rid);

type RowsProps<T> = ListTexts & Content<T> & { scopes: ScopeFamily; rows: T[]; hasMore: boolean };

function Rows<T extends Keyed>(props: RowsProps<T>) {
  const { rows, hasMore, scopes } = props;
  const canWrite = useCanWrite(scopes);
  if (props.children) return props.children(rows, hasMore);
  const plural = pluralOf(props);
  const { caption = plural.charAt(0).toUpperCase() + plural.slice(1), columns, menu } = props;
  return <DataTable caption={caption} rows={rows} keyOf={keyOf} columns={columns} menu={canWrite ? menu : undefined} />;
}
