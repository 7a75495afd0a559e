"use client";

import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { failureOf } from "../trpc/failure";
import { FailureAlert } from "./form/form";
import { Button } from "./ui/button";
import { LoadingRows } from "./ui/skeleton";

interface LoadedProps<T> {
  query: UseQueryResult<T, unknown> | UseInfiniteQueryResult<T, unknown>;
  loading?: ReactNode;
  children: (value: T) => ReactNode;
}

/** Asking again would bring the same answer. */
const LASTING = new Set(["not_found", "invalid_request", "forbidden"]);

/** A query's loading state, its failure with a way to retry, or what it brought. */
export function Loaded<T>({ query, loading, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    const failure = failureOf(query.error);
    return (
      <div className="space-y-3">
        <FailureAlert failure={failure} />
        {!LASTING.has(failure.code) && (
          <Button variant="outline" size="sm" pending={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        )}
      </div>
    );
  }
  return loading ?? <LoadingRows />;
}
