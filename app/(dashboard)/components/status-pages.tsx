"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/ui/button";
import { cn } from "../../components/ui/cn";
import { EmptyState } from "../../components/ui/empty-state";
import { Link } from "../../components/ui/link";
import { PagedContent, type PagesOf } from "./paged-content";
import { useMode } from "./shell/mode";
import { StatusFilter } from "./status-filter";
import { useUrlParams } from "./use-url-params";

/** What a list contains, for its texts. */
export interface ListedNoun {
  /** Such as "pods". */
  plural: string;
  icon: LucideIcon;
  /** What one is, for a list without any. */
  about: string;
  docs: string;
}

interface StatusPagesProps<T> extends ListedNoun {
  query: UseInfiniteQueryResult<PagesOf<T>, unknown>;
  statuses: readonly string[];
  /** Of the address. */
  status: string | undefined;
  /** A button; false: the reader may not create one. */
  create: ReactNode;
  children: (rows: T[]) => ReactNode;
}

/** The status that the address selects; undefined: all. */
export function useChosenStatus<S extends string>(statuses: readonly S[]): S | undefined {
  const { params } = useUrlParams();
  return statuses.find((one) => one === params.get("status"));
}

/** A list of things with a status, by which it can be limited. */
export function StatusPages<T>({ query, statuses, status, create, children, ...noun }: StatusPagesProps<T>) {
  const { change } = useUrlParams();
  const isAny = query.data?.pages.some(({ data }) => data.length > 0);
  const empty =
    status === undefined ? (
      <NoneYet noun={noun} create={create} />
    ) : (
      <NoneWith noun={noun} status={status} onClear={() => change({ status: "" })} />
    );
  return (
    <div className="space-y-4">
      {(status !== undefined || isAny) && (
        <StatusFilter statuses={statuses} status={status} onChange={(chosen) => change({ status: chosen })} />
      )}
      <PagedContent query={query} empty={empty}>
        {(rows) => (
          <div className={cn(query.isPlaceholderData && "opacity-60 transition-opacity")}>{children(rows)}</div>
        )}
      </PagedContent>
    </div>
  );
}

function NoneYet({ noun: { plural, icon, about, docs }, create }: { noun: ListedNoun; create: ReactNode }) {
  const { mode } = useMode();
  return (
    <EmptyState icon={icon} title={`No ${plural} in ${mode} mode yet`} action={create}>
      {about}{" "}
      <Link href={docs} className="underline underline-offset-2">
        How {plural} work
      </Link>
    </EmptyState>
  );
}

interface NoneWithProps {
  noun: ListedNoun;
  status: string;
  onClear: () => void;
}

function NoneWith({ noun: { plural, icon }, status, onClear }: NoneWithProps) {
  const { mode } = useMode();
  const clear = (
    <Button variant="outline" onClick={onClear}>
      Clear filter
    </Button>
  );
  return (
    <EmptyState icon={icon} title={`No ${status} ${plural}`} action={clear}>
      No {plural} in {mode} mode have this status.
    </EmptyState>
  );
}
