import { z } from "zod";
import { enforceRate } from "../../engines/counters/fail-open";
import { undefinedIfUnavailable } from "../../kernel/undefined-if-unavailable";
import { EXAMPLE_OFFER_ID } from "../../operation/example";
import type { Claim } from "../events/claims.sql";
import { chargeOf, eventRow, NO_CHARGE, payerOf } from "../events/event-rows";
import type { FactRow } from "../events/fact-rows";
import { IMPRESSION_IDS_MAX, IMPRESSIONS_RATE } from "../limits";
import type { OfferRecord } from "../offer-records/offer-record";
import { isOfferId, isServable } from "../offer-records/offer-times";
import { operation } from "../offers-operation";
import type { ImplausibleOffers } from "../traffic/plausible-traffic";
import { ageReason, type Traffic, trafficReason } from "../traffic/traffic-reason";
import type { ImpressionCtx } from "./impression-ctx";

/**
 * Counts each offer once, however often and from wherever it is reported. Unknown ids are ignored, and invalid traffic
 * is recorded with its reason. For a publisher's server, agents, addresses and times are trusted as far as the
 * channel's visitors make the number of reports plausible. The result is durable when this resolves. Throws
 * `unavailable` if Postgres is unavailable; then nothing was counted, and the client can retry.
 */
export const reportImpressions = operation({
  id: "reportImpressions",
  summary: "Report impressions",
  description:
    "Reports offers that were visible. Duplicates and unknown ids are ignored. Beacons may use text/plain. " +
    "`X-Ignored-Ids` is the number of ids that cannot be offer ids, such as an unfilled `<offer_id>`; it is absent if there are none. " +
    "A failed report counts nothing and can be repeated.",
  access: "offer_id",
  mediaTypes: ["application/json", "text/plain"],
  input: z.object({
    ids: z.array(z.string()).max(IMPRESSION_IDS_MAX).describe("Ids of offers that were visible"),
  }),
  output: z.object({ ignoredIds: z.int() }),
  result: "none",
  example: { input: { ids: [EXAMPLE_OFFER_ID] }, output: { ignoredIds: 0 } },
  run: async (ctx: ImpressionCtx, { ids }) => {
    if (ids.length > 0 && ctx.reporter.reportedBy === "browser") await withinRate(ctx);
    const now = ctx.clock.now().getTime();
    const reported = new Set(ids.map((id) => id.toLowerCase()));
    const known = [...reported].filter((id) => isServable(id, now));
    const records = (await Promise.all(known.map((id) => ctx.records.find(id)))).filter(
      (record) => record !== undefined,
    );
    const own = records.filter(({ channelId }) => (ctx.reporter.channelId ?? channelId) === channelId);
    const reasons = await reasonsAgainst(ctx, own, now);
    const open = own.filter((_, i) => reasons[i] === "");
    const lost = await countImpressions(ctx, open, now);
    const uncounted = own.flatMap((record, i) => {
      const reason = reasons[i] || (lost.has(record) ? "duplicate" : "");
      return reason === "" ? [] : [uncountedRow(ctx, record, { at: now, reason })];
    });
    const noted = ctx.facts.appendRows(uncounted.map((row) => ["impressions", row]));
    // If the disk is full, the counted impressions must not be reported again.
    await (lost.size < open.length ? undefinedIfUnavailable(noted) : noted);
    const ignoredIds = ids.filter((id) => !isOfferId(id)).length;
    ctx.ignoredIds.count += ignoredIds;
    return { ignoredIds };
  },
});

async function withinRate({ counters, visitor }: ImpressionCtx): Promise<void> {
  if (visitor.exempt) return;
  const take = { key: `impressions:${visitor.addressHash}`, rate: IMPRESSIONS_RATE };
  await enforceRate(counters, take, "Too many impression reports from this address; batch them and retry later.");
}

/** Why each offer does not count, as far as known before a claim. */
async function reasonsAgainst(ctx: ImpressionCtx, records: readonly OfferRecord[], at: number): Promise<Traffic[]> {
  const isServer = ctx.reporter.reportedBy === "server";
  const rules = records.map((record): Traffic => {
    const event = { offerId: record.id, at };
    return (isServer ? ageReason(event) : trafficReason(ctx.visitor, event)) || (record.seen ? "duplicate" : "");
  });
  const open = records.filter((_, i) => rules[i] === "");
  const implausible = isServer ? await ctx.plausible.ofServer(open) : await implausibleOfBrowser(ctx, open);
  return records.map(({ id }, i) => rules[i] || (implausible.get(id) ?? ""));
}

const implausibleOfBrowser = async (
  { plausible, visitor }: ImpressionCtx,
  records: readonly OfferRecord[],
): Promise<ImplausibleOffers> => (visitor.exempt ? new Map() : plausible.ofBrowser(records, visitor.networkHash));

/** Claims all of the impressions or none; returns the offers that were already claimed. */
async function countImpressions(
  ctx: ImpressionCtx,
  records: readonly OfferRecord[],
  at: number,
): Promise<ReadonlySet<OfferRecord>> {
  const lost = new Set<OfferRecord>();
  const claims = records.map((record) => claimOf(ctx, record, at));
  const won = await ctx.claims.claimTogether("impressions", claims).catch((failure: unknown) => {
    for (const record of records) record.reportFailed = true;
    throw failure;
  });
  const settling = records.map((record, i) => {
    if (!won[i] && !record.reportFailed) lost.add(record);
    record.reportFailed = false;
    record.seen = true;
    // Lost claims too: the process that won may have ended before it updated the counters.
    return ctx.caps.confirm(record);
  });
  await Promise.all(settling);
  return lost;
}

function claimOf(ctx: ImpressionCtx, record: OfferRecord, at: number): Claim {
  const charge = chargeOf(record, "impression", ctx.publisherShare);
  const row = { ...eventRow(record, at, charge), reported_by: ctx.reporter.reportedBy, traffic: "" };
  const { id: offerId, campaignId } = record;
  return { offerId, at, clickId: null, campaignId, chargeNanos: charge.chargeNanos, payerId: payerOf(record), row };
}

const uncountedRow = (
  { reporter }: ImpressionCtx,
  record: OfferRecord,
  { at, reason }: { at: number; reason: Traffic },
): FactRow => ({ ...eventRow(record, at, NO_CHARGE), reported_by: reporter.reportedBy, traffic: reason });
