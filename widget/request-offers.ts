import type { OffersAnswer } from "./offer";
import type { Settings } from "./settings";

/** Body of `POST /api/v1/offers`; a field left undefined is not sent. */
export interface OffersRequest {
  query: string | undefined;
  context: string | undefined;
  placement: string | undefined;
  limit: number;
  locale: string;
  device: string;
  user_id: string | undefined;
}

/** What a slot asks for: its data attributes, and the page's title as context when it names neither query nor context. */
export function readRequest(slot: HTMLElement, settings: Settings): OffersRequest {
  const { query, context, placement, limit } = slot.dataset;
  return {
    query,
    context: query || context ? context : document.title,
    placement: placement || undefined,
    limit: Number(limit || 1),
    locale: pageLocale(slot),
    device: deviceClass(),
    user_id: settings.userId,
  };
}

/** The language that the slot stands in, else the reader's. */
export function pageLocale(element: Element): string {
  return element.closest("[lang]")?.getAttribute("lang") || navigator.language || "en";
}

/** Asks once and never retries: each answer mints offers. Rejects with a sentence when there is no usable answer. */
export async function requestOffers(
  settings: Settings,
  request: OffersRequest,
  signal: AbortSignal,
): Promise<OffersAnswer> {
  const response = await fetch(`${settings.origin}/api/v1/offers`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-SVC-API-Key": settings.key },
    body: JSON.stringify(request),
    credentials: "omit",
    cache: "no-store",
    signal,
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${answer?.error?.message}`);
  if (!Array.isArray(answer.offers)) throw new Error("the answer holds no offers");
  return answer;
}

/** Mobile below 600 CSS pixels of the shorter screen side, tablet above it, both only with a coarse pointer. */
function deviceClass(): string {
  if (!matchMedia("(pointer:coarse)").matches) return "desktop";
  return Math.min(screen.width, screen.height) < 600 ? "mobile" : "tablet";
}
