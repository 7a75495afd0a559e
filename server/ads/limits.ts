import type { Rate } from "../engines/counters/counters";
import type { PriceModel } from "../kernel/money";

/** The limits of the offers API in one place, except `OFFERS_MAX` of its requests. Names end in their unit. */

/**
 * Higher bids need a confirmation. In micros of the billing currency: 10 units per click, 50 units per 1,000
 * impressions.
 */
export const BID_UNCONFIRMED_MICROS_MAX: Readonly<Record<PriceModel, number>> = { cpc: 10_000_000, cpm: 50_000_000 };

export const SIGNALS_MAX = 10;
export const IMPRESSION_IDS_MAX = 256;

/** Maximum offers requests per `user_id` and channel within the window; beyond it the response is `frequency_cap`. */
export const USER_REQUESTS_MAX = 60;
export const USER_REQUESTS_WINDOW_MS = 60_000;

/** Events of an offer count for this long after it was served; its link redirects for much longer. */
export const OFFER_COUNTS_MS = 2 * 60 * 60 * 1000;
/** A reservation in a frequency cap lasts a minute longer, so that the last impression can still use it. */
export const CAP_HOLD_MS = OFFER_COUNTS_MS + 60_000;
/**
 * An offer with such a reservation must be recorded within this time or it is not returned: a rebuild of the counts may
 * have missed it.
 */
export const CAP_RECORDED_WITHIN_MS = 3000;
export const OFFER_REDIRECTS_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Clicks faster than this are not human. An impression needs one second of visibility (MRC); the limit is half of that
 * because two processes' clocks may differ.
 */
export const TOO_FAST_MS = 500;

/** Maximum clock difference between two machines; an id that is further in the future is not an offer. */
export const OFFER_AHEAD_MS = 60_000;

/** How long a visitor's request waits for Postgres before Postgres is considered unavailable. */
export const STORE_WAIT_MS = 1_500;

/** How long a stored signal influences offers. */
export const SIGNAL_LIFE_MS = 24 * 60 * 60 * 1000;
/** The newest signals are kept; older ones of the same user or session are deleted when new ones are stored. */
export const SIGNALS_RECALLED_MAX = 50;
/** The size of one signal as JSON. */
export const SIGNAL_BYTES_MAX = 8 * 1024;
/**
 * How fast a tenant may store signals, in bytes for each user and session. Beyond it, signals still influence the
 * request that contains them.
 */
export const STORED_SIGNALS_RATE: Rate = { perSecond: 50_000, burst: 64 * 1024 * 1024 };
/** Memory for stored signals per process, in bytes of their JSON. */
export const REMEMBERED_SIGNALS_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Per address hash. Loopback addresses are exempt while PUBLIC_URL is a loopback address. Server keys have no limit by
 * default.
 */
export const BROWSER_KEY_RATE: Rate = { perSecond: 5, burst: 60 };
export const IMPRESSIONS_RATE: Rate = { perSecond: 5, burst: 60 };
export const CLICKS_RATE: Rate = { perSecond: 1, burst: 30 };
/** Orders that one address may report by pixel. */
export const PIXEL_RATE: Rate = { perSecond: 1, burst: 30 };
export const DAY_MS = 24 * 60 * 60 * 1000;
/** The highest value of one order. */
export const ORDER_VALUE_MAX_MICROS = 1_000_000_000_000;
/**
 * The highest value of an order that was reported only by pixel, if the advertiser sets no limit: 1,000 currency units.
 */
export const PIXEL_VALUE_MAX_MICROS = 1_000_000_000;
/** In any 24 hours, orders reported only by pixel count for at most this multiple of an advertiser's highest value. */
export const PIXEL_VALUES_PER_DAY = 100;
/** Orders that one click can explain by pixel: people buy more than once, but only a few times. */
export const PIXEL_ORDERS_PER_CLICK_MAX = 5;
/** How many pixel orders per advertiser and mode can wait for a click that is not claimed yet. */
export const PIXELS_WAITING_MAX = 64;
/** Clicks on unknown ids; beyond this rate, an address must wait before more of its ids are looked up. */
export const UNKNOWN_CLICKS_RATE: Rate = { perSecond: 1, burst: 30 };

/*
 * Plausibility limits of a channel. A publisher's server can report any number of impressions and users, so only
 * networks (IPv4 /24, IPv6 /48) with clicks or views by browsers raise the number of paid events. Days are UTC days.
 */

/** Impressions that a new publisher's server may bill before the first click: enough to try svc out. */
export const IMPRESSIONS_BASE = { minute: 60, day: 300 };
/**
 * Impressions that each network adds. One click corresponds to 2,000 impressions at a click rate of 0.05 %, the low end
 * of display advertising (0.1 to 0.5 % is usual). A tenth of them may come in one minute.
 */
export const IMPRESSIONS_PER_NETWORK = { minute: 200, day: 2000 };
/** The share of them that may have no `user_id`: visitors without consent, and servers that never send one. */
export const NAMELESS_SHARE = 0.5;
/** Impressions per user and channel: two per minute for an hour. */
export const IMPRESSIONS_OF_USER_PER_HOUR = 120;
/**
 * Billable clicks per network and day, on a channel and on all channels of its publisher: what two addresses may click
 * at once, plus one for every second other network, because mobile carriers put many people behind few addresses.
 */
export const CLICKS_OF_NETWORK = { base: 60, perNetwork: 0.5 };
/** Billable impressions per network and day that browsers report, on a channel and on all channels of its publisher. */
export const IMPRESSIONS_OF_NETWORK = { base: 500, perNetwork: 50 };
/**
 * The highest plausible click rate in the long run: search ads get 3 to 7 %, the best ads for a brand's own name about
 * 30 %.
 */
export const CLICK_RATE_MAX = 0.3;
/** The number of clicks per channel and day below which the click rate is not checked. */
export const CLICKS_ALWAYS_PLAUSIBLE = 20;
