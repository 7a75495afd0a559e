"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { RadioTower } from "lucide-react";
import { browserTimezone, dayOf, daysBefore, formatDateTime } from "../../../format/dates";
import { formatCount } from "../../../format/numbers";
import { type Outputs, useTRPC } from "../../../trpc/client";
import { NounList } from "../../components/noun-list";
import { type NounColumn, NounTable } from "../../components/noun-table";
import { nextCursor } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
import { ChannelMenu } from "./channel-menu";
import { CreateChannelDialog } from "./create-channel-dialog";

type Channel = Outputs["listChannels"]["data"][number];

const WEEK_DAYS = 7;
const REFRESH_MS = 15_000;

export const ChannelList = () => (
  <NounList
    title="Channels"
    description="A channel is one place where offers appear: a site, an app, a chat."
    noun="channel"
    icon={RadioTower}
    about="Create a channel, give it a key, and paste the snippet into your page to show the first offers."
    scopes="ads"
    usePages={useChannels}
    dialog={(state) => <CreateChannelDialog {...state} />}
  >
    {(channels) => <ChannelTable channels={channels} />}
  </NounList>
);

function useChannels() {
  const trpc = useTRPC();
  const { mode } = useMode();
  return useInfiniteQuery(trpc.listChannels.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor }));
}

function ChannelTable({ channels }: { channels: Channel[] }) {
  const weekOf = useWeek();
  const columns: NounColumn<Channel>[] = [
    { label: "Origins", cell: ({ origins }) => <Summary of={origins} none="none: server keys only" /> },
    { label: "Categories", cell: ({ categories }) => <Summary of={categories} none="all" /> },
    { label: "Requests, 7 days", numeric: true, cell: ({ id }) => weekOf(id, "requests") },
    { label: "Impressions, 7 days", numeric: true, cell: ({ id }) => weekOf(id, "impressions") },
    {
      label: "Created",
      className: "whitespace-nowrap text-muted-foreground",
      cell: ({ created_at }) => formatDateTime(created_at),
    },
  ];
  return (
    <NounTable
      caption="Channels"
      rows={channels}
      href={({ id }) => `/offers/channels/${id}`}
      columns={columns}
      menu={({ id, name }) => <ChannelMenu id={id} name={name} />}
    />
  );
}

/** The first of several texts, and how many others there are. */
const Summary = ({ of: texts, none }: { of: string[]; none: string }) => (
  <span className="block max-w-64 truncate text-muted-foreground" title={texts.join(", ")}>
    {summaryOf(texts, none)}
  </span>
);

/** A channel's figures of the last seven days, as text; a dash while they are not known. */
function useWeek(): (channelId: string, figure: "requests" | "impressions") => string {
  const trpc = useTRPC();
  const { mode } = useMode();
  const timezone = browserTimezone();
  const from = daysBefore(dayOf(new Date(), timezone), WEEK_DAYS - 1);
  const { data } = useQuery(
    trpc.getReport.queryOptions({ mode, timezone, from, group_by: "channel" }, { refetchInterval: REFRESH_MS }),
  );
  return (channelId, figure) =>
    data ? formatCount(data.rows.find(({ channel }) => channel === channelId)?.[figure] ?? 0) : "–";
}

const summaryOf = ([first, ...rest]: string[], none: string): string =>
  first === undefined ? none : rest.length === 0 ? first : `${first} +${rest.length}`;
