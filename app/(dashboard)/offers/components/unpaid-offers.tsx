import { Alert } from "../../../components/ui/alert";
import { amountOf, formatMoney } from "../../../format/money";
import { formatCount } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";
import { useQueryOf } from "../../../trpc/use-operation";
import { type OfferOwners, offerOwnersOf } from "./offer-owners";

const REFRESH_MS = 30_000;

interface UnpaidOffersProps {
  /** Such as "the last 30 days". */
  period: string;
  mode: "test" | "live";
  timezone: string;
  /** The first day and, exclusive, the last one; by default until now. */
  from: string;
  to?: string | undefined;
  /** By default all channels. */
  channelId?: string;
}

/** Says how much of the traffic was on offers that earn nothing, and in test mode what it would have earned. Nothing where all offers pay. */
export function UnpaidOffers({ period, mode, timezone, from, to, channelId }: UnpaidOffersProps) {
  const report = useQueryOf(
    "getReport",
    { mode, timezone, from, ...(to && { to }), group_by: "channel,campaign" },
    { refetchInterval: REFRESH_MS },
  );
  const earnings = useQueryOf("getEarnings", { mode });
  if (!report.data || !earnings.data) return null;
  const owners = offerOwnersOf(report.data.rows, channelId);
  if (mode === "test") return <Simulated period={period} owners={owners} earnings={earnings.data} />;
  const { house, own } = owners;
  if (house.impressions + house.clicks + own.impressions + own.clicks === 0) return null;
  return (
    <Alert>
      {house.impressions + house.clicks > 0 && (
        <p>
          <strong>House offers earn nothing:</strong> {eventsText(house)} in {period}. They are campaigns of the demo
          account, which are not paid for.
        </p>
      )}
      {own.impressions + own.clicks > 0 && (
        <p>
          <strong>Your own campaigns earn nothing on your channels:</strong> {eventsText(own)} in {period}.
        </p>
      )}
    </Alert>
  );
}

interface SimulatedProps {
  period: string;
  owners: OfferOwners;
  earnings: Outputs["getEarnings"];
}

/** Test offers are free, house offers among them; a click on either is taken as one on a paid offer. */
function Simulated({ period, owners: { house, others }, earnings: { least_click_micros, currency } }: SimulatedProps) {
  const clicks = house.clicks + others.clicks;
  return (
    <Alert>
      <strong>
        Simulated earnings in {period}: {formatMoney(clicks * least_click_micros, currency)}.
      </strong>{" "}
      {formatCount(clicks)} {clicks === 1 ? "click" : "clicks"} on offers from other tenants, at{" "}
      {amountOf(least_click_micros)} {currency} each, the minimum for a click on a paid offer. Test mode charges and
      pays nothing, and house offers earn nothing in live mode either.
    </Alert>
  );
}

const eventsText = ({ impressions, clicks }: OfferOwners["house"]): string =>
  `${formatCount(impressions)} ${impressions === 1 ? "impression" : "impressions"} and ${formatCount(clicks)} ${clicks === 1 ? "click" : "clicks"}`;
