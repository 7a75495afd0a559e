import { randomBytes } from "node:crypto";
import { ServiceError } from "../../kernel/errors";
import { isUuid, uuidv7Ms } from "../../kernel/ids";
import { eventRow, NO_CHARGE, type Traffic } from "../events/fact-rows";
import { claimOf } from "../events/replay-click";
import { CLICKS_RATE, OFFER_COUNTS_MS, OFFER_REDIRECTS_MS } from "../limits";
import type { OfferRecord } from "../offers/offer-record";
import type { ServeCtx } from "../serve-ctx";

/**
 * Where a click leads: `{ location }`, the landing page from the record with `svc_click_id`. The first click within
 * 2 h counts; every other one redirects as well and is recorded with its reason. Durable before it is answered.
 * Throws `not_found` for what is no offer of the last 30 days, `unavailable` when neither Postgres nor memory knows it.
 */
export async function recordClick(ctx: ServeCtx, { offer_id }: { offer_id: string }): Promise<{ location: string }> {
  const id = offer_id.toLowerCase();
  const record = isServable(id, ctx.clock.now().getTime()) ? await ctx.records.find(id) : undefined;
  if (!record) throw new ServiceError("not_found", "This offer does not exist or is over.");
  if (ctx.visitor.head || ctx.visitor.prefetch) return { location: record.landingUrl };
  const clickId = await countClick(ctx, record);
  return { location: withClickId(record.landingUrl, clickId) };
}

const isServable = (id: string, now: number): boolean => isUuid(id) && now - uuidv7Ms(id) < OFFER_REDIRECTS_MS;

/** The click id to hand to the landing page, once what happened is durable. */
async function countClick(ctx: ServeCtx, record: OfferRecord): Promise<string | undefined> {
  const at = ctx.clock.now().getTime();
  if (at - uuidv7Ms(record.id) > OFFER_COUNTS_MS) return recordUncounted(ctx, record, { at, traffic: "expired" });
  if (!(await withinRate(ctx))) return recordUncounted(ctx, record, { at, traffic: "rate_limited" });
  if (record.clickId) return recordUncounted(ctx, record, { at, traffic: "duplicate" });
  const clickId = randomBytes(16).toString("hex");
  try {
    if (await ctx.claims.claim("clicks", claimOf(record, { clickId, at, publisherShare: ctx.publisherShare }))) {
      record.clickId = clickId;
      return clickId;
    }
  } catch (failure) {
    if (!(failure instanceof ServiceError) || failure.code !== "unavailable") throw failure;
    // Postgres is away: the visitor goes on under this id, and replay claims it.
    await ctx.facts.appendClick({ offer_id: record.id, click_id: clickId, at });
    record.clickId = clickId;
    return clickId;
  }
  // Should Postgres leave in this very moment, the visitor still goes on.
  record.clickId = (await ctx.records.refresh(record.id).catch(() => undefined))?.clickId;
  return recordUncounted(ctx, record, { at, traffic: "duplicate" });
}

async function withinRate({ counters, visitor }: ServeCtx): Promise<boolean> {
  if (visitor.exempt) return true;
  return (await counters.take(`click:${visitor.addressHash}`, CLICKS_RATE)).allowed;
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
