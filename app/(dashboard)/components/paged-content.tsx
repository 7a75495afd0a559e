"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FailureAlert } from "../../components/form/form";
import { QueryContent } from "../../components/query-content";
import { Button } from "../../components/ui/button";
import { failureOf } from "../../trpc/failure";

export interface PagesOf<T> {
  pages: { data: T[]; next_cursor: string | null }[];
}

interface PagedContentProps<T> {
  query: UseInfiniteQueryResult<PagesOf<T>, unknown>;
  /** Shown for an empty list. */
  empty: ReactNode;
  children: (rows: T[]) => ReactNode;
}

/** A list loaded page by page, with a button for the next page. */
export const PagedContent = <T,>({ query, empty, children }: PagedContentProps<T>) => (
  <QueryContent query={query}>
    {({ pages }) => {
      const rows = pages.flatMap(({ data }) => data);
      if (rows.length === 0) return empty;
      return (
        <div className="space-y-4">
          {children(rows)}
          {query.isFetchNextPageError && <FailureAlert failure={failureOf(query.error)} />}
          {query.hasNextPage && (
            <Button variant="outline" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          )}
        </div>
      );
    }}
  </QueryContent>
);

/** The cursor of the next page; undefined on the last one. */
export const nextCursor = (page: { next_cursor: string | null }): string | undefined => page.next_cursor ?? undefined;
