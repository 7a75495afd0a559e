import { randomBytes } from "node:crypto";
import type { Rate } from "../../engines/counters/counters";
import { answeredWithin } from "../../kernel/answered-within";
import { ServiceError } from "../../kernel/errors";
import { eventRow, NO_CHARGE } from "../events/fact-rows";
import { claimOf } from "../events/replay-click";
import { CLICKS_RATE, STORE_WAIT_MS, UNKNOWN_CLICKS_RATE } from "../limits";
import type { OfferRecord } from "../offers/offer-record";
import { isServable } from "../offers/offer-times";
import type { ServeCtx } from "../serve-ctx";
import { type Traffic, trafficReason } from "../traffic/traffic-reason";

/**
 * Where a click leads: `{ location }`, the landing page from the record. The first valid click within 2 h counts and
 * puts `svc_click_id` there; every other one redirects as well and is recorded with its reason. Durable before it is
 * answered.
 * Throws `not_found` for what is no offer of the last 30 days, `unavailable` when memory does not know it and
 * Postgres does not answer in time, `rate_limited` when this address asked for too many offers that never were.
 */
export async function recordClick(ctx: ServeCtx, { offer_id }: { offer_id: string }): Promise<{ location: string }> {
  const record = await findOffer(ctx, offer_id.toLowerCase());
  if (!record) throw new ServiceError("not_found", "This offer does not exist or is over.");
  const clickId = await countClick(ctx, record);
  return { location: withClickId(record.landingUrl, clickId) };
}

/** Guessing ids costs Postgres a look each: only misses are counted, so that visitors with real links never wait. */
async function findOffer(ctx: ServeCtx, id: string): Promise<OfferRecord | undefined> {
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
  new ServiceError("rate_limited", "Too many clicks on offers that do not exist came from this address; retry later.", {
    retryAfterSeconds: Math.ceil(1 / UNKNOWN_CLICKS_RATE.perSecond),
  });

/** The click id to hand to the landing page, once what happened is durable. */
async function countClick(ctx: ServeCtx, record: OfferRecord): Promise<string | undefined> {
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
  const clickId = randomBytes(16).toString("hex");
  try {
    const claim = claimOf(record, { clickId, at, publisherShare: ctx.publisherShare });
    if (await answeredWithin(STORE_WAIT_MS, ctx.claims.claim("clicks", claim))) {
      record.clickId = clickId;
      return clickId;
    }
  } catch (failure) {
    if (!(failure instanceof ServiceError) || failure.code !== "unavailable") throw failure;
    // Postgres is away or stuck: the visitor goes on under this id, and replay claims it unless that claim got through.
    await ctx.facts.appendClick({ offer_id: record.id, click_id: clickId, at });
    record.clickId = clickId;
    return clickId;
  }
  // Should Postgres leave in this very moment, the visitor still goes on.
  record.clickId = (await ctx.records.refresh(record.id).catch(() => undefined))?.clickId;
  return recordUncounted(ctx, record, { at, traffic: "duplicate" });
}

/** Takes `cost` from the bucket, or with 0 only looks whether anything is left; true while the counters are away. */
async function withinRate(
  { counters, visitor }: ServeCtx,
  { bucket, rate, cost }: { bucket: string; rate: Rate; cost: 0 | 1 },
): Promise<boolean> {
  if (visitor.exempt) return true;
  try {
    const { allowed, remaining } = await counters.take(bucket, rate, cost);
    return cost === 0 ? remaining > 0 : allowed;
  } catch (failure) {
    if (failure instanceof ServiceError && failure.code === "unavailable") return true;
    throw failure;
  }
}

async function recordUncounted(
  ctx: ServeCtx,
  record: OfferRecord,
  { at, traffic }: { at: number; traffic: Traffic },
): Promise<string | undefined> {
  const row = { ...eventRow(record, at, NO_CHARGE), click_id: record.clickId ?? "", traffic };
  await ctx.facts.appendRows([["clicks", row]]);
  return record.clickId;
}

/** Appends `svc_click_id`; the rest of the landing page's URL stays as the advertiser wrote it. */
function withClickId(landingUrl: string, clickId: string | undefined): string {
  if (!clickId) return landingUrl;
  const [url, ...hash] = landingUrl.split("#");
  const fragment = hash.length > 0 ? `#${hash.join("#")}` : "";
  return `${url}${url?.includes("?") ? "&" : "?"}svc_click_id=${clickId}${fragment}`;
}
