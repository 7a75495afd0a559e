/** A typed hint about what a person wants. */
export interface Signal {
  category?: string | undefined;
  /** Between 0 and 1; 1 where it is missing. */
  confidence?: number | undefined;
  subject?: string | undefined;
  attributes?: Readonly<Record<string, unknown>> | undefined;
  /** Names of a taxonomy, parent first: "Sports > Hiking". */
  paths?: readonly string[] | undefined;
  /** Where `paths` come from. */
  iab?: { type?: string | undefined } | undefined;
}

/** What a decision is asked for; already validated, `geo` in upper case or empty. */
export interface OfferRequest {
  query: string;
  context: string;
  placement: string;
  locale: string;
  device: "desktop" | "mobile" | "tablet";
  geo: string;
  /** 1 to 8. */
  limit: number;
  signals: readonly Signal[];
  channelId: string;
  /** Pseudonym of the user, where one was given; the decision itself never reads it. */
  userKey?: string | undefined;
}
