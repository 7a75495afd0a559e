import type { SqlCtx } from "../../identity/identity-ctx";

export interface ConversionCtx extends SqlCtx {
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** The key that turns user ids into the pseudonyms that serving uses. */
  userKey: Buffer;
  /** Signs the tokens of conversion pixels. */
  pixelKey: Buffer;
  publicUrl: string;
  /** Treats every advertiser as approved; true when PUBLIC_URL is a loopback address. */
  automaticReview: boolean;
}
