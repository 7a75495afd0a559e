"use client";

import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../components/loaded";
import { PageHeader } from "../../components/page-header";
import { NeedsScope } from "../../components/shell/access";
import { Section } from "../../components/ui/card";
import { Skeleton } from "../../components/ui/skeleton";
import { useTRPC } from "../../trpc/client";
import { AskForMore } from "./ask-for-more";
import { isCounted } from "./quota";
import { QuotaMeters } from "./quota-meters";
import { RequestRates } from "./request-rates";

const REFRESH_MS = 15_000;

export const Usage = () => (
  <NeedsScope scope="usage:read" title="Usage" what="limits and how much of them is used">
    <Limits />
  </NeedsScope>
);

function Limits() {
  const trpc = useTRPC();
  const query = useQuery(trpc.usage.quotas.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  return (
    <>
      <PageHeader title="Usage" description="What this tenant keeps and asks, against its limits." />
      <div className="space-y-6">
        <Section
          title="Limits"
          description="What you archive or revoke makes room again. A create beyond a limit is refused with quota_exceeded."
        >
          <Loaded query={query} loading={<Skeleton className="h-64" />}>
            {({ data }) => <QuotaMeters quotas={data.filter(isCounted)} />}
          </Loaded>
        </Section>
        <RequestRates quota={query.data?.data.find((quota) => !isCounted(quota))} />
        <AskForMore quotas={query.data?.data ?? []} />
      </div>
    </>
  );
}
