"use client";

import { RadioTower } from "lucide-react";
import { browserTimezone, dayOf, daysBefore } from "../../../format/dates";
import { formatCount } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";
import { useQueryOf } from "../../../trpc/use-operation";
import { type Columns, nameColumn, timeColumn } from "../../components/data-table";
import { NounList } from "../../components/noun-list";
import { PAGES } from "../../components/pages";
import { useMode } from "../../components/shell/mode";
import { ChannelMenu } from "./channel-menu";
import { CreateChannelDialog } from "./create-channel-dialog";

type Channel = Outputs["listChannels"]["data"][number];

const WEEK_DAYS = 7;
const REFRESH_MS = 15_000;

const COLUMNS: Columns<Channel> = [
  nameColumn("/offers/channels"),
  { label: "Origins", cell: ({ origins }) => <Summary of={origins} none="none: server keys only" /> },
  { label: "Categories", cell: ({ categories }) => <Summary of={categories} none="all" /> },
  { label: "Requests, 7 days", numeric: true, cell: ({ id }) => <WeekFigure of={id} figure="requests" /> },
  { label: "Impressions, 7 days", numeric: true, cell: ({ id }) => <WeekFigure of={id} figure="impressions" /> },
  timeColumn("Created", ({ created_at }) => created_at),
];

export const ChannelList = () => (
  <NounList
    title="Channels"
    description="A channel is one place where offers appear: a site, an app, a chat."
    noun="channel"
    icon={RadioTower}
    about="Create a channel, give it a key, and paste the snippet into your page to show the first offers."
    scopes="ads"
    pages={({ trpc, mode }) => trpc.listChannels.infiniteQueryOptions({ mode }, PAGES)}
    columns={COLUMNS}
    menu={({ id, name }) => <ChannelMenu id={id} name={name} />}
    dialog={(state) => <CreateChannelDialog {...state} />}
  />
);

/** The first of several texts, and how many others there are. */
const Summary = ({ of: texts, none }: { of: string[]; none: string }) => (
  <span className="block max-w-64 truncate text-muted-foreground" title={texts.join(", ")}>
    {summaryOf(texts, none)}
  </span>
);

/** A channel's figure of the last seven days; a dash while it is not known. */
function WeekFigure({ of, figure }: { of: string; figure: "requests" | "impressions" }) {
  const { mode } = useMode();
  const timezone = browserTimezone();
  const from = daysBefore(dayOf(new Date(), timezone), WEEK_DAYS - 1);
  const { data } = useQueryOf(
    "getReport",
    { mode, timezone, from, group_by: "channel" },
    { refetchInterval: REFRESH_MS },
  );
  return data ? formatCount(data.rows.find(({ channel }) => channel === of)?.[figure] ?? 0) : "–";
}

const summaryOf = ([first, ...rest]: string[], none: string): string =>
  first === undefined ? none : rest.length === 0 ? first : `${first} +${rest.length}`;
