/** The fields of an offer that the widget shows; every one is untrusted until it is rendered as text. */
export interface Offer {
  id: string;
  title: string;
  content: string;
  cta: string;
  clickUrl: string;
  brand?: { name?: string; iconUrl?: string };
  price?: { amount: number; currency: string; originalPrice?: number; discount?: number };
  rating?: { value: number; scale: number; count: number };
}

export interface OffersAnswer {
  offers: Offer[];
  /** Why there are none, when the API says so: `frequency_cap`. */
  reason?: string;
}

/**
 * The offers that can be shown: with an id to report and a click link on the API's own origin. Only such a link
 * counts the click, and none other can turn into `javascript:` or an open redirect.
 */
export function showable(offers: Offer[], origin: string): Offer[] {
  return offers.filter((offer) => {
    const link = parseUrl(offer?.clickUrl);
    // A `blob:` address carries the origin that made it, so the protocol is checked as well.
    return offer?.id && link?.origin === origin && /^https?:$/.test(link.protocol);
  });
}

/** The address of an icon, or undefined unless it is https. */
export function iconUrl(offer: Offer): string | undefined {
  const url = parseUrl(offer.brand?.iconUrl);
  return url?.protocol === "https:" ? url.href : undefined;
}

function parseUrl(text: unknown): URL | undefined {
  try {
    return new URL(String(text));
  } catch {
    return undefined;
  }
}
