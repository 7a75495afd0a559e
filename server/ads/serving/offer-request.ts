/** A typed hint about what a user wants. */
export interface Signal {
  category?: string | undefined;
  /** Between 0 and 1; 1 if missing. */
  confidence?: number | undefined;
  subject?: string | undefined;
  attributes?: Readonly<Record<string, unknown>> | undefined;
  /** Category paths of a taxonomy, parent first: "Sports > Hiking". */
  paths?: readonly string[] | undefined;
  /** The taxonomy of `paths`. */
  iab?: { type?: string | undefined } | undefined;
}

/** The most offers of a response. */
export const OFFERS_MAX = 8;

/** The validated input of a decision; `geo` is upper case or empty. */
export interface OfferRequest {
  query: string;
  context: string;
  placement: string;
  locale: string;
  device: "desktop" | "mobile" | "tablet";
  geo: string;
  /** 1 to `OFFERS_MAX`. */
  limit: number;
  signals: readonly Signal[];
  channelId: string;
  /** The user's pseudonym, if a user id was sent; the decision itself does not use it. */
  userKey?: string | undefined;
}
