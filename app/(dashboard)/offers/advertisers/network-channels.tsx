"use client";

import { RadioTower } from "lucide-react";
import { useState } from "react";
import { SelectField } from "../../../components/form/fields";
import { QueryContent } from "../../../components/query-content";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { formatMoney } from "../../../format/money";
import { formatCount, formatRate } from "../../../format/numbers";
import { useMutationOf, useQueryOf } from "../../../trpc/use-operation";
import { type Columns, DataTable } from "../../components/data-table";
import { useMode } from "../../components/shell/mode";
import type { Advertiser } from "./advertiser";
import type { NetworkChannel } from "./network-channel";

const ADVERTISERS_MAX = 1000;
const REF_SHOWN = 12;

/** The channels of other publishers on which an advertiser's campaigns appeared, each with a way to block it. */
export function NetworkChannels() {
  const { mode } = useMode();
  const [chosen, setChosen] = useState("");
  const advertisers = useQueryOf("listAdvertisers", { mode, limit: ADVERTISERS_MAX });
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
          <SelectField name="advertiser" label="Advertiser" value={advertiser.id} onChoose={setChosen} choices={all} />
        </div>
        <NetworkChannelList advertiser={advertiser} />
      </div>
    </Section>
  );
}

function NetworkChannelList({ advertiser }: { advertiser: Advertiser }) {
  const { mode } = useMode();
  const query = useQueryOf("listNetworkChannels", { mode, advertiser_id: advertiser.id });
  return (
    <QueryContent query={query}>
      {(listed) =>
        listed.data.length > 0 ? (
          <DataTable
            caption="Channels of other publishers"
            rows={listed.data}
            keyOf={({ id }) => id}
            columns={columnsOf(advertiser, listed.currency)}
          />
        ) : (
          <EmptyState icon={RadioTower} title="Not on another publisher's channel yet">
            Campaigns with the reach “network” can appear there.
          </EmptyState>
        )
      }
    </QueryContent>
  );
}

const columnsOf = (advertiser: Advertiser, currency: string): Columns<NetworkChannel> => [
  { label: "Channel", className: "font-mono text-xs", cell: ({ id }) => id.slice(0, REF_SHOWN) },
  { label: "Impressions", numeric: true, cell: ({ impressions }) => formatCount(impressions) },
  { label: "Invalid", numeric: true, cell: ({ invalid_impressions }) => formatCount(invalid_impressions) },
  { label: "Clicks", numeric: true, cell: ({ clicks }) => formatCount(clicks) },
  { label: "Invalid clicks", numeric: true, cell: ({ invalid_clicks }) => formatCount(invalid_clicks) },
  { label: "Click rate", numeric: true, cell: ({ ctr }) => formatRate(ctr) },
  { label: "Conversions", numeric: true, cell: ({ conversions }) => formatCount(conversions) },
  { label: "Spend", numeric: true, cell: ({ spend_micros }) => formatMoney(spend_micros, currency) },
  { label: "", numeric: true, cell: (channel) => <BlockButton channel={channel} advertiser={advertiser} /> },
];

function BlockButton({ channel, advertiser }: { channel: NetworkChannel; advertiser: Advertiser }) {
  const { id, blocked } = channel;
  const done = blocked ? "Channel unblocked." : "Channel blocked.";
  const update = useMutationOf("updateAdvertiser", { meta: { done } });
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
