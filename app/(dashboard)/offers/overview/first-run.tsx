import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import { AdvertiserSteps } from "./advertiser-steps";
import { PublisherSteps } from "./publisher-steps";
import type { Report } from "./report";
import { campaignAhead } from "./serving-state";

/** Until the first impression the steps update live. */
const POLL_MS = 3_000;
/** Who is still at the first steps has few campaigns. */
const CAMPAIGNS_MAX = 20;

/**
 * Steps to the first offer shown and to the first campaign seen, side by side until one of the two has begun; then only
 * what has begun is shown. Each list disappears with its first impression.
 */
export function FirstRun({ totals }: { totals: Report["totals"] }) {
  const { mode } = useMode();
  const channels = useQueryOf("listChannels", { mode, limit: 1 });
  const advertisers = useQueryOf("listAdvertisers", { mode, limit: 1 });
  const campaigns = useQueryOf(
    "listCampaignFigures",
    { mode, sort: "impressions", limit: CAMPAIGNS_MAX },
    // A campaign that was seen has nothing to wait for, and without an advertiser there is none.
    { refetchInterval: ({ state: { data } }) => (data && isWaiting(data.data) ? POLL_MS : false) },
  );
  if (!channels.data || !advertisers.data || !campaigns.data) return null;
  const channel = channels.data.data[0];
  const campaign = campaignAhead(campaigns.data.data, { hasChannel: channel !== undefined });
  const hasAdvertiser = advertisers.data.data.length > 0;
  const isPublisherDone = totals.impressions > 0;
  const isAdvertiserDone = (campaign?.impressions ?? 0) > 0;
  const isNew = !channel && !hasAdvertiser;
  const hasPublisher = !isPublisherDone && (channel !== undefined || isNew);
  const hasAdvertising = !isAdvertiserDone && (hasAdvertiser || (isNew && !isPublisherDone));
  if (!hasPublisher && !hasAdvertising) return null;
  return (
    <div className={hasPublisher && hasAdvertising ? "grid items-start gap-6 xl:grid-cols-2" : undefined}>
      {hasPublisher && <PublisherSteps channel={channel} totals={totals} />}
      {hasAdvertising && <AdvertiserSteps hasAdvertiser={hasAdvertiser} campaign={campaign} />}
    </div>
  );
}

const isWaiting = (campaigns: readonly { figures: { impressions: number } | null }[]): boolean =>
  campaigns.length > 0 && campaigns.every(({ figures }) => (figures?.impressions ?? 0) === 0);
