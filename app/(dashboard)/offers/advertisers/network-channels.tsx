"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { RadioTower } from "lucide-react";
import { useState } from "react";
import { SelectField } from "../../../components/form/fields";
import { QueryContent } from "../../../components/query-content";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatMoney } from "../../../format/money";
import { formatCount, formatRate } from "../../../format/numbers";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import type { Advertiser } from "./advertiser";
import type { NetworkChannels as Listed, NetworkChannel } from "./network-channel";

const ADVERTISERS_MAX = 1000;
const REF_SHOWN = 12;

/** The channels of other publishers on which an advertiser's campaigns appeared, each with a way to block it. */
export function NetworkChannels() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [chosen, setChosen] = useState("");
  const advertisers = useQuery(trpc.listAdvertisers.queryOptions({ mode, limit: ADVERTISERS_MAX }));
  const all = advertisers.data?.data ?? [];
  const advertiser = all.find(({ id }) => id === chosen) ?? all[0];
  if (!advertiser) return null;
  return (
    <Section
      id="network-channels"
      title="Where your ads appeared"
      description={`Channels of other publishers in the last 30 days, in ${mode} mode. A publisher's name is not shown; a reference stays the same.`}
    >
      <div className="space-y-4">
        <div className="sm:max-w-xs">
          <SelectField
            name="advertiser"
            label="Advertiser"
            value={advertiser.id}
            onChange={(event) => setChosen(event.target.value)}
          >
            {all.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <NetworkChannelList advertiser={advertiser} />
      </div>
    </Section>
  );
}

function NetworkChannelList({ advertiser }: { advertiser: Advertiser }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const query = useQuery(trpc.listNetworkChannels.queryOptions({ mode, advertiser_id: advertiser.id }));
  return (
    <QueryContent query={query}>
      {(listed) =>
        listed.data.length > 0 ? (
          <ChannelTable listed={listed} advertiser={advertiser} />
        ) : (
          <EmptyState icon={RadioTower} title="Not on another publisher's channel yet">
            Campaigns with the reach “network” can appear there.
          </EmptyState>
        )
      }
    </QueryContent>
  );
}

const COLUMNS = [
  { label: "Channel" },
  { label: "Impressions", numeric: true },
  { label: "Invalid", numeric: true },
  { label: "Clicks", numeric: true },
  { label: "Invalid clicks", numeric: true },
  { label: "Click rate", numeric: true },
  { label: "Conversions", numeric: true },
  { label: "Spend", numeric: true },
  { label: "" },
];

const ChannelTable = ({ listed, advertiser }: { listed: Listed; advertiser: Advertiser }) => (
  <Table caption="Channels of other publishers" columns={COLUMNS}>
    {listed.data.map((channel) => (
      <Row key={channel.id}>
        <RowHeading className="font-mono text-xs">{channel.id.slice(0, REF_SHOWN)}</RowHeading>
        <Cell numeric>{formatCount(channel.impressions)}</Cell>
        <Cell numeric>{formatCount(channel.invalid_impressions)}</Cell>
        <Cell numeric>{formatCount(channel.clicks)}</Cell>
        <Cell numeric>{formatCount(channel.invalid_clicks)}</Cell>
        <Cell numeric>{formatRate(channel.ctr)}</Cell>
        <Cell numeric>{formatCount(channel.conversions)}</Cell>
        <Cell numeric>{formatMoney(channel.spend_micros, listed.currency)}</Cell>
        <Cell numeric>
          <BlockButton channel={channel} advertiser={advertiser} />
        </Cell>
      </Row>
    ))}
  </Table>
);

function BlockButton({ channel, advertiser }: { channel: NetworkChannel; advertiser: Advertiser }) {
  const trpc = useTRPC();
  const { id, blocked } = channel;
  const done = blocked ? "Channel unblocked." : "Channel blocked.";
  const update = useMutation(trpc.updateAdvertiser.mutationOptions({ meta: { done } }));
  const others = advertiser.blocked_channels.filter((one) => one !== id);
  const next = blocked ? others : [...others, id];
  const label = blocked ? "Unblock" : "Block";
  return (
    <Button
      variant="outline"
      size="sm"
      pending={update.isPending}
      aria-label={`${label} ${id.slice(0, REF_SHOWN)}`}
      onClick={() => update.mutate({ id: advertiser.id, blocked_channels: next })}
    >
      {label}
    </Button>
  );
}
