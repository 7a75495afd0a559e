"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Megaphone, Plus } from "lucide-react";
import { SelectField } from "../../../components/form/fields";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { useTRPC } from "../../../trpc/client";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { type Mode, useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { useAdvertisers } from "../components/use-advertisers";
import { CampaignTable } from "./campaign-table";
import { readOrder } from "./list-order";
import { SearchField } from "./search-field";

const STATUSES = ["draft", "active", "paused", "ended"] as const;

export function CampaignList() {
  const { mode } = useMode();
  // While a filter changes, the rows before it stay; those of the other mode must not.
  return <CampaignsOfMode key={mode} mode={mode} />;
}

function CampaignsOfMode({ mode }: { mode: Mode }) {
  const trpc = useTRPC();
  const { params } = useUrlParams();
  const status = STATUSES.find((candidate) => candidate === params.get("status"));
  const advertiser = params.get("advertiser");
  const search = params.get("q");
  const query = useInfiniteQuery(
    trpc.listCampaignFigures.infiniteQueryOptions(
      {
        mode,
        ...readOrder(params),
        ...(search ? { search } : {}),
        ...(status ? { status } : {}),
        ...(advertiser ? { advertiser_id: advertiser } : {}),
      },
      { getNextPageParam: nextCursor, placeholderData: keepPreviousData },
    ),
  );
  const isFiltered = Boolean(status || advertiser || search);
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
              ? "Search for another name, or choose another status or advertiser."
              : "A campaign needs an advertiser, a bid and one creative."}
          </EmptyState>
        }
      >
        {(campaigns) => <CampaignTable campaigns={eachOnce(campaigns)} />}
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
    <div className="mb-4 grid gap-3 sm:max-w-2xl sm:grid-cols-3">
      <SearchField value={params.get("q") ?? ""} onSearch={(q) => change({ q })} />
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
        <option value="">All advertisers</option>
        {advertisers.rows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

/** Figures change between two pages, so that a campaign can be on both. */
const eachOnce = <T extends { id: string }>(rows: T[]): T[] => [...new Map(rows.map((row) => [row.id, row])).values()];
