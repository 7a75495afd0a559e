"use client";

import { Megaphone, Plus } from "lucide-react";
import { Button } from "../../../components/ui/button";
import { Link } from "../../../components/ui/link";
import { ANY, chosenIn, type Filter, namesOf, statusFilter } from "../../components/filters";
import { NounList } from "../../components/noun-list";
import { PAGES } from "../../components/pages";
import { useAdvertisers } from "../components/use-advertisers";
import { CampaignTable } from "./campaign-table";
import { readOrder } from "./list-order";

const STATUSES = ["draft", "active", "paused", "ended"] as const;

export const CampaignList = () => (
  <NounList
    title="Campaigns"
    description="What an advertiser pays for: bids, budgets, and where its creatives and products may serve."
    noun="campaign"
    icon={Megaphone}
    about="A campaign needs an advertiser, a bid and one creative."
    scopes="ads"
    useFilters={useCampaignFilters}
    pages={({ trpc, mode, filter, params }) =>
      trpc.listCampaignFigures.infiniteQueryOptions(
        {
          mode,
          ...readOrder(params),
          search: filter("q"),
          status: chosenIn(params, "status", STATUSES),
          advertiser_id: filter("advertiser"),
        },
        PAGES,
      )
    }
    create={
      <Button asChild>
        <Link href="/offers/campaigns/new">
          <Plus aria-hidden />
          Create campaign
        </Link>
      </Button>
    }
  >
    {(campaigns) => <CampaignTable campaigns={eachOnce(campaigns)} />}
  </NounList>
);

const useCampaignFilters = (): Filter[] => [
  { name: "q", label: "Name", all: "Search by name" },
  statusFilter(STATUSES),
  { name: "advertiser", label: "Advertiser", choices: namesOf(useAdvertisers().rows), others: ANY },
];

/** Figures change between two pages, so that a campaign can be on both. */
const eachOnce = <T extends { id: string }>(rows: T[]): T[] => [...new Map(rows.map((row) => [row.id, row])).values()];
