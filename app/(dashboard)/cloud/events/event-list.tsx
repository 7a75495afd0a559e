"use client";

import { RadioReceiver } from "lucide-react";
import { formatDateTimeSeconds, formatRelativeTime } from "../../../format/dates";
import { useProjects } from "../../account/api-keys/use-projects";
import { Below, type Columns, IdBelow, PROJECT_COLUMN, RowOpener } from "../../components/data-table";
import { ANY, type Filter, namesOf } from "../../components/filters";
import { NounList } from "../../components/noun-list";
import { pagesEvery } from "../../components/pages";
import { useUrlParams } from "../../components/use-url-params";
import { kindChoices } from "../webhooks/kind-groups";
import { useKinds } from "../webhooks/use-kinds";
import { type Event, KIND, subjectText } from "./event";
import { EventDialog } from "./event-dialog";

const REFRESH_MS = 10_000;
const PAGE_ROWS = 50;

const COLUMNS: Columns<Event> = [
  {
    label: "Kind",
    cell: ({ id, type }) => (
      <>
        <RowOpener param="event" id={id}>
          {type}
        </RowOpener>
        <IdBelow id={id} />
      </>
    ),
  },
  { label: "Concerns", className: "min-w-28 max-w-72 break-words", cell: subjectText },
  PROJECT_COLUMN,
  {
    label: "Time",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ created_at }) => (
      <>
        {formatRelativeTime(created_at)}
        <Below>{formatDateTimeSeconds(created_at)}</Below>
      </>
    ),
  },
];

/** What happened, newest first; filters and the open event are in the address. */
export function EventList() {
  const { params, change } = useUrlParams();
  return (
    <>
      <NounList
        title="Events"
        description="What happened in this tenant in the last 30 days, as webhooks receive it. Changes of projects, members and limits concern both modes and are listed in live mode."
        noun="event"
        icon={RadioReceiver}
        about="Keys, campaigns, budgets, webhooks: their changes appear here as they happen, and are kept for 30 days."
        scopes="webhooks"
        useFilters={useEventFilters}
        pages={({ trpc, mode, filter }) =>
          trpc.listEvents.infiniteQueryOptions(
            { mode, type: filter("kind"), project: filter("project"), limit: PAGE_ROWS },
            pagesEvery(REFRESH_MS),
          )
        }
        columns={COLUMNS}
      />
      <EventDialog eventId={params.get("event") ?? ""} onClose={() => change({ event: "" }, "push")} />
    </>
  );
}

const useEventFilters = (): Filter[] => [
  {
    name: "kind",
    label: "Kind",
    all: "All kinds",
    choices: kindChoices(useKinds().data?.data ?? []),
    others: KIND,
  },
  { name: "project", label: "Project", all: "All projects", choices: namesOf(useProjects().projects), others: ANY },
];
