"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Megaphone, Plus } from "lucide-react";
import Link from "next/link";
import { SelectField } from "../../../components/form/fields";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatMoney } from "../../../format/money";
import { useTRPC } from "../../../trpc/client";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { useAdvertisers } from "../components/use-advertisers";
import type { Campaign } from "./campaign";
import { CampaignStatus, StatusButtons } from "./campaign-status";

const STATUSES = ["draft", "active", "paused", "ended"] as const;

export function CampaignList() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params } = useUrlParams();
  const status = STATUSES.find((candidate) => candidate === params.get("status"));
  const advertiser = params.get("advertiser");
  const query = useInfiniteQuery(
    trpc.campaigns.list.infiniteQueryOptions(
      { mode, ...(status ? { status } : {}), ...(advertiser ? { advertiser_id: advertiser } : {}) },
      { getNextPageParam: nextCursor },
    ),
  );
  const isFiltered = Boolean(status || advertiser);
  const create = (
    <Button asChild>
      <Link href="/offers/campaigns/new">
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
      <PagedContent
        query={query}
        empty={
          <EmptyState
            icon={Megaphone}
            title={isFiltered ? "No campaign matches" : `No campaigns in ${mode} mode yet`}
            action={isFiltered ? undefined : create}
          >
            {isFiltered
              ? "Choose another status or advertiser."
              : "A campaign needs an advertiser, a bid and one creative."}
          </EmptyState>
        }
      >
        {(campaigns) => <CampaignTable campaigns={campaigns} />}
      </PagedContent>
    </>
  );
}

/** The filters are in the URL, so that a filtered list can be shared. */
function Filters() {
  const { params, change } = useUrlParams();
  const advertisers = useAdvertisers();
  const choose = (name: string) => (event: { target: { value: string } }) => change({ [name]: event.target.value });
  return (
    <div className="mb-4 grid gap-3 sm:max-w-md sm:grid-cols-2">
      <SelectField name="status" label="Status" value={params.get("status") ?? ""} onChange={choose("status")}>
        <option value="">All statuses</option>
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
            <Link href={`/offers/campaigns/${campaign.id}`} className={ROW_LINK_STYLE}>
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
