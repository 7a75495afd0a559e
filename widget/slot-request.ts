import { inferContext, inferQuery } from "./infer-page";

/** Fields of `POST /api/v1/offers` that a page may set; the look of a slot is set by its element's attributes. */
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

/** The request's fields, including any others that the page passed. */
type Fields = Record<string, unknown> & { limit: number; user_id?: string };

/** A slot's element, and the fields that the page set by script. */
interface SlotSource {
  readonly host: HTMLElement;
  overrides?: SlotRequest | undefined;
}

/**
 * A slot's request: fields set by script, then data attributes, then values inferred from the page. An invalid limit is
 * sent unchanged, so that the publisher sees the API's error.
 */
export function readRequest({ host, overrides }: SlotSource): Fields {
  const { query = inferQuery(), context = inferContext(), placement } = host.dataset;
  return {
    query,
    context,
    placement,
    locale: pageLocale(host),
    device: deviceClass(),
    ...overrides,
    limit: +(overrides?.limit || host.dataset.limit || 1),
  };
}

/** The language of the slot's content, else the reader's. Many pages write `en_US`, which `Intl` rejects. */
export function pageLocale(element: Element): string {
  return (element.closest<HTMLElement>("[lang]")?.lang || navigator.language).replace("_", "-");
}

/** Mobile below 600 CSS pixels of the shorter screen side, tablet above it, both only with a coarse pointer. */
function deviceClass(): "desktop" | "mobile" | "tablet" {
  if (!matchMedia("(pointer:coarse)").matches) return "desktop";
  return Math.min(screen.width, screen.height) < 600 ? "mobile" : "tablet";
}
