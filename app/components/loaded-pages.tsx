"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { failureOf } from "../trpc/failure";
import { FailureAlert } from "./form/form";
import { Loaded } from "./loaded";
import { Button } from "./ui/button";

interface PagesOf<T> {
  pages: { data: T[]; next_cursor: string | null }[];
}

interface LoadedPagesProps<T> {
  query: UseInfiniteQueryResult<PagesOf<T>, unknown>;
  /** Stands in place of an empty list. */
  empty: ReactNode;
  children: (rows: T[]) => ReactNode;
}

/** A list that came page by page, with a button for the next one. */
export const LoadedPages = <T,>({ query, empty, children }: LoadedPagesProps<T>) => (
  <Loaded query={query}>
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
  </Loaded>
);

/** How a list finds its next page; undefined ends it. */
export const nextCursorOf = (page: { next_cursor: string | null }): string | undefined => page.next_cursor ?? undefined;
