"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Wallet } from "lucide-react";
import { QueryContent } from "../../../components/query-content";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { Skeleton } from "../../../components/ui/skeleton";
import { dayOf, formatMonth } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { useQueryOf } from "../../../trpc/use-operation";
import { PageHeader } from "../../components/page-header";
import { NextPage } from "../../components/paged-content";
import { pagesEvery } from "../../components/pages";
import { useMode } from "../../components/shell/mode";
import { UnpaidOffers } from "../components/unpaid-offers";
import { EarningsPart } from "./earnings-part";
import { isSpending, SpendPart } from "./spend-part";

const MONTHS = 12;
const REFRESH_MS = 60_000;

export function Balance() {
  const { mode, setMode } = useMode();
  const today = dayOf(new Date(), "UTC");
  return (
    <>
      <PageHeader
        title="Balance"
        description="What you earned and spent in live mode. Months and days are in UTC; an event and its reversal count on the day of the event."
      />
      {mode === "live" ? (
        <LiveBalance today={today} />
      ) : (
        <div className="space-y-6">
          <EmptyState
            icon={Wallet}
            title="Test mode has no money"
            action={
              <Button variant="outline" onClick={() => setMode("live")}>
                Switch to live mode
              </Button>
            }
          >
            Test offers are neither charged nor paid.
          </EmptyState>
          <UnpaidOffers
            period={formatMonth(today.slice(0, 7))}
            mode="test"
            timezone="UTC"
            from={`${today.slice(0, 7)}-01`}
          />
        </div>
      )}
    </>
  );
}

/** The parts that apply to the tenant: a publisher has channels or earnings, an advertiser campaigns, credit or spend. */
function LiveBalance({ today }: { today: string }) {
  const trpc = useTRPC();
  const first = { mode: "live", limit: 1 } as const;
  const channels = useQueryOf("listChannels", first);
  const campaigns = useQueryOf("listCampaigns", first);
  const query = useInfiniteQuery(
    trpc.listStatements.infiniteQueryOptions({ mode: "live", limit: MONTHS }, pagesEvery(REFRESH_MS)),
  );
  return (
    <QueryContent query={query} loading={<BalanceSkeleton />}>
      {({ pages }) => {
        if (channels.isPending || campaigns.isPending) return <BalanceSkeleton />;
        const months = pages.flatMap(({ data }) => data);
        const earns = hasRows(channels.data) || months.some(({ earnings }) => earnings.earned_micros > 0);
        const spends = hasRows(campaigns.data) || months.some(isSpending);
        if (!earns && !spends) return <NoBalance />;
        return (
          <div className="space-y-6">
            {earns && <EarningsPart months={months} today={today} />}
            {spends && <SpendPart months={months} today={today} isSecondary={earns} />}
            <NextPage query={query} label="Show earlier months" />
          </div>
        );
      }}
    </QueryContent>
  );
}

const hasRows = (list: { data: unknown[] } | undefined): boolean => list !== undefined && list.data.length > 0;

const NoBalance = () => (
  <EmptyState
    icon={Wallet}
    title="No earnings and no spend yet"
    action={
      <div className="flex flex-wrap justify-center gap-2">
        <Button asChild>
          <Link href="/offers/channels">Create a channel</Link>
        </Button>
        <Button asChild variant="outline">
          <Link href="/offers/campaigns/new">Create a campaign</Link>
        </Button>
      </div>
    }
  >
    A live channel earns from campaigns of other tenants; a live campaign spends a prepaid balance on their channels.
    Both appear here by month, with statements to download.
  </EmptyState>
);

const BalanceSkeleton = () => (
  <div role="status" className="space-y-6">
    <span className="sr-only">Loading the balance…</span>
    <Skeleton className="h-96" />
    <Skeleton className="h-96" />
  </div>
);
