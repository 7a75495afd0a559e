import { ServiceError } from "../../kernel/errors";
import { uuidv7 } from "../../kernel/ids";
import { type NewOffer, reserveCaps } from "../caps/reserve-caps";
import { type EmptyReason, requestRows } from "../events/request-rows";
import { newRecord } from "../offer-records/new-record";
import { storedLocale } from "../offer-records/stored-locale";
import { operation } from "../offers-operation";
import { decideOffers } from "../ranking/decide-offers";
import type { Candidate } from "../ranking/decision";
import { gatherSignals } from "../signals/gather-signals";
import type { SteeringSignal } from "../signals/steering-signals";
import { userKeyOf } from "../users/subject-keys";
import { takeUserRequest } from "../users/take-user-request";
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
    const user = request.user_id ? userKeyOf(ctx.userKey, ctx.channel.tenantId, request.user_id) : "";
    if (user && !(await takeUserRequest(ctx, user, requestId))) {
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
  try {
    await record(ctx, given);
  } catch (failure) {
    // Offers that are not returned give back what they have reserved in frequency caps.
    await ctx.caps.release(given.newOffers);
    throw failure;
  }
  const offers = given.newOffers.map((one) => offerOf(ctx, given, one));
  return given.reason === "frequency_cap" ? { offers, reason: given.reason } : { offers };
}

/** Stores the offers and the request, durable before it returns. */
async function record(ctx: OffersCtx, given: ResponseParts): Promise<void> {
  const { request, requestId, now, newOffers, terms, reason } = given;
  const records = newOffers.map((one) => newRecord(ctx, given, one));
  ctx.catalog.recordServed(records);
  if (records.length > 0) await ctx.records.write(records);
  if (performance.now() > given.recordByMs) throw recordedTooLate();
  const { placement, geo, device } = request;
  const { id: channel_id, tenantId: tenant_id, mode } = ctx.channel;
  const fields = { request_id: requestId, tenant_id, channel_id, mode };
  const page = { placement, geo, device, locale: storedLocale(request.locale) };
  await ctx.facts.appendRows(requestRows({ ...fields, ...page }, { atMs: now, records, reason, terms }));
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
