import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { failureOf } from "../trpc/failure";
import { FailureAlert } from "./form/form";
import { Button } from "./ui/button";
import { Section } from "./ui/card";
import { LoadingRows } from "./ui/skeleton";

interface QueryContentProps<T> {
  query: UseQueryResult<T, unknown> | UseInfiniteQueryResult<T, unknown>;
  loading?: ReactNode;
  children: (value: T) => ReactNode;
}

/** Codes for which a retry would fail the same way. */
const PERMANENT_CODES = new Set(["not_found", "invalid_request", "forbidden"]);

/** Renders a query: its loading state, its error with a retry button, or its data. */
export function QueryContent<T>({ query, loading, children }: QueryContentProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    const failure = failureOf(query.error);
    return (
      <div className="space-y-3">
        <FailureAlert failure={failure} />
        {!PERMANENT_CODES.has(failure.code) && (
          <Button variant="outline" size="sm" pending={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        )}
      </div>
    );
  }
  return loading ?? <LoadingRows />;
}

type QuerySectionProps<T> = QueryContentProps<T> & Omit<ComponentProps<typeof Section>, "children">;

/** A section that shows what a query returns. */
export const QuerySection = <T,>({ query, loading, children, ...section }: QuerySectionProps<T>) => (
  <Section {...section}>
    <QueryContent query={query} loading={loading}>
      {children}
    </QueryContent>
  </Section>
);
