import type { Rate } from "../engines/counters/counters";

/** Every number of the offers API in one place: units stand last in the names. */

export const OFFERS_MAX = 8;
export const SIGNALS_MAX = 10;
export const IMPRESSION_IDS_MAX = 256;

/** How often one `user_id` may ask for offers on one channel before the answer is `frequency_cap`. */
export const USER_REQUESTS_MAX = 60;
export const USER_REQUESTS_WINDOW_MS = 60_000;

/** An offer counts this long after it was served, and redirects far longer. */
export const OFFER_COUNTS_MS = 2 * 60 * 60 * 1000;
/** A place in a cap is held a minute longer, so that the last impression still finds it. */
export const CAP_HOLD_MS = OFFER_COUNTS_MS + 60_000;
/** An offer that holds such a place and is not recorded by then is not handed out: a rebuild of the counts may have missed it. */
export const CAP_RECORDED_WITHIN_MS = 3000;
export const OFFER_REDIRECTS_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Nobody reads an offer and clicks it within half a second. An impression takes a whole second of visibility (MRC); the
 * other half allows for the clocks of two processes.
 */
export const TOO_FAST_MS = 500;

/** Clocks of two machines differ by no more: an id from further ahead is no offer. */
export const OFFER_AHEAD_MS = 60_000;

/** A visitor waits this long for Postgres; then it counts as away. */
export const STORE_WAIT_MS = 1_500;

/** A remembered signal steers this long. */
export const SIGNAL_LIFE_MS = 24 * 60 * 60 * 1000;
export const SIGNALS_RECALLED_MAX = 50;

/** Per address hash; loopback is exempt while PUBLIC_URL is loopback. Server keys have none by default. */
export const BROWSER_KEY_RATE: Rate = { perSecond: 5, burst: 60 };
export const IMPRESSIONS_RATE: Rate = { perSecond: 5, burst: 60 };
export const CLICKS_RATE: Rate = { perSecond: 1, burst: 30 };
/** Orders that one address reports by pixel. */
export const PIXEL_RATE: Rate = { perSecond: 1, burst: 30 };
/** Clicks on ids that turned out to be no offers: beyond it, an address waits before it can have more ids looked up. */
export const UNKNOWN_CLICKS_RATE: Rate = { perSecond: 1, burst: 30 };
