import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Rate } from "../../engines/counters/counters";
import { failOpen } from "../../engines/counters/fail-open";
import { ServiceError } from "../../kernel/errors";
import { undefinedIfUnavailable } from "../../kernel/undefined-if-unavailable";
import { withTimeout } from "../../kernel/with-timeout";
import { EXAMPLE_OFFER_ID } from "../../operation/example";
import { eventRow, NO_CHARGE } from "../events/event-rows";
import { claimOf } from "../events/replay-click";
import { CLICKS_RATE, STORE_WAIT_MS, UNKNOWN_CLICKS_RATE } from "../limits";
import type { OfferRecord } from "../offer-records/offer-record";
import { isServable } from "../offer-records/offer-times";
import { operation } from "../offers-operation";
import { type Traffic, trafficReason } from "../traffic/traffic-reason";
import type { ClickCtx } from "./click-ctx";

/**
 * Returns the landing page of an offer as `{ location }`. The first valid click within 2 h counts and adds
 * `svc_click_id` to the URL; every other click redirects as well and is recorded with its reason. Clicks are durable
 * before the response, unless both Postgres and the write-ahead file fail. Throws `not_found` if there is no such offer
 * in the last 30 days, `unavailable` if the offer is not in memory and Postgres does not respond in time, and
 * `rate_limited` if this address requested too many unknown offers.
 */
export const followClick = operation({
  id: "followClick",
  summary: "Follow an offer's link",
  description: "Records the click and redirects to the advertiser's landing page.",
  access: "offer_id",
  result: "redirect",
  input: z.object({ offer_id: z.string() }),
  output: z.object({ location: z.string() }),
  example: {
    input: { offer_id: EXAMPLE_OFFER_ID },
    output: { location: "https://fjell.example/trail-runner-3?svc_click_id=5f0c1a7e9b3d4c2e8a6f0b1d2c3e4f5a" },
  },
  run: async (ctx: ClickCtx, { offer_id }) => {
    const record = await findOffer(ctx, offer_id.toLowerCase());
    if (!record) throw new ServiceError("not_found", "This offer does not exist or has expired.");
    // If nothing can be stored (a full disk), the visitor is redirected anyway and the click is not counted.
    const clickId = await undefinedIfUnavailable(countClick(ctx, record));
    return { location: withClickId(record.landingUrl, clickId) };
  },
});

/** Each guessed id costs a Postgres query. Only misses are counted, so visitors with real links are never limited. */
async function findOffer(ctx: ClickCtx, id: string): Promise<OfferRecord | undefined> {
  if (!isServable(id, ctx.clock.now().getTime())) return undefined;
  const remembered = ctx.records.remembered(id);
  if (remembered) return remembered;
  const bucket = `unknown_click:${ctx.visitor.addressHash}`;
  if (!(await withinRate(ctx, { bucket, rate: UNKNOWN_CLICKS_RATE, cost: 0 }))) throw tooManyUnknown();
  const record = await ctx.records.find(id);
  if (!record) await withinRate(ctx, { bucket, rate: UNKNOWN_CLICKS_RATE, cost: 1 });
  return record;
}

const tooManyUnknown = (): ServiceError =>
  new ServiceError("rate_limited", "Too many clicks on unknown offers from this address; retry later.", {
    retryAfterSeconds: Math.ceil(1 / UNKNOWN_CLICKS_RATE.perSecond),
  });

/** The click id for the landing page, returned once the click is durable. */
async function countClick(ctx: ClickCtx, record: OfferRecord): Promise<string | undefined> {
  const at = ctx.clock.now().getTime();
  const traffic = trafficReason(ctx.visitor, { offerId: record.id, at });
  if (traffic !== "") {
    await recordUncounted(ctx, record, { at, traffic });
    return undefined;
  }
  const bucket = `click:${ctx.visitor.addressHash}`;
  if (!(await withinRate(ctx, { bucket, rate: CLICKS_RATE, cost: 1 })))
    return recordUncounted(ctx, record, { at, traffic: "rate_limited" });
  if (record.clickId) return recordUncounted(ctx, record, { at, traffic: "duplicate" });
  const implausible = ctx.visitor.exempt ? "" : await ctx.plausible.ofClick(record, ctx.visitor.networkHash);
  if (implausible !== "") {
    await recordUncounted(ctx, record, { at, traffic: implausible });
    return undefined;
  }
  const clickId = randomBytes(16).toString("hex");
  try {
    const claim = claimOf(record, { clickId, at, publisherShare: ctx.publisherShare });
    if (await withTimeout(STORE_WAIT_MS, ctx.claims.claim("clicks", claim))) {
      record.clickId = clickId;
      return clickId;
    }
  } catch (failure) {
    if (!(failure instanceof ServiceError) || failure.code !== "unavailable") throw failure;
    // Postgres is unavailable or slow: the visitor is redirected with this id, and replay claims the click unless that
    // claim succeeded.
    await ctx.facts.appendClick({ offer_id: record.id, click_id: clickId, at });
    record.clickId = clickId;
    return clickId;
  }
  // If Postgres fails at this point, the visitor is still redirected.
  record.clickId = (await ctx.records.refresh(record.id).catch(() => undefined))?.clickId;
  return recordUncounted(ctx, record, { at, traffic: "duplicate" });
}

/**
 * Takes `cost` from the bucket, or with 0 only checks whether anything is left. Returns true while the counters are
 * unavailable.
 */
async function withinRate(
  { counters, visitor }: ClickCtx,
  { bucket, rate, cost }: { bucket: string; rate: Rate; cost: 0 | 1 },
): Promise<boolean> {
  if (visitor.exempt) return true;
  const verdict = await failOpen(counters.take(bucket, rate, cost));
  if (verdict === undefined) return true;
  return cost === 0 ? verdict.remaining > 0 : verdict.allowed;
}

async function recordUncounted(
  ctx: ClickCtx,
  record: OfferRecord,
  { at, traffic }: { at: number; traffic: Traffic },
): Promise<string | undefined> {
  const row = { ...eventRow(record, at, NO_CHARGE), click_id: record.clickId ?? "", traffic };
  await ctx.facts.appendRows([["clicks", row]]);
  return record.clickId;
}

/** Appends `svc_click_id` and leaves the rest of the landing page's URL unchanged. */
function withClickId(landingUrl: string, clickId: string | undefined): string {
  if (!clickId) return landingUrl;
  const [url, ...hash] = landingUrl.split("#");
  const fragment = hash.length > 0 ? `#${hash.join("#")}` : "";
  return `${url}${url?.includes("?") ? "&" : "?"}svc_click_id=${clickId}${fragment}`;
}
