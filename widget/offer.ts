import { origin } from "./settings";

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
  /** Instead of offers, with a status that is no success. */
  error?: { message?: string };
}

/**
 * The offers that can be shown: with an id to report and a click link on the API's own origin. Only such a link
 * counts the click, and none other can turn into `javascript:` or an open redirect.
 */
export function showable(offers: Offer[]): Offer[] {
  return offers.filter((offer) => offer?.id && `${offer.clickUrl}`.startsWith(`${origin}/`));
}
