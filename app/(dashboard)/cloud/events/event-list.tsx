"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { RadioReceiver } from "lucide-react";
import { Button } from "../../../components/ui/button";
import { cn } from "../../../components/ui/cn";
import { EmptyState } from "../../../components/ui/empty-state";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTimeSeconds, formatRelativeTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { RequireScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { type Event, kindIn, subjectText } from "./event";
import { EventDialog } from "./event-dialog";
import { EventFilters } from "./event-filters";

const REFRESH_MS = 10_000;
const PAGE_ROWS = 50;
const ALL = { kind: "", project: "" };

export const EventList = () => (
  <RequireScope scope="webhooks:read" title="Events" what="the events">
    <Events />
  </RequireScope>
);

/** What happened, newest first; filters and the open event are in the URL. */
function Events() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const kind = kindIn(params.get("kind"));
  const project = params.get("project") ?? "";
  const query = useInfiniteQuery(
    trpc.listEvents.infiniteQueryOptions(
      { mode, ...(kind && { type: kind }), ...(project && { project }), limit: PAGE_ROWS },
      { getNextPageParam: nextCursor, refetchInterval: REFRESH_MS, placeholderData: (previous) => previous },
    ),
  );
  return (
    <>
      <PageHeader
        title="Events"
        description="What happened in this tenant in the last 30 days, as webhooks receive it. Changes of projects, members and limits concern both modes and are listed in live mode."
      />
      <div className="space-y-4">
        <EventFilters kind={kind} project={project} onChange={change} />
        <PagedContent
          query={query}
          empty={
            kind || project ? (
              <EmptyState
                icon={RadioReceiver}
                title="No matching events"
                action={
                  <Button variant="outline" onClick={() => change(ALL)}>
                    Clear filters
                  </Button>
                }
              >
                No event of {mode} mode matches these filters.
              </EmptyState>
            ) : (
              <EmptyState icon={RadioReceiver} title={`No events in ${mode} mode yet`}>
                Keys, campaigns, budgets, webhooks: their changes appear here as they happen, and are kept for 30 days.
              </EmptyState>
            )
          }
        >
          {(events) => (
            <div className={cn(query.isPlaceholderData && "opacity-60 transition-opacity")}>
              <EventTable events={events} onOpen={(id) => change({ event: id }, "push")} />
            </div>
          )}
        </PagedContent>
      </div>
      <EventDialog eventId={params.get("event") ?? ""} onClose={() => change({ event: "" }, "push")} />
    </>
  );
}

const COLUMNS = [{ label: "Kind" }, { label: "Concerns" }, { label: "Project" }, { label: "Time" }];

function EventTable({ events, onOpen }: { events: Event[]; onOpen: (id: string) => void }) {
  const { nameOf } = useProjects();
  return (
    <Table caption="Events" columns={COLUMNS}>
      {events.map((event) => (
        <Row key={event.id}>
          <RowHeading>
            <button type="button" className={`${ROW_LINK_STYLE} text-left`} onClick={() => onOpen(event.id)}>
              {event.type}
            </button>
            <span className="block whitespace-nowrap font-mono font-normal text-muted-foreground text-xs">
              {event.id}
            </span>
          </RowHeading>
          <Cell className="min-w-28 max-w-72 break-words">{subjectText(event)}</Cell>
          <Cell className="text-muted-foreground">
            {event.project_id === null ? "whole tenant" : nameOf(event.project_id)}
          </Cell>
          <Cell className="whitespace-nowrap text-muted-foreground">
            {formatRelativeTime(event.created_at)}
            <span className="block text-xs">{formatDateTimeSeconds(event.created_at)}</span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
