import { ServiceError } from "../../kernel/errors";
import { uuidv7 } from "../../kernel/ids";
import { unlessAway } from "../../kernel/unless-away";
import { secondPriceNanos } from "../auction/second-price";
import { type Minted, reserveCaps } from "../caps/reserve-caps";
import { clickhouseTime, type EmptyReason, requestRows } from "../events/fact-rows";
import { USER_REQUESTS_MAX, USER_REQUESTS_WINDOW_MS } from "../limits";
import { decideOffers } from "../ranking/decide-offers";
import type { Candidate } from "../ranking/decision";
import { renderOffer } from "../ranking/render-offer";
import type { ServingChannel } from "../ranking/serving";
import type { ServeCtx } from "../serve-ctx";
import { type SteeringSignal, steeringSignals } from "../signals/steering-signals";
import { subjectKeysOf, userKeyOf } from "../signals/subject-keys";
import type { Offer, OffersResponse } from "./offer";
import type { OfferRecord } from "./offer-record";
import type { OffersRequest } from "./offers-request";
import { storedLocale } from "./stored-locale";

type OffersCtx = ServeCtx & { channel: ServingChannel };

/**
 * Up to `limit` offers that match the request, each with a record that is durable before the answer. Empty when
 * nothing fits; with `reason: "frequency_cap"` when the user asked too often or caps alone removed every match.
 * Throws `unavailable` when the offers cannot be recorded.
 */
export async function serveOffers(ctx: OffersCtx, request: OffersRequest): Promise<OffersResponse> {
  const now = ctx.clock.now().getTime();
  const requestId = uuidv7(now);
  const asked = { request, requestId, now };
  if (request.user_id && !(await takeUserRequest(ctx, request.user_id, requestId))) {
    const nothing = { minted: [], competing: [], recordByMs: Number.POSITIVE_INFINITY, userKey: "" };
    return answer(ctx, { ...asked, ...nothing, reason: "frequency_cap" });
  }
  const rights = ctx.consent.rightsOf(ctx.visitor, request.consent);
  const signals = await gatherSignals(ctx, request, rights.signals);
  const { candidates } = decideOffers(
    ctx.catalog.snapshot(),
    { ...request, channelId: ctx.channel.id, signals },
    { now: new Date(now), seed: requestId },
  );
  const user = request.user_id ? userKeyOf(ctx.userKey, ctx.channel.tenantId, request.user_id) : "";
  const { capped, ...reserved } = await reserveCaps(ctx, {
    candidates: rights.caps ? candidates : candidates.filter(({ campaign }) => campaign.caps.length === 0),
    user: rights.caps ? user : "",
    wanted: request.limit,
    now,
  });
  const reason =
    reserved.minted.length > 0
      ? ""
      : capped
        ? "frequency_cap"
        : isEmpty(request, signals)
          ? "empty_request"
          : "no_match";
  return answer(ctx, { ...asked, ...reserved, userKey: rights.signals ? user : "", reason });
}

const isEmpty = (request: OffersRequest, signals: readonly SteeringSignal[]): boolean =>
  request.query.trim() === "" && request.context.trim() === "" && signals.length === 0;

/** True while this user's requests on this channel stay within their sliding window. */
async function takeUserRequest(
  { counters, channel, userKey }: OffersCtx,
  userId: string,
  requestId: string,
): Promise<boolean> {
  const user = userKeyOf(userKey, channel.tenantId, userId);
  const asked = counters.reserve({
    user,
    windows: [{ key: `requests:${channel.id}`, count: USER_REQUESTS_MAX, windowMs: USER_REQUESTS_WINDOW_MS }],
    candidates: [{ id: requestId, windows: [0] }],
    wanted: 1,
    holdMs: USER_REQUESTS_WINDOW_MS,
  });
  // Without counters nobody is refused: this limit guards svc, not a promise to an advertiser.
  const reserved = await unlessAway(asked);
  return reserved === undefined || reserved.verdicts[0] === "reserved";
}

/** Inline signals are remembered first and then recalled like any other: that makes both ways equal. */
async function gatherSignals(ctx: OffersCtx, request: OffersRequest, remembers: boolean): Promise<SteeringSignal[]> {
  const inline = request.signals ?? [];
  const { tenantId } = ctx.channel;
  const keys = subjectKeysOf(ctx.userKey, tenantId, { userId: request.user_id, sessionId: request.session_id });
  if (keys.length === 0 || !remembers) return steeringSignals(inline.map((signal) => ({ signal, ageMs: 0 })));
  if (inline.length > 0) await ctx.signals.remember(tenantId, keys, inline);
  return steeringSignals(await ctx.signals.recall(keys));
}

interface Answer {
  request: OffersRequest;
  requestId: string;
  now: number;
  minted: Minted[];
  competing: readonly Candidate[];
  recordByMs: number;
  /** Kept with the offers, so that an order finds them; "" when nothing may be kept. */
  userKey: string;
  reason: EmptyReason;
}

async function answer(ctx: OffersCtx, given: Answer): Promise<OffersResponse> {
  const { request, requestId, now, minted, reason } = given;
  await givingBackOnFailure(ctx, minted, async () => {
    const records = minted.map((one) => recordOf(ctx, given, one));
    ctx.catalog.noteServed(records);
    if (records.length > 0) await ctx.records.write(records);
    if (performance.now() > given.recordByMs) throw recordedTooLate();
    const { placement, geo, device } = request;
    const { id: channel_id, tenantId: tenant_id, mode } = ctx.channel;
    const fields = { at: clickhouseTime(now), request_id: requestId, tenant_id, channel_id, mode };
    const asked = { placement, geo, device, locale: storedLocale(request.locale) };
    await ctx.facts.appendRows(requestRows({ ...fields, ...asked }, { records, reason }));
  });
  const offers = minted.map((one) => offerOf(ctx, request, one));
  return reason === "frequency_cap" ? { offers, reason } : { offers };
}

/** Offers that nobody will hear of give their places in the user's caps back. */
async function givingBackOnFailure(
  { caps }: OffersCtx,
  minted: readonly Minted[],
  record: () => Promise<void>,
): Promise<void> {
  try {
    await record();
  } catch (failure) {
    await caps.release(minted);
    throw failure;
  }
}

const recordedTooLate = (): ServiceError =>
  new ServiceError("unavailable", "The database took too long to record the offers; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "recorded_too_late" },
  });

/** Fields in the order of the specification. */
function offerOf({ publicUrl }: OffersCtx, request: OffersRequest, { id, candidate }: Minted): Offer {
  const { title, content, cta, ...rest } = renderOffer(candidate, request);
  return { id, title, content, cta, clickUrl: `${publicUrl}/api/v1/clicks/${id}`, ...rest };
}

function recordOf(
  ctx: OffersCtx,
  { request, requestId, competing, userKey }: Answer,
  { id, candidate, caps }: Minted,
): OfferRecord {
  const { campaign, item } = candidate;
  const { channel } = ctx;
  const house = campaign.tenantId === ctx.demoTenantId && campaign.tenantId !== channel.tenantId;
  return {
    id,
    requestId,
    tenantId: channel.tenantId,
    channelId: channel.id,
    mode: channel.mode,
    buyerTenantId: campaign.tenantId,
    advertiserId: campaign.advertiserId,
    campaignId: campaign.id,
    creativeId: creativeIdOf(candidate),
    productId: item.kind === "product" ? item.id : "",
    model: campaign.model,
    priceNanos: house || channel.mode === "test" ? 0 : secondPriceNanos(candidate, competing, ctx.reserve),
    house,
    landingUrl: item.landingUrl,
    placement: request.placement,
    geo: request.geo,
    device: request.device,
    locale: storedLocale(request.locale),
    caps,
    userKey,
    seen: false,
    clickId: undefined,
  };
}

const creativeIdOf = ({ item }: Candidate): string => (item.kind === "creative" ? item.id : "");
