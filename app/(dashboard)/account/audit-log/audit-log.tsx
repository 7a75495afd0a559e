"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { Form } from "../../../components/form/form";
import { Button } from "../../../components/ui/button";
import { cn } from "../../../components/ui/cn";
import { EmptyState } from "../../../components/ui/empty-state";
import { useTRPC } from "../../../trpc/client";
import { failureOf } from "../../../trpc/failure";
import { refreshEvery } from "../../../trpc/query-client";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { RequireScope } from "../../components/shell/access";
import { useUrlParams } from "../../components/use-url-params";
import { isFiltered, parseFilter, toListInput } from "./audit-filter";
import { AuditFilters } from "./audit-filters";
import { EntryList } from "./entry-list";
import { VerifyLog } from "./verify-log";

const REFRESH_MS = 15_000;
const PAGE_ROWS = 50;
const ALL = { action: "", actor: "", target: "", from: "", to: "" };

export const AuditLog = () => (
  <RequireScope scope="audit:read" title="Audit log" what="who changed what, and when">
    <Log />
  </RequireScope>
);

/** Every change, newest first; the filters are in the URL. */
function Log() {
  const trpc = useTRPC();
  const { params, change } = useUrlParams();
  const choice = parseFilter(params);
  const query = useInfiniteQuery(
    trpc.listAudit.infiniteQueryOptions(
      { ...toListInput(choice), limit: PAGE_ROWS },
      {
        getNextPageParam: nextCursor,
        // A rejected request would be rejected again, and would move the focus each time.
        refetchInterval: refreshEvery(REFRESH_MS),
        placeholderData: (previous) => previous,
      },
    ),
  );
  const newest = query.data?.pages[0]?.data[0]?.sequence;
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed what in this tenant, when and from where. Entries cannot be changed or removed."
      />
      <div className="space-y-5">
        <VerifyLog entries={isFiltered(choice) ? undefined : newest} />
        <Form error={fieldErrorOnly(query.error)} onSubmit={() => undefined}>
          <AuditFilters choice={choice} onChange={change} />
        </Form>
        <PagedContent
          query={query}
          empty={
            isFiltered(choice) ? (
              <EmptyState
                icon={ScrollText}
                title="No matching entries"
                action={
                  <Button variant="outline" onClick={() => change(ALL)}>
                    Clear filters
                  </Button>
                }
              >
                No entries match these filters.
              </EmptyState>
            ) : (
              <EmptyState icon={ScrollText} title="No changes yet">
                Logins, keys, channels, campaigns and members: every change appears here immediately.
              </EmptyState>
            )
          }
        >
          {(entries) => (
            <div className={cn(query.isPlaceholderData && "opacity-60 transition-opacity")}>
              <EntryList entries={entries} onChoose={change} />
            </div>
          )}
        </PagedContent>
      </div>
    </>
  );
}

/** An error that a filter field can show; any other error replaces the list. */
const fieldErrorOnly = (error: unknown): unknown => (error && failureOf(error).fields.length > 0 ? error : null);
