"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { cn } from "../../../../components/ui/cn";
import { EmptyState } from "../../../../components/ui/empty-state";
import { Link } from "../../../../components/ui/link";
import { Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { formatDateTimeSeconds } from "../../../../format/dates";
import { formatCount } from "../../../../format/numbers";
import { useTRPC } from "../../../../trpc/client";
import { refreshEvery } from "../../../../trpc/query-client";
import { nextCursor, PagedContent } from "../../../components/paged-content";
import { ROW_LINK_STYLE } from "../../../components/row-link-style";
import { useMode } from "../../../components/shell/mode";
import { useUrlParams } from "../../../components/use-url-params";
import type { ChatRequest } from "../wire";
import { RequestDialog } from "./request-dialog";
import { askedOf, filterOf, STATUS_TONES } from "./request-filter";
import { RequestFilters } from "./request-filters";

const REFRESH_MS = 10_000;
const PAGE_ROWS = 50;
const ALL = { status: "", model: "", key: "", range: "" };

/** The log, newest first; filters and the open request are in the address. */
export function ChatRequests() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const filter = filterOf(params);
  const query = useInfiniteQuery(
    trpc.listChatRequests.infiniteQueryOptions(
      { mode, ...askedOf(filter, new Date()), limit: PAGE_ROWS },
      {
        getNextPageParam: nextCursor,
        refetchInterval: refreshEvery(REFRESH_MS),
        placeholderData: (previous) => previous,
      },
    ),
  );
  const shown = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = Object.values(filter).some((value) => value !== "");
  return (
    <div className="space-y-4">
      <RequestFilters filter={filter} models={shown.map(({ model }) => model)} onChange={change} />
      <PagedContent
        query={query}
        empty={
          isFiltered ? (
            <EmptyState
              icon={MessagesSquare}
              title="No matching requests"
              action={
                <Button variant="outline" onClick={() => change(ALL)}>
                  Clear filters
                </Button>
              }
            >
              No request of {mode} mode matches these filters.
            </EmptyState>
          ) : (
            <EmptyState icon={MessagesSquare} title={`No chat requests in ${mode} mode yet`}>
              Requests of programs and of the playground appear here as they begin, and are kept for 30 days.{" "}
              <Link href="/docs/chat" className="underline underline-offset-2">
                How to send one
              </Link>
            </EmptyState>
          )
        }
      >
        {(requests) => (
          <div className={cn(query.isPlaceholderData && "opacity-60 transition-opacity")}>
            <RequestTable requests={requests} onOpen={(id) => change({ request: id }, "push")} />
          </div>
        )}
      </PagedContent>
      <RequestDialog requestId={params.get("request") ?? ""} onClose={() => change({ request: "" }, "push")} />
    </div>
  );
}

const COLUMNS = [
  { label: "Time" },
  { label: "Model" },
  { label: "Status" },
  { label: "Prompt tokens", numeric: true },
  { label: "Answer tokens", numeric: true },
  { label: "Latency", numeric: true, title: "To the end of the answer" },
];

const RequestTable = ({ requests, onOpen }: { requests: ChatRequest[]; onOpen: (id: string) => void }) => (
  <Table caption="Chat requests" columns={COLUMNS}>
    {requests.map(({ id, created_at, model, upstream, status, error_code, simulated, cached, ...figures }) => (
      <Row key={id}>
        <RowHeading className="whitespace-nowrap">
          <button type="button" className={`${ROW_LINK_STYLE} text-left`} onClick={() => onOpen(id)}>
            {formatDateTimeSeconds(created_at)}
          </button>
        </RowHeading>
        <Cell className="min-w-32 max-w-64 break-words">
          {model}
          {upstream && <span className="block text-muted-foreground text-xs">{upstream}</span>}
        </Cell>
        <Cell>
          <span className="flex flex-wrap gap-1">
            <Badge tone={STATUS_TONES[status]}>{status}</Badge>
            {simulated && <Badge tone="warn">simulated</Badge>}
            {cached && <Badge>cached</Badge>}
          </span>
          {error_code && <span className="block text-muted-foreground text-xs">{error_code}</span>}
        </Cell>
        <Cell numeric>{formatCount(figures.prompt_tokens)}</Cell>
        <Cell numeric>{formatCount(figures.completion_tokens)}</Cell>
        <Cell numeric className="whitespace-nowrap">
          {figures.total_ms === null ? "–" : `${formatCount(figures.total_ms)} ms`}
        </Cell>
      </Row>
    ))}
  </Table>
);
