import { failOpen } from "../../engines/counters/fail-open";
import { ServiceError } from "../../kernel/errors";
import { uuidv7 } from "../../kernel/ids";
import { secondPriceNanos } from "../auction/second-price";
import { type NewOffer, reserveCaps } from "../caps/reserve-caps";
import { clickhouseTime, type EmptyReason, requestRows } from "../events/fact-rows";
import { USER_REQUESTS_MAX, USER_REQUESTS_WINDOW_MS } from "../limits";
import type { OfferRecord } from "../offer-records/offer-record";
import { storedLocale } from "../offer-records/stored-locale";
import { operation } from "../offers-operation";
import { decideOffers } from "../ranking/decide-offers";
import type { Candidate } from "../ranking/decision";
import type { Signal } from "../signals/signal";
import { type SteeringSignal, steeringSignals } from "../signals/steering-signals";
import { subjectKeysOf, userKeyOf } from "../users/subject-keys";
import { type Offer, OffersResponse } from "./offer";
import { offersExample, offersRequestExample } from "./offer.example";
import type { OffersCtx } from "./offers-ctx";
import { OffersRequest } from "./offers-request";
import { renderOffer } from "./render-offer";

/**
 * Returns up to `limit` offers that match the request; each has a record that is durable before the response is sent.
 * The list is empty if nothing matches, with `reason: "frequency_cap"` if the user sent too many requests or caps
 * removed every match. Throws `unavailable` if the offers cannot be stored.
 */
export const serveOffers = operation({
  id: "serveOffers",
  summary: "Get offers for a query",
  description: "Returns up to 8 offers that match the query and context, or an empty list if nothing matches.",
  access: "channel_key",
  cost: "normal",
  input: OffersRequest,
  output: OffersResponse,
  example: {
    input: {
      ...offersRequestExample,
      context: "A guide to autumn trail races",
      signals: [{ category: "Shoes>Running", confidence: 0.8 }],
    },
    output: offersExample,
  },
  run: async (ctx: OffersCtx, request) => {
    const now = ctx.clock.now().getTime();
    const requestId = uuidv7(now);
    const input = { request, requestId, now };
    if (request.user_id && !(await takeUserRequest(ctx, request.user_id, requestId))) {
      const nothing = { newOffers: [], competing: [], terms: [], recordByMs: Number.POSITIVE_INFINITY, userKey: "" };
      return respond(ctx, { ...input, ...nothing, reason: "frequency_cap" });
    }
    const rights = ctx.consent.rightsOf(ctx.visitor, request.consent);
    // Begins before the signals are read; it never rejects.
    const nearest = ctx.nearest?.of(request.query);
    const signals = await gatherSignals(ctx, request, rights.signals);
    const neighbours = nearest && (await nearest);
    const { candidates, terms } = decideOffers(
      ctx.catalog.snapshot(),
      { ...request, channelId: ctx.channel.id, signals },
      { now: new Date(now), seed: requestId, neighbours, memory: ctx.decisions },
    );
    const user = request.user_id ? userKeyOf(ctx.userKey, ctx.channel.tenantId, request.user_id) : "";
    const { capped, ...reserved } = await reserveCaps(ctx, {
      candidates: rights.caps ? candidates : candidates.filter(({ campaign }) => campaign.caps.length === 0),
      user: rights.caps ? user : "",
      wanted: request.limit,
      now,
    });
    const reason =
      reserved.newOffers.length > 0
        ? ""
        : capped
          ? "frequency_cap"
          : isEmpty(request, signals)
            ? "empty_request"
            : "no_match";
    return respond(ctx, {
      ...input,
      ...reserved,
      userKey: rights.signals ? user : "",
      // The words are stored without the visitor, but beside the id of an offer that may be stored with them.
      terms: rights.signals && rights.caps ? terms : [],
      reason,
    });
  },
});

const isEmpty = (request: OffersRequest, signals: readonly SteeringSignal[]): boolean =>
  request.query.trim() === "" && request.context.trim() === "" && signals.length === 0;

/** True while this user's requests on this channel are within the rate limit. */
async function takeUserRequest(
  { counters, channel, userKey }: OffersCtx,
  userId: string,
  requestId: string,
): Promise<boolean> {
  const user = userKeyOf(userKey, channel.tenantId, userId);
  const reservation = counters.reserve({
    user,
    windows: [{ key: `requests:${channel.id}`, count: USER_REQUESTS_MAX, windowMs: USER_REQUESTS_WINDOW_MS }],
    candidates: [{ id: requestId, windows: [0] }],
    wanted: 1,
    holdMs: USER_REQUESTS_WINDOW_MS,
  });
  const reserved = await failOpen(reservation);
  return reserved === undefined || reserved.verdicts[0] === "reserved";
}

/** Inline signals are stored first and then read like any others, so that both ways have the same effect. */
async function gatherSignals(ctx: OffersCtx, request: OffersRequest, remembers: boolean): Promise<SteeringSignal[]> {
  const inline = request.signals ?? [];
  const { tenantId } = ctx.channel;
  const keys = subjectKeysOf(ctx.userKey, tenantId, { userId: request.user_id, sessionId: request.session_id });
  if (keys.length === 0 || !remembers) return steeringSignals(inline.map((signal) => ({ signal, ageMs: 0 })));
  const kept = inline.length === 0 || (await rememberInline(ctx, keys, inline));
  const recalled = await ctx.signals.recall(keys);
  return steeringSignals(kept ? recalled : [...inline.map((signal) => ({ signal, ageMs: 0 })), ...recalled]);
}

/** False if the tenant exceeds its limit for stored signals; the signals then affect only this request. */
async function rememberInline(ctx: OffersCtx, keys: readonly string[], inline: readonly Signal[]): Promise<boolean> {
  try {
    await ctx.signals.remember(ctx.channel.tenantId, keys, inline);
    return true;
  } catch (failure) {
    if (failure instanceof ServiceError && failure.code === "rate_limited") return false;
    throw failure;
  }
}

interface ResponseParts {
  request: OffersRequest;
  requestId: string;
  now: number;
  newOffers: NewOffer[];
  competing: readonly Candidate[];
  recordByMs: number;
  /** Stored with the offers, so that conversions can be attributed; empty if consent forbids it. */
  userKey: string;
  /** Stored with the offers, to learn from their clicks; empty if consent forbids it. */
  terms: readonly string[];
  reason: EmptyReason;
}

async function respond(ctx: OffersCtx, given: ResponseParts): Promise<OffersResponse> {
  const { request, requestId, now, newOffers, terms, reason } = given;
  await givingBackOnFailure(ctx, newOffers, async () => {
    const records = newOffers.map((one) => recordOf(ctx, given, one));
    ctx.catalog.recordServed(records);
    if (records.length > 0) await ctx.records.write(records);
    if (performance.now() > given.recordByMs) throw recordedTooLate();
    const { placement, geo, device } = request;
    const { id: channel_id, tenantId: tenant_id, mode } = ctx.channel;
    const fields = { at: clickhouseTime(now), request_id: requestId, tenant_id, channel_id, mode };
    const page = { placement, geo, device, locale: storedLocale(request.locale) };
    await ctx.facts.appendRows(requestRows({ ...fields, ...page }, { records, reason, terms }));
  });
  const offers = newOffers.map((one) => offerOf(ctx, given, one));
  return reason === "frequency_cap" ? { offers, reason } : { offers };
}

/** Releases the frequency-cap reservations of offers that will not be returned. */
async function givingBackOnFailure(
  { caps }: OffersCtx,
  newOffers: readonly NewOffer[],
  record: () => Promise<void>,
): Promise<void> {
  try {
    await record();
  } catch (failure) {
    await caps.release(newOffers);
    throw failure;
  }
}

const recordedTooLate = (): ServiceError =>
  new ServiceError("unavailable", "The database took too long to record the offers; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "recorded_too_late" },
  });

/** Fields in the order of the specification. */
function offerOf({ publicUrl }: OffersCtx, { request, now }: ResponseParts, { id, candidate }: NewOffer): Offer {
  const { title, content, cta, ...rest } = renderOffer(candidate, request, now);
  return { id, title, content, cta, clickUrl: `${publicUrl}/api/v1/clicks/${id}`, ...rest };
}

function recordOf(
  ctx: OffersCtx,
  { request, requestId, competing, userKey }: ResponseParts,
  { id, candidate, caps }: NewOffer,
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
