import { origin } from "./settings";

/** The fields of an offer that the widget shows; all are untrusted until rendered as text. */
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

export interface OffersResponse {
  offers: Offer[];
  /** Why there are none, if the API says so: `frequency_cap`. */
  reason?: string;
  /** Instead of offers, with an error status. */
  error?: { message?: string };
}

/**
 * The offers that can be shown: with an ID to report and a click link on the API's own origin. Only such a link counts the click, and it cannot be `javascript:` or an open redirect. Throws a message for the publisher if there are offers and all links lead elsewhere.
 */
export function validOffers(offers: Offer[]): Offer[] {
  const valid = offers.filter((offer) => offer?.id && `${offer.clickUrl}`.startsWith(`${origin}/`));
  if (offers[0] && !valid[0]) throw `check data-api: clickUrl is ${offers[0].clickUrl}`;
  return valid;
}
