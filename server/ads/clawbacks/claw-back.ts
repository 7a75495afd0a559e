import { z } from "zod";
import { notFound, ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { suspendChannel } from "../channels/suspend-channel";
import { pendingSince } from "../earnings/pending";
import { id, text } from "../fields";
import type { ClawBackCtx, Clawback, ClawbackSums, ClawbackTerms } from "./clawback";
import { beginClawback, unfinishedClawback } from "./clawback.sql";
import { finishClawback } from "./finish-clawback";
import { reverseEvents } from "./reverse-events.sql";
import { reversibleEvents } from "./reversible.sql";

const OFFERS_MAX = 1000;
const moment = z.coerce.date("expected a date such as 2026-11-01 (UTC), or a time such as 2026-11-01T08:00:00Z");

export const ClawBack = z.strictObject({
  channel: id,
  from: moment.optional().describe("Start of the period; default: the oldest pending event"),
  to: moment.optional().describe("End of the period, exclusive; default: now"),
  offers: z.array(z.uuid("expected the ids of offers")).max(OFFERS_MAX).default([]),
  reason: text(500).describe("Sent to the publisher"),
  include_available: z.boolean().default(false),
  block: z.boolean().default(false).describe("Suspends network campaigns on the channel first"),
  confirmed: z.boolean().default(false).describe("Required to make changes; otherwise only a preview is returned"),
});

export interface ClawBackResult {
  terms: ClawbackTerms;
  /** Matching events that have not been reversed, by UTC day. */
  found: ({ day: string } & ClawbackSums)[];
  /** The clawbacks that were finished, an interrupted one first; empty without `confirmed`. */
  finished: (Clawback & ClawbackSums)[];
}

/**
 * Reverses the charges and earnings of a channel's events that other tenants' campaigns paid for. Each event is
 * reversed once, however often and in however many processes this runs; without `include_available`, only pending
 * earnings are reversed. Commits batch by batch; the channel's next call first finishes an interrupted clawback. Throws
 * `not_found`, `invalid_request`.
 */
export async function clawBack(ctx: ClawBackCtx, input: z.output<typeof ClawBack>): Promise<ClawBackResult> {
  const terms = await termsOf(ctx, input);
  if (!input.confirmed) return { terms, found: await findEvents(ctx, terms), finished: [] };
  if (input.block) await suspendChannel(ctx, { id: terms.channelId, suspended: true, reason: input.reason });
  const finished: ClawBackResult["finished"] = [];
  for (;;) {
    const open = (await unfinishedClawback(ctx.sql, terms.channelId)) ?? (await begin(ctx, terms, input.reason));
    if (!open) return { terms, found: [], finished };
    finished.push({ ...open, ...(await carryOut(ctx, open)) });
  }
}

async function termsOf({ db, clock }: ClawBackCtx, input: z.output<typeof ClawBack>): Promise<ClawbackTerms> {
  const channel = await db.channel.findUnique({ where: { id: input.channel } });
  if (!channel) throw notFound("channel", input.channel);
  const now = clock.now();
  const earliest = input.include_available ? new Date(0) : pendingSince(now);
  const from = input.from && input.from > earliest ? input.from : earliest;
  const to = input.to ?? now;
  if (from >= to) {
    throw new ServiceError(
      "invalid_request",
      `The period is empty: earnings before ${earliest.toISOString()} are already available; use --include-available to include them.`,
      { param: "from" },
    );
  }
  const offerIds = input.offers.length > 0 ? input.offers : null;
  return { channelId: channel.id, publisherTenantId: channel.tenantId, from, to, offerIds };
}

async function findEvents({ sql }: ClawBackCtx, terms: ClawbackTerms): Promise<ClawBackResult["found"]> {
  const days = new Map<string, ClawbackSums>();
  for await (const events of reversibleEvents(sql, terms)) {
    for (const { at, chargeNanos, earningNanos } of events) {
      const day = at.toISOString().slice(0, 10);
      const sums = days.get(day) ?? { events: 0, chargeNanos: 0n, earningNanos: 0n };
      sums.events++;
      sums.chargeNanos += chargeNanos;
      sums.earningNanos += earningNanos;
      days.set(day, sums);
    }
  }
  return [...days].map(([day, sums]) => ({ day, ...sums })).sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Returns undefined if nothing is left to reverse. */
async function begin({ sql, clock }: ClawBackCtx, terms: ClawbackTerms, reason: string): Promise<Clawback | undefined> {
  const { done } = await reversibleEvents(sql, terms).next();
  if (done) return undefined;
  const now = clock.now();
  return beginClawback(sql, { id: newId("clw", now.getTime()), reason, ...terms }, now);
}

async function carryOut(ctx: ClawBackCtx, clawback: Clawback): Promise<ClawbackSums> {
  for await (const events of reversibleEvents(ctx.sql, clawback)) {
    await reverseEvents(ctx.sql, clawback, events);
    ctx.afterBatch?.();
  }
  return finishClawback(ctx, clawback);
}
