"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus, RadioTower } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { LoadedPages, nextCursorOf } from "../../components/loaded-pages";
import { PageHeader } from "../../components/page-header";
import { useMode } from "../../components/shell/mode";
import { Button } from "../../components/ui/button";
import { Empty } from "../../components/ui/empty";
import { ROW_LINK } from "../../components/ui/row-link";
import { Cell, Row, RowHeading, Table } from "../../components/ui/table";
import { formatMoment } from "../../format/dates";
import { type Outputs, useTRPC } from "../../trpc/client";
import { CreateChannelDialog } from "./create-channel-dialog";

export function ChannelList() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery(trpc.channels.list.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursorOf }));
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
      <LoadedPages
        query={query}
        empty={
          <Empty icon={RadioTower} title={`No channels in ${mode} mode yet`} action={create}>
            Create a channel, give it a key, and paste the snippet into your page to show the first offers.
          </Empty>
        }
      >
        {(channels) => <ChannelTable channels={channels} />}
      </LoadedPages>
      <CreateChannelDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}

const COLUMNS = [{ label: "Name" }, { label: "Origins" }, { label: "Categories" }, { label: "Created" }];

const ChannelTable = ({ channels }: { channels: Outputs["channels"]["list"]["data"] }) => (
  <Table caption="Channels" columns={COLUMNS}>
    {channels.map(({ id, name, origins, categories, created_at }) => (
      <Row key={id}>
        <RowHeading>
          <Link href={`/channels/${id}`} className={ROW_LINK}>
            {name}
          </Link>
        </RowHeading>
        <Cell className="max-w-64 truncate text-muted-foreground">{summaryOf(origins, "none: server keys only")}</Cell>
        <Cell className="max-w-64 truncate text-muted-foreground">{summaryOf(categories, "all")}</Cell>
        <Cell className="whitespace-nowrap text-muted-foreground">{formatMoment(created_at)}</Cell>
      </Row>
    ))}
  </Table>
);

const summaryOf = ([first, ...rest]: string[], none: string): string =>
  first === undefined ? none : rest.length === 0 ? first : `${first} +${rest.length}`;
