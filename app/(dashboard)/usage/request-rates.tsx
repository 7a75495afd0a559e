"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "../../components/loaded";
import { TrendPlot } from "../../components/plots/trend-plot";
import { Section } from "../../components/ui/card";
import { Skeleton } from "../../components/ui/skeleton";
import { Cell, Row, RowHeading, Table } from "../../components/ui/table";
import { formatCount, formatShort } from "../../format/numbers";
import { type Outputs, useTRPC } from "../../trpc/client";
import type { Quota } from "./quota";
import { SetForYou } from "./set-for-you";

type Rates = Outputs["usage"]["rates"];

/** How often the platform API may be asked, and what its answers tell of that. */
export function RequestRates({ quota }: { quota: Quota | undefined }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.usage.rates.queryOptions());
  return (
    <Section
      title="Request rates"
      actions={quota && <SetForYou quota={quota} />}
      description="For the platform API under /v1: each key and each person has their own."
    >
      <Loaded query={query} loading={<Skeleton className="h-64" />}>
        {(rates) => (
          <div className="space-y-6">
            <Words rates={rates} />
            <FirstMinute rates={rates} />
            <HeaderTable />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

const Words = ({ rates }: { rates: Rates }) => (
  <dl className="grid gap-4 sm:grid-cols-3">
    <Figure label="Sustained" value={`${formatCount(rates.requests_per_minute)} a minute`}>
      Room for a new request comes back evenly, {formatShort(rates.requests_per_second)} a second.
    </Figure>
    <Figure label="At once" value={formatCount(rates.burst)}>
      A rested caller may send so many together, and {formatCount(rates.requests_in_any_minute)} in any 60 seconds.
    </Figure>
    <Figure label="Product feeds" value={`${formatCount(rates.bulk_per_minute)} a minute`}>
      Uploads that change much in one request count here as well.
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
      How many requests of a rested caller can have passed after so many seconds
    </figcaption>
    <TrendPlot
      label={`Requests that can have passed: ${formatCount(burst)} at once, then ${formatShort(requests_per_second)} more each second.`}
      points={TICKS_SECONDS.map((seconds) => ({ x: String(seconds), value: burst + requests_per_second * seconds }))}
      series={[{ key: "value", label: "Requests" }]}
      formatValue={formatCount}
      formatX={(seconds) => `${seconds} s`}
    />
  </figure>
);

const HEADERS = [
  ["ratelimit-limit", "Requests a minute, sustained."],
  ["ratelimit-remaining", "Requests that would pass right now."],
  ["ratelimit-reset", "Seconds until all are free again; in a refusal, until the next one passes."],
  ["RateLimit-Policy, RateLimit", "The same in the form of the IETF draft, one entry for each limit that counted."],
  ["Retry-After", "Only with 429 rate_limited: wait so many seconds. With quota_exceeded waiting does not help."],
] as const;

const HeaderTable = () => (
  <Table caption="Headers of every answer" columns={[{ label: "Header" }, { label: "What it says" }]}>
    {HEADERS.map(([name, meaning]) => (
      <Row key={name}>
        <RowHeading className="font-mono text-xs">{name}</RowHeading>
        <Cell className="min-w-44 text-muted-foreground">{meaning}</Cell>
      </Row>
    ))}
  </Table>
);
