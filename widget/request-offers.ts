import { readerFields, waitForConsent } from "./consent";
import { type Offer, type OffersResponse, validOffers } from "./offer";
import { origin, tag } from "./settings";
import type { Slot } from "./slot";
import { readRequest } from "./slot-request";

/** The API's maximum number of offers per request. */
const LIMIT_MAX = 8;

const KEY_REFUSED = "check data-key and channel origins";

/** Slots that share one request, each with its number of offers and its version. */
interface Batch {
  request: object;
  key: string;
  total: number;
  parts: { slot: Slot; share: number; version: number }[];
}

declare global {
  interface Document {
    prerendering?: boolean;
  }
}

/** Slots that wait for offers, with their version: slots that were destroyed or changed meanwhile are skipped. */
const waiting = new Map<Slot, number>();

/**
 * Requests offers for a slot. Slots with equal requests at the same time share one request, as long as the sum of their limits is within the API's maximum; the offers are distributed in slot order.
 */
export function requestOffers(slot: Slot): void {
  if (!waiting.size) waitForConsent().then(flush, flush);
  waiting.set(slot, slot.version);
}

function flush(): void {
  // Nobody may ever see a page that the browser prerenders; it shows before it asks.
  if (document.prerendering) return void document.addEventListener("prerenderingchange", flush);
  const batches: Batch[] = [];
  for (const [slot, version] of waiting) {
    if (version !== slot.version) continue;
    const { limit, ...fields } = readRequest(slot);
    const request = { ...fields, ...readerFields(fields.user_id) };
    const key = JSON.stringify(request);
    const open = batches.find((batch) => batch.key === key && batch.total + limit <= LIMIT_MAX);
    const batch = open || { request, key, total: 0, parts: [] };
    if (!open) batches.push(batch);
    batch.total += limit;
    batch.parts.push({ slot, share: limit, version });
  }
  waiting.clear();
  batches.map(sendBatch);
}

/** Never retries, because each response creates new offers. A late response is ignored by slots that have sent a newer request. */
async function sendBatch({ request, total, parts }: Batch): Promise<void> {
  let offers: Offer[] = [];
  let reason: string | undefined;
  let failure: unknown;
  try {
    const url = `${origin}/api/v1/offers`;
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-SVC-API-Key": tag.key as string },
      // Consent platforms and pages may pass null for missing values; the API requires such fields to be absent.
      body: JSON.stringify({ ...request, limit: total }, (_name, value) => value ?? undefined),
    }).catch(async () => {
      // Browsers hide a refusal of the key or of the page's origin; this fails only if the API cannot be reached.
      await fetch(url, { mode: "no-cors" });
      throw KEY_REFUSED;
    });
    const body: OffersResponse = await response.json();
    if (!response.ok) throw `${response.status} ${body.error?.message}`;
    offers = validOffers(body.offers);
    reason = body.reason;
  } catch (error) {
    failure = error;
  }
  for (const part of parts) {
    const share = offers.splice(0, part.share);
    if (part.version === part.slot.version) part.slot.show(share, reason, failure);
  }
}
