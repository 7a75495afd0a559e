"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Megaphone, Plus } from "lucide-react";
import Link from "next/link";
import { SelectField } from "../../components/form/fields";
import { LoadedPages, nextCursorOf } from "../../components/loaded-pages";
import { PageHeader } from "../../components/page-header";
import { useMode } from "../../components/shell/mode";
import { Button } from "../../components/ui/button";
import { Empty } from "../../components/ui/empty";
import { ROW_LINK } from "../../components/ui/row-link";
import { Cell, Row, RowHeading, Table } from "../../components/ui/table";
import { useAddress } from "../../components/use-address";
import { formatMoney } from "../../format/money";
import { useTRPC } from "../../trpc/client";
import type { Campaign } from "./campaign";
import { CampaignStatus, StatusButtons } from "./campaign-status";
import { useAdvertisers } from "./use-advertisers";

const STATUSES = ["draft", "active", "paused", "ended"] as const;

export function CampaignList() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params } = useAddress();
  const status = STATUSES.find((candidate) => candidate === params.get("status"));
  const advertiser = params.get("advertiser");
  const query = useInfiniteQuery(
    trpc.campaigns.list.infiniteQueryOptions(
      { mode, ...(status ? { status } : {}), ...(advertiser ? { advertiser_id: advertiser } : {}) },
      { getNextPageParam: nextCursorOf },
    ),
  );
  const isFiltered = Boolean(status || advertiser);
  const create = (
    <Button asChild>
      <Link href="/campaigns/new">
        <Plus aria-hidden />
        Create campaign
      </Link>
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Campaigns"
        description="What an advertiser pays for: bids, budgets, and where its creatives and products may serve."
        actions={create}
      />
      <Filters />
      <LoadedPages
        query={query}
        empty={
          <Empty
            icon={Megaphone}
            title={isFiltered ? "No campaign matches" : `No campaigns in ${mode} mode yet`}
            action={isFiltered ? undefined : create}
          >
            {isFiltered
              ? "Choose another status or advertiser."
              : "A campaign needs an advertiser, a bid and one creative."}
          </Empty>
        }
      >
        {(campaigns) => <CampaignTable campaigns={campaigns} />}
      </LoadedPages>
    </>
  );
}

/** The filters live in the address, so that a filtered list can be shared. */
function Filters() {
  const { params, change } = useAddress();
  const advertisers = useAdvertisers();
  const choose = (name: string) => (event: { target: { value: string } }) => change({ [name]: event.target.value });
  return (
    <div className="mb-4 grid gap-3 sm:max-w-md sm:grid-cols-2">
      <SelectField name="status" label="Status" value={params.get("status") ?? ""} onChange={choose("status")}>
        <option value="">Every status</option>
        {STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </SelectField>
      <SelectField
        name="advertiser"
        label="Advertiser"
        value={params.get("advertiser") ?? ""}
        onChange={choose("advertiser")}
      >
        <option value="">Every advertiser</option>
        {advertisers.rows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

const COLUMNS = [
  { label: "Name" },
  { label: "Status" },
  { label: "Bid", numeric: true },
  { label: "Daily budget", numeric: true },
  { label: "Total budget", numeric: true },
  { label: "" },
];

function CampaignTable({ campaigns }: { campaigns: Campaign[] }) {
  const { nameOf } = useAdvertisers();
  return (
    <Table caption="Campaigns" columns={COLUMNS}>
      {campaigns.map((campaign) => (
        <Row key={campaign.id}>
          <RowHeading>
            <Link href={`/campaigns/${campaign.id}`} className={ROW_LINK}>
              {campaign.name}
            </Link>
            <span className="block font-normal text-muted-foreground text-xs">{nameOf(campaign.advertiser_id)}</span>
          </RowHeading>
          <Cell>
            <CampaignStatus status={campaign.status} />
          </Cell>
          <Cell numeric className="whitespace-nowrap">
            {formatMoney(campaign.bid_micros, campaign.currency)}{" "}
            <span className="text-muted-foreground text-xs uppercase">{campaign.model}</span>
          </Cell>
          <Cell numeric>{budgetOf(campaign.daily_budget_micros, campaign.currency)}</Cell>
          <Cell numeric>{budgetOf(campaign.total_budget_micros, campaign.currency)}</Cell>
          <Cell numeric className="whitespace-nowrap">
            <StatusButtons campaign={campaign} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

const budgetOf = (micros: number | null, currency: string): string =>
  micros === null ? "no limit" : formatMoney(micros, currency);
