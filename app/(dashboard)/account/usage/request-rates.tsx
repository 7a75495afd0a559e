import type { ReactNode } from "react";
import { QuerySection } from "../../../components/query-content";
import { Skeleton } from "../../../components/ui/skeleton";
import { formatCount, formatShort } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";
import { useQueryOf } from "../../../trpc/use-operation";
import { DataTable } from "../../components/data-table";
import { TrendPlot } from "../../components/plots/trend-plot";
import { CustomLimitBadge } from "./custom-limit-badge";
import type { Quota } from "./quota";

type Rates = Outputs["getRates"];

/** The rate limits of the platform API, and the response headers that report them. */
export function RequestRates({ quota }: { quota: Quota | undefined }) {
  const query = useQueryOf("getRates");
  return (
    <QuerySection
      title="Request rates"
      actions={quota && <CustomLimitBadge quota={quota} />}
      description="For the platform API under /v1, per key and per user."
      query={query}
      loading={<Skeleton className="h-64" />}
    >
      {(rates) => (
        <div className="space-y-6">
          <RateFigures rates={rates} />
          <FirstMinute rates={rates} />
          <HeaderTable />
        </div>
      )}
    </QuerySection>
  );
}

const RateFigures = ({ rates }: { rates: Rates }) => (
  <dl className="grid gap-4 sm:grid-cols-2">
    <Figure label="Sustained" value={`${formatCount(rates.requests_per_minute)} per minute`}>
      Capacity refills evenly, {formatShort(rates.requests_per_second)} requests per second.
    </Figure>
    <Figure label="Burst" value={formatCount(rates.burst)}>
      An idle caller may send this many at once, and {formatCount(rates.requests_in_any_minute)} in any 60 seconds.
    </Figure>
    <Figure label="Product feeds" value={`${formatCount(rates.bulk_per_minute)} per minute`}>
      Other bulk uploads count as well.
    </Figure>
    <Figure label="Reports" value={`${formatCount(rates.reports_per_minute)} per minute`}>
      A few reports per tenant are computed at a time; others wait.
    </Figure>
  </dl>
);

const Figure = ({ label, value, children }: { label: string; value: string; children: ReactNode }) => (
  <div className="rounded-lg border p-4 text-sm">
    <dt className="text-muted-foreground">{label}</dt>
    <dd className="mt-1 font-semibold text-xl tabular-nums">{value}</dd>
    <dd className="mt-1 text-muted-foreground text-xs leading-5">{children}</dd>
  </div>
);

const TICKS_SECONDS = [0, 10, 20, 30, 40, 50, 60];

const FirstMinute = ({ rates: { burst, requests_per_second } }: { rates: Rates }) => (
  <figure className="space-y-2">
    <figcaption className="text-muted-foreground text-xs">
      Requests available to an idle caller over the first minute
    </figcaption>
    <TrendPlot
      label={`Available requests: a burst of ${formatCount(burst)}, then ${formatShort(requests_per_second)} more each second.`}
      points={TICKS_SECONDS.map((seconds) => ({ x: String(seconds), value: burst + requests_per_second * seconds }))}
      series={[{ key: "value", label: "Requests" }]}
      unit={{ kind: "count" }}
      formatX={(seconds) => `${seconds} s`}
    />
  </figure>
);

const HEADERS = [
  ["ratelimit-limit", "Sustained requests per minute."],
  ["ratelimit-remaining", "Requests available now."],
  ["ratelimit-reset", "Seconds until the full burst is available; on 429, until the next request is allowed."],
  ["RateLimit-Policy, RateLimit", "The same in the format of the IETF draft, one entry per limit."],
  ["Retry-After", "Only with 429 rate_limited: seconds to wait. With quota_exceeded, waiting does not help."],
] as const;

const HeaderTable = () => (
  <DataTable
    caption="Response headers"
    rows={HEADERS}
    keyOf={([name]) => name}
    columns={[
      { label: "Header", className: "font-mono text-xs", cell: ([name]) => name },
      { label: "Meaning", className: "min-w-44 text-muted-foreground", cell: ([, meaning]) => meaning },
    ]}
  />
);
