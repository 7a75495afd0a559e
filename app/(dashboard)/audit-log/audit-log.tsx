"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { Form } from "../../components/form/form";
import { LoadedPages, nextCursorOf } from "../../components/loaded-pages";
import { PageHeader } from "../../components/page-header";
import { NeedsScope } from "../../components/shell/access";
import { Button } from "../../components/ui/button";
import { cn } from "../../components/ui/cn";
import { Empty } from "../../components/ui/empty";
import { useAddress } from "../../components/use-address";
import { useTRPC } from "../../trpc/client";
import { failureOf } from "../../trpc/failure";
import { askedOf, choiceOf, isFiltered } from "./audit-choice";
import { AuditFilters } from "./audit-filters";
import { EntryList } from "./entry-list";
import { VerifyLog } from "./verify-log";

const REFRESH_MS = 15_000;
const PAGE_ROWS = 50;
const ALL = { action: "", actor: "", target: "", from: "", to: "" };

export const AuditLog = () => (
  <NeedsScope scope="audit:read" title="Audit log" what="who changed what, and when">
    <Log />
  </NeedsScope>
);

/** Every change, newest first; the filters live in the address. */
function Log() {
  const trpc = useTRPC();
  const { params, change } = useAddress();
  const choice = choiceOf(params);
  const query = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      { ...askedOf(choice), limit: PAGE_ROWS },
      {
        getNextPageParam: nextCursorOf,
        // What was refused once is refused again, and would take the focus each time.
        refetchInterval: ({ state }) => (state.error ? false : REFRESH_MS),
        placeholderData: (previous) => previous,
      },
    ),
  );
  const newest = query.data?.pages[0]?.data[0]?.sequence;
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed what in this tenant, when and from where. Entries can be neither changed nor removed."
      />
      <div className="space-y-5">
        <VerifyLog entries={isFiltered(choice) ? undefined : newest} />
        <Form error={refusedFieldOf(query.error)} onSubmit={() => undefined}>
          <AuditFilters choice={choice} onChange={change} />
        </Form>
        <LoadedPages
          query={query}
          empty={
            isFiltered(choice) ? (
              <Empty
                icon={ScrollText}
                title="No entry matches"
                action={
                  <Button variant="outline" onClick={() => change(ALL)}>
                    Show everything
                  </Button>
                }
              >
                Nothing of this kind happened in this time.
              </Empty>
            ) : (
              <Empty icon={ScrollText} title="Nothing was changed yet">
                Log-ins, keys, channels, campaigns and members: each change appears here the moment it is made.
              </Empty>
            )
          }
        >
          {(entries) => (
            <div className={cn(query.isPlaceholderData && "opacity-60 transition-opacity")}>
              <EntryList entries={entries} onChoose={change} />
            </div>
          )}
        </LoadedPages>
      </div>
    </>
  );
}

/** A failure that a filter can show; any other one stands in place of the list alone. */
const refusedFieldOf = (error: unknown): unknown => (error && failureOf(error).fields.length > 0 ? error : null);
