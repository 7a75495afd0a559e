import { type ReactNode, useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
import { Section } from "../../../../components/ui/card";
import { Link } from "../../../../components/ui/link";
import { Skeleton } from "../../../../components/ui/skeleton";
import { browserTimezone, dayOf, daysBefore, formatRelativeTime } from "../../../../format/dates";
import { formatMoney } from "../../../../format/money";
import { formatCount } from "../../../../format/numbers";
import type { Outputs } from "../../../../trpc/client";
import { useQueryOf } from "../../../../trpc/use-operation";
import { Figures } from "../../../components/figures";
import { Step, StepLink, Steps } from "../../../components/steps";
import { UnpaidOffers } from "../../components/unpaid-offers";
import type { Channel } from "./channel";
import { useActiveKeys } from "./use-active-keys";

const DAYS = 30;
const POLL_MS = 3_000;
const REFRESH_MS = 30_000;
const NO_TRAFFIC = { requests: 0, served: 0, impressions: 0, clicks: 0, earnings_micros: 0 };

type Traffic = typeof NO_TRAFFIC;
type Report = Outputs["getReport"];

const channelTraffic = ({ rows }: Report, id: string): Traffic =>
  rows.find(({ channel }) => channel === id) ?? NO_TRAFFIC;

/** Live onboarding steps for a new channel; after its first impression, its traffic of the last 30 days. */
export function FirstTraffic({ channel }: { channel: Channel }) {
  const timezone = browserTimezone();
  const from = daysBefore(dayOf(new Date(), timezone), DAYS - 1);
  const query = useQueryOf(
    "getReport",
    { mode: channel.mode, timezone, from, group_by: "channel" },
    {
      // Polls faster until the first impression.
      refetchInterval: ({ state: { data } }) =>
        data && channelTraffic(data, channel.id).impressions > 0 ? REFRESH_MS : POLL_MS,
    },
  );
  return (
    <QueryContent query={query} loading={<Skeleton className="h-24" />}>
      {(report) => (
        <FirstTrafficSection
          channel={channel}
          traffic={channelTraffic(report, channel.id)}
          currency={report.currency}
          unpaid={
            <UnpaidOffers
              period={`the last ${DAYS} days`}
              mode={channel.mode}
              timezone={timezone}
              from={from}
              channelId={channel.id}
            />
          }
        />
      )}
    </QueryContent>
  );
}

interface TrafficProps {
  channel: Channel;
  traffic: Traffic;
}

interface FirstTrafficProps extends TrafficProps {
  currency: string;
  /** What of it earns nothing. */
  unpaid: ReactNode;
}

/** Keeps the steps on screen when they complete while the page is open. */
function FirstTrafficSection({ channel, traffic, currency, unpaid }: FirstTrafficProps) {
  const [wasNew] = useState(traffic.impressions === 0);
  if (!wasNew) return <RecentTraffic channel={channel} traffic={traffic} currency={currency} unpaid={unpaid} />;
  return (
    <div className="space-y-3">
      <LiveCheck channel={channel} traffic={traffic} />
      {traffic.impressions > 0 && unpaid}
    </div>
  );
}

function LiveCheck({ channel, traffic: { requests, served, impressions } }: TrafficProps) {
  const isLive = impressions > 0;
  const { data: active = [] } = useActiveKeys(channel.id, { refetchMs: isLive ? REFRESH_MS : POLL_MS });
  const used = active.flatMap(({ last_used_at }) => last_used_at ?? []).sort();
  const hasRequests = requests > 0 || used.length > 0;
  const hasKey = active.length > 0;
  return (
    <Section title="Get it live" description="The last two steps complete automatically within seconds.">
      <Steps>
        <Step done title="Create the channel">
          {channel.origins.length > 0
            ? `Browser keys work on ${channel.origins.join(", ")}.`
            : "Without an origin only server keys work; add one under Settings below to use a browser key."}
        </Step>
        <Step
          done={hasKey || hasRequests}
          title="Create a key"
          action={!hasKey && <StepLink href="#keys">Keys</StepLink>}
        >
          A browser key for a page, a server key for a backend.
        </Step>
        <Step
          done={hasRequests}
          waiting={hasKey}
          title="Paste the snippet, or call the API"
          action={hasKey && !hasRequests && <StepLink href="#show-offers">Copy it</StepLink>}
        >
          {hasRequests
            ? `First request received${used.length > 0 ? `; the latest was ${formatRelativeTime(used.at(-1) ?? "")}` : ""}.`
            : "Waiting for the first request. If a page gets 401, its origin is not listed."}
        </Step>
        <Step done={isLive} waiting={hasRequests} title="See an offer">
          {isLive
            ? "First impression recorded."
            : requests > 0 && served === 0
              ? "No campaign has matched the requests yet: Explain shows why."
              : "Waiting for the first impression: half of an offer, visible for one second."}
        </Step>
      </Steps>
      {/* The live region must exist before its content, or screen readers miss it. */}
      <div aria-live="polite">
        {isLive && (
          <Alert tone="good" className="mt-4">
            <strong>{channel.name} is live.</strong> It requests and displays offers. <ReportLink channel={channel} />
          </Alert>
        )}
      </div>
    </Section>
  );
}

function RecentTraffic({ channel, traffic, currency, unpaid }: FirstTrafficProps) {
  const { requests, served, impressions, clicks, earnings_micros } = traffic;
  const earnings = { label: "Earnings", value: formatMoney(earnings_micros, currency) };
  const seen = { label: "Impressions", value: formatCount(impressions) };
  const [main, second] = earnings_micros > 0 ? [earnings, seen] : [seen, earnings];
  const parts = [
    second,
    { label: "Clicks", value: formatCount(clicks) },
    { label: "Requests", value: formatCount(requests) },
    { label: "Offers served", value: formatCount(served) },
  ];
  return (
    <Section title={`The last ${DAYS} days`} actions={<ReportLink channel={channel} />}>
      <div className="space-y-5">
        <Figures main={main} parts={parts} />
        {unpaid}
      </div>
    </Section>
  );
}

const ReportLink = ({ channel: { id, mode } }: { channel: Channel }) => (
  <Link
    href={`/offers/reports?channel=${id}&mode=${mode}`}
    className="text-primary text-sm underline underline-offset-4"
  >
    Open the report
  </Link>
);
