"use client";

import { QuerySection } from "../../../components/query-content";
import { Skeleton } from "../../../components/ui/skeleton";
import { useQueryOf } from "../../../trpc/use-operation";
import { PageHeader } from "../../components/page-header";
import { RequireScope } from "../../components/shell/access";
import { isCounted } from "./quota";
import { QuotaMeters } from "./quota-meters";
import { RequestHigherLimit } from "./request-higher-limit";
import { RequestHistory } from "./request-history";
import { RequestRates } from "./request-rates";

const REFRESH_MS = 15_000;

export const Usage = () => (
  <RequireScope scope="usage:read" title="Usage" what="limits, how much of them is used, and API requests">
    <Limits />
  </RequireScope>
);

function Limits() {
  const query = useQueryOf("listQuotas", undefined, { refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHeader title="Usage" description="Limits of this tenant, how much of them is used, and its API requests." />
      <div className="space-y-6">
        <QuerySection
          title="Limits"
          description="Archive or revoke items to free capacity. Creating items beyond a limit fails with quota_exceeded."
          query={query}
          loading={<Skeleton className="h-64" />}
        >
          {({ data }) => <QuotaMeters quotas={data.filter(isCounted)} />}
        </QuerySection>
        <RequestHistory />
        <RequestRates quota={query.data?.data.find((quota) => !isCounted(quota))} />
        <RequestHigherLimit quotas={query.data?.data ?? []} />
      </div>
    </>
  );
}
