import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { chargeOf, eventRow, type FactRow, NO_CHARGE } from "../events/fact-rows";
import { IMPRESSION_IDS_MAX, IMPRESSIONS_RATE } from "../limits";
import type { OfferRecord } from "../offers/offer-record";
import { isServable } from "../offers/offer-times";
import type { ServeCtx } from "../serve-ctx";
import { ageReason, type Traffic, trafficReason } from "../traffic/traffic-reason";

export const ReportImpressions = z.object({
  ids: z.array(z.string()).max(IMPRESSION_IDS_MAX).describe("Ids of offers that were really visible"),
});

/** Who reports: the visitor's browser, or a publisher's server under its channel's server key. */
export interface ImpressionReporter {
  reportedBy: "browser" | "server";
  /** A server key reports only offers of its own channel. */
  channelId?: string;
}

/**
 * Counts each offer once, however often and from wherever it is reported; strings that are no known offer are ignored,
 * invalid traffic is recorded with its reason. A publisher's server is believed about agents, addresses and time.
 * Durable when it resolves. Throws `unavailable` when Postgres is away: report again.
 */
export async function reportImpressions(
  ctx: ServeCtx & { reporter: ImpressionReporter },
  { ids }: z.output<typeof ReportImpressions>,
): Promise<void> {
  if (ids.length > 0 && ctx.reporter.reportedBy === "browser") await withinRate(ctx);
  const now = ctx.clock.now().getTime();
  const asked = new Set(ids.map((id) => id.toLowerCase()));
  const known = [...asked].filter((id) => isServable(id, now));
  const records = (await Promise.all(known.map((id) => ctx.records.find(id)))).filter((record) => record !== undefined);
  const own = records.filter(({ channelId }) => (ctx.reporter.channelId ?? channelId) === channelId);
  const uncounted = (await Promise.all(own.map((record) => countImpression(ctx, record, now)))).filter(
    (row) => row !== undefined,
  );
  if (uncounted.length > 0) await ctx.facts.appendRows(uncounted.map((row) => ["impressions", row]));
}

async function withinRate({ counters, visitor }: ServeCtx): Promise<void> {
  if (visitor.exempt) return;
  // Without counters nothing limits reports, but they are worth more than the limit.
  const verdict = await counters.take(`impressions:${visitor.addressHash}`, IMPRESSIONS_RATE).catch(ifAway);
  if (!verdict || verdict.allowed) return;
  throw new ServiceError("rate_limited", "Too many impression reports from this address; batch them and retry later.", {
    retryAfterSeconds: Math.ceil(verdict.retryAfterMs / 1000),
  });
}

function ifAway(failure: unknown): undefined {
  if (!(failure instanceof ServiceError) || failure.code !== "unavailable") throw failure;
}

type ReportingCtx = ServeCtx & { reporter: ImpressionReporter };

/** Claims the impression; answers the row to record when it does not count. */
async function countImpression(ctx: ReportingCtx, record: OfferRecord, at: number): Promise<FactRow | undefined> {
  const { reportedBy } = ctx.reporter;
  const uncounted = (traffic: Traffic) => ({ ...eventRow(record, at, NO_CHARGE), reported_by: reportedBy, traffic });
  const event = { offerId: record.id, at };
  const traffic = reportedBy === "server" ? ageReason(event) : trafficReason(ctx.visitor, event);
  if (traffic !== "") return uncounted(traffic);
  if (record.seen) return uncounted("duplicate");
  const charge = chargeOf(record, "impression", ctx.publisherShare);
  const row = { ...eventRow(record, at, charge), reported_by: reportedBy, traffic: "" };
  const won = await ctx.claims.claim("impressions", {
    offerId: record.id,
    at,
    clickId: null,
    campaignId: record.campaignId,
    chargeNanos: charge.chargeNanos,
    row,
  });
  record.seen = true;
  // A lost claim too: whoever won it may have ended before the counters heard of it.
  await ctx.caps.settle(record);
  return won ? undefined : uncounted("duplicate");
}
