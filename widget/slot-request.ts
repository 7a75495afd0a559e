import { inferContext, inferQuery } from "./infer-page";

/** Fields of `POST /api/v1/offers` that a page may give; how the slot looks, its element's attributes say. */
export interface SlotRequest {
  query?: string;
  context?: string;
  placement?: string;
  limit?: number;
  locale?: string;
  device?: "desktop" | "mobile" | "tablet";
  geo?: string;
  user_id?: string;
  session_id?: string;
  signals?: object[];
}

/** A request's own fields, and others as the page gave them. */
type Fields = Record<string, unknown> & { limit: number; user_id?: string };

/** The element that wants offers, and what the page gave for it by script. */
interface Asking {
  readonly host: HTMLElement;
  given: SlotRequest | undefined;
}

/** What a slot asks for: what the page gave by script, else its data attributes, else what the page tells. */
export function readRequest(slot: Asking): Fields {
  const { host, given } = slot;
  const { query = inferQuery(), context = inferContext(), placement } = host.dataset;
  return {
    query,
    context,
    placement,
    locale: pageLocale(host),
    device: deviceClass(),
    ...given,
    limit: slotLimit(slot),
  };
}

/** Offers wanted; a limit that the API refuses is sent as it is, so that the publisher hears of it. */
export function slotLimit({ host, given }: Asking): number {
  return Number(given?.limit || host.dataset.limit || 1);
}

/** The language that the slot stands in, else the reader's. Many pages write `en_US`, which only `Intl` takes amiss. */
export function pageLocale(element: Element): string {
  return (element.closest<HTMLElement>("[lang]")?.lang || navigator.language).replace("_", "-");
}

/** Mobile below 600 CSS pixels of the shorter screen side, tablet above it, both only with a coarse pointer. */
function deviceClass(): "desktop" | "mobile" | "tablet" {
  if (!matchMedia("(pointer:coarse)").matches) return "desktop";
  return Math.min(screen.width, screen.height) < 600 ? "mobile" : "tablet";
}
