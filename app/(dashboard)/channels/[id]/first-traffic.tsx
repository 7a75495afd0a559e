"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { Loaded } from "../../../components/loaded";
import { Go, Step, Steps } from "../../../components/steps";
import { Alert } from "../../../components/ui/alert";
import { Card, Section } from "../../../components/ui/card";
import { Skeleton } from "../../../components/ui/skeleton";
import { browserTimezone, dayOf, daysBefore, formatAgo } from "../../../format/dates";
import { formatCount } from "../../../format/numbers";
import { type Outputs, useTRPC } from "../../../trpc/client";
import type { Channel } from "./channel";

const DAYS = 30;
const LOOK_EVERY_MS = 3_000;
const REFRESH_MS = 30_000;
const KEYS_MAX = 100;
const NOTHING = { requests: 0, served: 0, impressions: 0, clicks: 0 };

type Traffic = typeof NOTHING;
type Report = Outputs["reports"]["get"];

const trafficOf = ({ rows }: Report, id: string): Traffic => rows.find(({ channel }) => channel === id) ?? NOTHING;

/** The way from a new channel to its first impression, watched live; later what the channel did in the last 30 days. */
export function FirstTraffic({ channel }: { channel: Channel }) {
  const trpc = useTRPC();
  const timezone = browserTimezone();
  const query = useQuery(
    trpc.reports.get.queryOptions(
      { mode: channel.mode, timezone, from: daysBefore(dayOf(new Date(), timezone), DAYS - 1), group_by: "channel" },
      {
        // Looked at more often until its first impression.
        refetchInterval: ({ state: { data } }) =>
          data && trafficOf(data, channel.id).impressions > 0 ? REFRESH_MS : LOOK_EVERY_MS,
      },
    ),
  );
  return (
    <Loaded query={query} loading={<Skeleton className="h-24" />}>
      {(report) => <Watched channel={channel} traffic={trafficOf(report, channel.id)} />}
    </Loaded>
  );
}

interface TrafficProps {
  channel: Channel;
  traffic: Traffic;
}

/** Whoever saw the steps open sees them ticked, too. */
function Watched({ channel, traffic }: TrafficProps) {
  const [wasNew] = useState(traffic.impressions === 0);
  return wasNew ? <LiveCheck channel={channel} traffic={traffic} /> : <Lately mode={channel.mode} traffic={traffic} />;
}

function LiveCheck({ channel, traffic: { requests, served, impressions } }: TrafficProps) {
  const trpc = useTRPC();
  const isLive = impressions > 0;
  const { data } = useQuery(
    trpc.channels.listKeys.queryOptions(
      { id: channel.id, limit: KEYS_MAX },
      { refetchInterval: isLive ? REFRESH_MS : LOOK_EVERY_MS },
    ),
  );
  const active = data?.data.filter(({ revoked_at }) => !revoked_at) ?? [];
  const used = active.flatMap(({ last_used_at }) => last_used_at ?? []).sort();
  const hasAsked = requests > 0 || used.length > 0;
  const hasKey = active.length > 0;
  return (
    <Section title="Get it live" description="The last two steps are ticked by themselves within seconds.">
      <Steps>
        <Step done title="Create the channel">
          {channel.origins.length > 0
            ? `Browser keys work on ${channel.origins.join(", ")}.`
            : "Without an origin only server keys work; add one under Settings below to use a browser key."}
        </Step>
        <Step done={hasKey || hasAsked} title="Create a key" action={!hasKey && <Go href="#keys">Keys</Go>}>
          A browser key for a page, a server key for a backend.
        </Step>
        <Step
          done={hasAsked}
          waiting={hasKey}
          title="Paste the snippet, or call the API"
          action={hasKey && !hasAsked && <Go href="#show-offers">Copy it</Go>}
        >
          {hasAsked
            ? `We saw your first request${used.length > 0 ? `; the last one came ${formatAgo(used.at(-1) ?? "")}` : ""}.`
            : "Waiting for the first request. A page that gets 401 stands on an origin that is not listed."}
        </Step>
        <Step done={isLive} waiting={hasAsked} title="See an offer">
          {isLive
            ? "We saw your first impression."
            : requests > 0 && served === 0
              ? "The requests matched no campaign yet: Explain tells why."
              : "Waiting for the first impression: half of an offer, visible for one second."}
        </Step>
      </Steps>
      {/* It is there before it speaks, or screen readers would miss it. */}
      <div aria-live="polite">
        {isLive && (
          <Alert tone="good" className="mt-4">
            <strong>{channel.name} is live.</strong> Its offers are asked for and seen.{" "}
            <ReportLink mode={channel.mode} />
          </Alert>
        )}
      </div>
    </Section>
  );
}

const Lately = ({ mode, traffic }: { mode: Channel["mode"]; traffic: Traffic }) => (
  <Card className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-4 sm:px-6">
    <dl className="grid flex-1 grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-4">
      <Figure label="Requests" count={traffic.requests} />
      <Figure label="Offers served" count={traffic.served} />
      <Figure label="Impressions" count={traffic.impressions} />
      <Figure label="Clicks" count={traffic.clicks} />
    </dl>
    <p className="text-muted-foreground text-sm">
      In the last {DAYS} days. <ReportLink mode={mode} />
    </p>
  </Card>
);

const Figure = ({ label, count }: { label: string; count: number }) => (
  <div>
    <dt className="text-muted-foreground text-xs">{label}</dt>
    <dd className="font-semibold text-xl tabular-nums tracking-tight">{formatCount(count)}</dd>
  </div>
);

const ReportLink = ({ mode }: { mode: Channel["mode"] }) => (
  <Link href={`/reports?group_by=channel&mode=${mode}`} className="underline underline-offset-4">
    Open the report
  </Link>
);
