"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Plus, RadioTower } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { browserTimezone, dayOf, daysBefore, formatDateTime } from "../../../format/dates";
import { formatCount } from "../../../format/numbers";
import { type Outputs, useTRPC } from "../../../trpc/client";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useMode } from "../../components/shell/mode";
import { ChannelMenu } from "./channel-menu";
import { CreateChannelDialog } from "./create-channel-dialog";

const WEEK_DAYS = 7;
const REFRESH_MS = 15_000;

export function ChannelList() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery(trpc.listChannels.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor }));
  const create = (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create channel
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Channels"
        description="A channel is one place where offers appear: a site, an app, a chat."
        actions={create}
      />
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={RadioTower} title={`No channels in ${mode} mode yet`} action={create}>
            Create a channel, give it a key, and paste the snippet into your page to show the first offers.
          </EmptyState>
        }
      >
        {(channels) => <ChannelTable channels={channels} />}
      </PagedContent>
      <CreateChannelDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}

const COLUMNS = [
  { label: "Name" },
  { label: "Origins" },
  { label: "Categories" },
  { label: "Requests, 7 days", numeric: true },
  { label: "Impressions, 7 days", numeric: true },
  { label: "Created" },
  { label: "" },
];

function ChannelTable({ channels }: { channels: Outputs["listChannels"]["data"] }) {
  const weekOf = useWeek();
  return (
    <Table caption="Channels" columns={COLUMNS}>
      {channels.map(({ id, name, origins, categories, created_at }) => (
        <Row key={id}>
          <RowHeading>
            <Link href={`/offers/channels/${id}`} className={ROW_LINK_STYLE}>
              {name}
            </Link>
          </RowHeading>
          <Cell className="max-w-64 truncate text-muted-foreground" title={origins.join(", ")}>
            {summaryOf(origins, "none: server keys only")}
          </Cell>
          <Cell className="max-w-64 truncate text-muted-foreground" title={categories.join(", ")}>
            {summaryOf(categories, "all")}
          </Cell>
          <Cell numeric>{weekOf(id, "requests")}</Cell>
          <Cell numeric>{weekOf(id, "impressions")}</Cell>
          <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(created_at)}</Cell>
          <ActionsCell>
            <ChannelMenu id={id} name={name} />
          </ActionsCell>
        </Row>
      ))}
    </Table>
  );
}

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
