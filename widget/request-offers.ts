import { hearConsent, readerFields } from "./consent";
import { type Offer, type OffersAnswer, showable } from "./offer";
import { origin, tag } from "./settings";
import type { Slot } from "./slot";
import { readRequest } from "./slot-request";

/** The most offers that the API gives to one request. */
const LIMIT_MAX = 8;

/** Slots that share one request, each with what it asked for then. */
interface Batch {
  request: object;
  key: string;
  limit: number;
  parts: { slot: Slot; limit: number; turn: number }[];
}

/** Slots that want offers, each with the turn it wants them for: who was destroyed or asks anew meanwhile is passed over. */
const waiting = new Map<Slot, number>();

/**
 * Asks for a slot's offers. Slots of one moment that ask for the same share a request while their limits sum to no more
 * than the API's; the answer is dealt out in their order.
 */
export function askFor(slot: Slot): void {
  if (!waiting.size) hearConsent().then(flush, flush);
  waiting.set(slot, slot.turn);
}

function flush(): void {
  const batches: Batch[] = [];
  for (const [slot, turn] of waiting) {
    if (turn !== slot.turn) continue;
    const { limit, ...fields } = readRequest(slot);
    const request = { ...fields, ...readerFields(fields.user_id) };
    const key = JSON.stringify(request);
    const open = batches.find((batch) => batch.key === key && batch.limit + limit <= LIMIT_MAX);
    const batch = open || { request, key, limit: 0, parts: [] };
    if (!open) batches.push(batch);
    batch.limit += limit;
    batch.parts.push({ slot, limit, turn });
  }
  waiting.clear();
  batches.map(deal);
}

/** Asks once and never retries: each answer mints offers. A late answer must not overwrite a newer one: only slots that have not asked again since get theirs. */
async function deal({ request, limit, parts }: Batch): Promise<void> {
  let offers: Offer[] = [];
  let reason: string | undefined;
  let failure: unknown;
  try {
    const response = await fetch(`${origin}/api/v1/offers`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-SVC-API-Key": tag.key as string },
      // Consent platforms and pages say null for what they have not; the API wants such fields left out.
      body: JSON.stringify({ ...request, limit }, (_name, value) => value ?? undefined),
    });
    const answer: OffersAnswer = await response.json();
    if (!response.ok) throw `${response.status} ${answer.error?.message}`;
    offers = showable(answer.offers);
    reason = answer.reason;
  } catch (error) {
    failure = error;
  }
  for (const part of parts) {
    const dealt = offers.splice(0, part.limit);
    if (part.turn === part.slot.turn) part.slot.show(dealt, { reason, failure });
  }
}
