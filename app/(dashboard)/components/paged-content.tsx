import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FailureAlert } from "../../components/form/form";
import { QueryContent } from "../../components/query-content";
import { Button } from "../../components/ui/button";
import { cn } from "../../components/ui/cn";
import { failureOf } from "../../trpc/failure";
import type { Page } from "./pages";

interface PagedContentProps<T> {
  query: UseInfiniteQueryResult<{ pages: Page<T>[] }, unknown>;
  /** Shown for an empty list. */
  empty: ReactNode;
  children: (rows: T[]) => ReactNode;
}

/** A list loaded page by page, with a button for the next page; it is paler while rows of other filters load. */
export const PagedContent = <T,>({ query, empty, children }: PagedContentProps<T>) => (
  <QueryContent query={query}>
    {({ pages }) => {
      const rows = pages.flatMap(({ data }) => data);
      if (rows.length === 0) return empty;
      return (
        <div className={cn("space-y-4", query.isPlaceholderData && "opacity-60 transition-opacity")}>
          {children(rows)}
          <NextPage query={query} />
        </div>
      );
    }}
  </QueryContent>
);

interface NextPageProps {
  query: {
    error: unknown;
    isFetchNextPageError: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  label?: string;
}

/** A button that loads the next page, where there is one; above it why the last try failed. */
export const NextPage = ({ query, label = "Show more" }: NextPageProps) => (
  <>
    {query.isFetchNextPageError && <FailureAlert failure={failureOf(query.error)} />}
    {query.hasNextPage && (
      <Button variant="outline" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    )}
  </>
);
