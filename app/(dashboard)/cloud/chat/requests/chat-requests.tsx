"use client";

import { MessagesSquare } from "lucide-react";
import { Badge } from "../../../../components/ui/badge";
import { formatDateTimeSeconds } from "../../../../format/dates";
import { formatCount } from "../../../../format/numbers";
import { useQueryOf } from "../../../../trpc/use-operation";
import { Below, type Columns, RowOpener } from "../../../components/data-table";
import { ANY, chosenIn, type Filter, namesOf, statusFilter } from "../../../components/filters";
import { PagedList } from "../../../components/paged-list";
import { pagesEvery } from "../../../components/pages";
import { useMode } from "../../../components/shell/mode";
import { rangeFilter, startOfRange } from "../../../components/time-range";
import { useUrlParams } from "../../../components/use-url-params";
import type { ChatRequest } from "../wire";
import { RequestDialog } from "./request-dialog";

const REFRESH_MS = 10_000;
const PAGE_ROWS = 50;
const KEYS_MAX = 200;
const STATUSES = ["succeeded", "failed", "cancelled", "pending"] as const;
const STATUS_TONES = { succeeded: "good", failed: "bad", cancelled: "warn", pending: "neutral" } as const;

const COLUMNS: Columns<ChatRequest> = [
  {
    label: "Time",
    className: "whitespace-nowrap",
    cell: ({ id, created_at }) => (
      <RowOpener param="request" id={id}>
        {formatDateTimeSeconds(created_at)}
      </RowOpener>
    ),
  },
  {
    label: "Model",
    className: "min-w-32 max-w-64 break-words",
    cell: ({ model, upstream }) => (
      <>
        {model}
        <Below>{upstream}</Below>
      </>
    ),
  },
  { label: "Status", cell: (request) => <Status request={request} /> },
  { label: "Prompt tokens", numeric: true, cell: ({ prompt_tokens }) => formatCount(prompt_tokens) },
  { label: "Answer tokens", numeric: true, cell: ({ completion_tokens }) => formatCount(completion_tokens) },
  {
    label: "Latency",
    numeric: true,
    title: "To the end of the answer",
    cell: ({ total_ms }) => (total_ms === null ? "–" : `${formatCount(total_ms)} ms`),
  },
];

const Status = ({ request: { status, simulated, cached, error_code } }: { request: ChatRequest }) => (
  <>
    <span className="flex flex-wrap gap-1">
      <Badge tone={STATUS_TONES[status]}>{status}</Badge>
      {simulated && <Badge tone="warn">simulated</Badge>}
      {cached && <Badge>cached</Badge>}
    </span>
    <Below>{error_code}</Below>
  </>
);

/** The log, newest first; filters and the open request are in the address. */
export function ChatRequests() {
  const { params, change } = useUrlParams();
  return (
    <>
      <PagedList
        noun="chat request"
        icon={MessagesSquare}
        about="Requests of programs and of the playground appear here as they begin, and are kept for 30 days."
        docs="/docs/chat"
        scopes="gateway"
        useFilters={useRequestFilters}
        pages={({ trpc, mode, filter, params: asked, now }) =>
          trpc.listChatRequests.infiniteQueryOptions(
            {
              mode,
              status: chosenIn(asked, "status", STATUSES),
              model: filter("model"),
              key: filter("key"),
              from: startOfRange(asked, now),
              limit: PAGE_ROWS,
            },
            pagesEvery(REFRESH_MS),
          )
        }
        columns={COLUMNS}
      />
      <RequestDialog requestId={params.get("request") ?? ""} onClose={() => change({ request: "" }, "push")} />
    </>
  );
}

function useRequestFilters(): Filter[] {
  const { mode } = useMode();
  const keys = useQueryOf("listKeys", { mode, limit: KEYS_MAX }).data?.data ?? [];
  const offered = useQueryOf("listChatModels", { mode }).data?.data ?? [];
  // Also those that are no longer offered.
  const used = useQueryOf("getChatUsage", { mode, group_by: "model" }).data?.data ?? [];
  const models = [...new Set([...offered.map(({ id }) => id), ...used.map(({ model }) => model ?? "")])];
  return [
    statusFilter(STATUSES),
    {
      name: "model",
      label: "Model",
      all: "All models",
      choices: models
        .filter(Boolean)
        .toSorted()
        .map((model) => ({ value: model, label: model })),
      others: ANY,
    },
    { name: "key", label: "API key", all: "All, and the playground", choices: namesOf(keys), others: ANY },
    rangeFilter("In the last"),
  ];
}
