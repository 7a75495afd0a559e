// Written from the endpoints of svc by test/api/sdk-source.test.ts; run that with `-u` instead of editing.
import type { CallOptions, FeedBody, Pages } from "../operation";

export type AuditEntry = {
  id: string;
  /** 1 for a tenant's first entry, without gaps */
  sequence: number;
  at: string;
  action: string;
  actor: {
    /** A `visitor` is someone who is not logged in */
    type: "api_key" | "user" | "operator" | "visitor";
    id?: string | undefined;
    /** The current name of the key or email of the member */
    name?: string | undefined;
  };
  /** The changed objects, with their names at that time */
  targets: ({
    type: string;
    id: string;
    name?: string | undefined;
  })[];
  /** Empty when no request caused the change */
  context: {
    request_id?: string | undefined;
    address?: string | undefined;
    user_agent?: string | undefined;
  };
  /** For an update `changes`: the value of each field, `from` and `to`, truncated to 500 characters */
  details: Record<string, unknown>;
  /** SHA-256 over this entry and `previous_hash`, in hex */
  hash: string;
  /** The hash of the previous entry; empty for the first */
  previous_hash: string;
};

export type AuditVerdict = {
  valid: boolean;
  /** The number of valid entries, counted from the first */
  entries: number;
  /** The first sequence number whose entry is missing, changed or out of place */
  first_bad_sequence: number | null;
  /** The hash of the newest entry; store it elsewhere to detect later whether the log was rewritten */
  head_hash: string;
};

export type Channel = {
  id: string;
  mode: "test" | "live";
  name: string;
  /** The origins on which browser keys work; if empty, browser keys do not work */
  origins: string[];
  /** What the channel is about; campaigns that target categories require a match */
  categories: string[];
  blocked_categories: string[];
  /** Ids, domains or names of advertisers */
  blocked_advertisers: string[];
  /** Campaigns of other tenants on this channel: `all` that are eligible, only those of `approved_advertisers`, or none (`own`), including house offers */
  network: "all" | "approved" | "own";
  /** Ids, domains or names of advertisers */
  approved_advertisers: string[];
  /** How sure svc must be that an offer fits the request before it is shown: `relaxed` fills more requests and shows more offers that do not fit, `strict` leaves more requests empty and shows fewer of them, `balanced` is between the two. A change applies to new requests within seconds */
  strictness: "relaxed" | "balanced" | "strict";
  created_at: string;
  updated_at: string;
};

export type CreatedChannelKey = {
  id: string;
  channel_id: string;
  kind: "server" | "browser";
  /** The key's last four characters */
  last_four: string;
  /** The whole key. `svc_srv_` keys are secret, for servers, and returned only here; `svc_pub_` keys may appear in a page */
  key: string;
  created_at: string;
  revoked_at: string | null;
  last_used_at: string | null;
};

export type ChannelKey = {
  id: string;
  channel_id: string;
  kind: "server" | "browser";
  /** The key's last four characters */
  last_four: string;
  /** The whole key of kind `browser`, which is public; null for `server`, and for browser keys created before svc stored their text */
  key: string | null;
  created_at: string;
  revoked_at: string | null;
  last_used_at: string | null;
};

export type Advertiser = {
  id: string;
  mode: "test" | "live";
  /** The brand name in offers whose creative has none */
  name: string;
  domain: string | null;
  icon_url: string | null;
  /** The highest order value that a pixel may report. Orders above it, or beyond 100 times this value in 24 hours, count with the value 0 until a server reports them. `null`: 1,000 units of the billing currency */
  pixel_value_max_micros: number | null;
  /** References of other publishers' channels, `nch_…` */
  blocked_channels: string[];
  blocked_domains: string[];
  /** The operator's decision; network campaigns serve on other tenants' channels only if it is `approved` */
  review: "unreviewed" | "pending" | "approved" | "rejected";
  /** True if approved without a review because `PUBLIC_URL` is a loopback address */
  review_automatic: boolean;
  /** The operator's note on the last decision */
  review_note: string;
  reviewed_at: string | null;
  domain_verified_at: string | null;
  /** How to verify the domain; `null` if the advertiser has none */
  domain_verification: {
    /** Publish `token` as a TXT record under this name, or use `file_url` */
    dns_name: string;
    /** Serve `token` as plain text at this URL, or use `dns_name` */
    file_url: string;
    token: string;
  } | null;
  created_at: string;
  updated_at: string;
};

export type NetworkChannel = {
  /** Valid for this tenant only; use it in `blocked_channels` of an advertiser */
  id: string;
  /** Invalid traffic excluded */
  impressions: number;
  invalid_impressions: number;
  /** Invalid traffic excluded */
  clicks: number;
  invalid_clicks: number;
  /** clicks / impressions; null without impressions */
  ctr: number | null;
  /** Charges minus reversals */
  spend_micros: number;
  conversions: number;
  /** By the requested advertiser, or by all of the tenant's advertisers */
  blocked: boolean;
};

export type Campaign = {
  id: string;
  mode: "test" | "live";
  advertiser_id: string;
  name: string;
  model: "cpc" | "cpm";
  /** The installation's billing currency (ISO 4217); the currency of all `_micros` fields */
  currency: string;
  bid_micros: number;
  daily_budget_micros: number | null;
  total_budget_micros: number | null;
  starts_at: string | null;
  ends_at: string | null;
  /** The time zone in which a day of the daily budget begins and ends */
  timezone: string;
  /** `even` spreads the daily budget over the day and a total budget until `ends_at`, in proportion to traffic; `asap` serves until the budget is used up */
  pacing: "even" | "asap";
  reach: "tenant" | "network";
  status: "draft" | "active" | "paused" | "ended";
  caps: ({
    count: number;
    window_seconds: number;
    per?: "campaign" | "advertiser" | "channel" | undefined;
  })[];
  /** An empty list means all */
  targeting: {
    geos: string[];
    devices: ("desktop" | "mobile" | "tablet")[];
    locales: string[];
    placements: string[];
    categories: string[];
    channels: string[];
  };
  keywords: ({
    text: string;
    match: "exact" | "phrase" | "broad" | "negative";
  })[];
  attribution: {
    click_days: number;
    view_days: number;
  };
  /** Creatives and products that are not archived; a campaign without any serves nothing */
  items: number;
  /** Whether the campaign may serve on channels of other tenants, and the reasons why not; null with reach `tenant` */
  network: {
    serving: boolean;
    blocked_by: ("email_unverified" | "advertiser_not_approved" | "no_balance")[];
  } | null;
  created_at: string;
  updated_at: string;
};

export type Creative = {
  id: string;
  campaign_id: string;
  title: string;
  content: string;
  /** The label of the link */
  cta: string;
  landing_url: string;
  brand: {
    /** Default: the advertiser's name */
    name?: string | undefined;
    url?: string | undefined;
    icon_url?: string | undefined;
  } | null;
  product: {
    title: string;
    /** A path with levels joined by `>`, such as `Electronics>Laptops` */
    category?: string | undefined;
  } | null;
  price: {
    amount: number;
    /** ISO 4217; display only */
    currency: string;
    /** The price before a reduction */
    original_price?: number | undefined;
  } | null;
  rating: {
    value: number;
    scale: number;
    /** The number of ratings; without it, offers show no rating */
    count?: number | undefined;
  } | null;
  created_at: string;
  updated_at: string;
};

export type FeedResult = {
  /** Lines that were accepted; a repeated id counts each time */
  accepted: number;
  rejected: number;
  /** The first 1,000 errors */
  errors: ({
    line: number;
    /** The product's id, if the line has a readable one */
    id?: string | undefined;
    code: string;
    message: string;
  })[];
  /** Fields that were ignored, in lines that were accepted; absent if there are none */
  warned?: number | undefined;
  /** The first 1,000 of these: a GTIN or the dates of a sale that are invalid */
  warnings?: ({
    line: number;
    /** The product's id, if the line has a readable one */
    id?: string | undefined;
    code: string;
    message: string;
  })[] | undefined;
  /** True if there were more errors than `errors` lists */
  errors_truncated?: boolean | undefined;
};

export type Product = {
  id: string;
  campaign_id: string;
  /** The feed's `id` */
  external_id: string;
  title: string;
  description: string;
  link: string;
  image_link: string | null;
  /** If null, offers show the advertiser's name */
  brand: string | null;
  /** 14 digits: shorter numbers begin with zeros */
  gtin: string | null;
  /** Equal for variants of one product, of which a response offers one before it repeats the product */
  item_group_id: string | null;
  /** What offers show: `product_type`, else `google_product_category` */
  category: string | null;
  /** A path of names; null if the feed has only the number of a category */
  google_product_category: string | null;
  availability: "in_stock" | "out_of_stock" | "preorder" | "backorder";
  /** The price at the time of the response */
  price: {
    amount: number;
    currency: string;
    /** The price before the sale */
    original_price?: number | undefined;
  } | null;
  /** A sale with dates, past ones included: the price is `amount` while it lasts */
  sale: {
    amount: number;
    currency: string;
    starts_at: string | null;
    ends_at: string | null;
  } | null;
  rating: {
    value: number;
    scale: number;
    count?: number | undefined;
  } | null;
  details: {
    name: string;
    value: string;
  }[];
  created_at: string;
  updated_at: string;
};

export type FeedSchedule = {
  campaign_id: string;
  url: string;
  /** The time between two fetches */
  interval: "1h" | "6h" | "24h";
  /** Archive products that are no longer in the feed */
  remove_missing: boolean;
  /** For HTTP basic authentication; the password is never returned */
  username: string | null;
  /** `paused` after 10 consecutive failures, until the schedule is set or a fetch is requested */
  status: "active" | "paused";
  /** A fetch is running */
  fetching: boolean;
  /** Null while paused */
  next_fetch_at: string | null;
  consecutive_failures: number;
  last_fetch: {
    started_at: string;
    finished_at: string;
    /** `not_modified`: the server responded that the feed is the one of the last import */
    outcome: "imported" | "not_modified" | "failed";
    /** The HTTP status of the response; null if there was none */
    status: number | null;
    /** Why the fetch failed */
    error: {
      code: string;
      message: string;
    } | null;
  } | null;
  /** The last fetch that stored or rejected lines */
  last_import: {
    /** Lines that were accepted; a repeated id counts each time */
    accepted: number;
    rejected: number;
    /** The first 1,000 errors */
    errors: ({
      line: number;
      /** The product's id, if the line has a readable one */
      id?: string | undefined;
      code: string;
      message: string;
    })[];
    /** Fields that were ignored, in lines that were accepted; absent if there are none */
    warned?: number | undefined;
    /** The first 1,000 of these: a GTIN or the dates of a sale that are invalid */
    warnings?: ({
      line: number;
      /** The product's id, if the line has a readable one */
      id?: string | undefined;
      code: string;
      message: string;
    })[] | undefined;
    /** True if there were more errors than `errors` lists */
    errors_truncated?: boolean | undefined;
    finished_at: string;
    /** Whether the feed was read to its end */
    complete: boolean;
    /** Products that were archived because they are no longer in the feed */
    removed: number;
    /** Why missing products were kept: the feed has less than half as many lines as the campaign has products, or the response has neither a Content-Length nor chunks, so that it may be truncated */
    removal_skipped: "too_few_products" | "unknown_length" | null;
  } | null;
  created_at: string;
  updated_at: string;
};

export type Balance = {
  /** The installation's billing currency (ISO 4217) */
  currency: string;
  /** What the operator credited, minus corrections */
  credited_micros: number;
  /** What live network campaigns spent on channels of other tenants, rounded up */
  spent_micros: number;
  available_micros: number;
};

export type Earnings = {
  mode: "test" | "live";
  /** True in test mode, where every amount is 0, and for the demo account */
  simulated: boolean;
  /** The publisher's share of a click at the reserve price: the least that a click on a paid CPC offer earns */
  least_click_micros: number;
  currency: string;
  /** The number of full UTC days after an event's day during which its earning is pending and can be clawed back */
  pending_days: number;
  /** Earned but not yet available */
  pending_micros: number;
  /** Earned and no longer pending */
  available_micros: number;
  /** Reversed by an operator; not part of the two amounts above */
  clawed_back_micros: number;
  /** When pending earnings become available, at 00:00 UTC; each amount is rounded, so the sum can differ */
  next_available: {
    date: string;
    amount_micros: number;
  }[];
};

export type StatementMonth = {
  /** A month in UTC, such as 2026-11 */
  month: string;
  /** `open` until the month is over; `pending` while earnings of the month are pending, so that reversals are likely; then `final` */
  state: "open" | "pending" | "final";
  currency: string;
  /** From campaigns of other tenants; house offers and the tenant's own campaigns earn nothing */
  earnings: {
    /** Of the tenant's channels, before reversals */
    earned_micros: number;
    clawed_back_micros: number;
    /** Earned, not clawed back, and not yet available */
    pending_micros: number;
    available_micros: number;
  };
  spend: {
    /** For events on channels of other tenants, before reversals */
    charged_micros: number;
    reversed_micros: number;
    /** `charged_micros` minus `reversed_micros`, taken from the prepaid balance */
    spent_micros: number;
    /** What budgets were charged for events on the tenant's own channels, which nobody pays */
    own_channels_micros: number;
    /** Added to the prepaid balance */
    credited_micros: number;
    /** The prepaid balance at the end of the month, or now */
    closing_balance_micros: number;
  };
};

export type EarningsStatement = {
  /** A month in UTC, such as 2026-11 */
  month: string;
  mode: "test" | "live";
  /** True in test mode, where every amount is 0, and for the demo account */
  simulated: boolean;
  /** `open` until the month is over; `pending` while earnings of the month are pending, so that reversals are likely; then `final` */
  state: "open" | "pending" | "final";
  /** The installation's billing currency (ISO 4217) */
  currency: string;
  totals: {
    /** Before reversals; exact, in units of `currency` */
    earned: string;
    /** Reversed by an operator */
    clawed_back: string;
    /** Earned, not clawed back, and not yet available */
    pending: string;
    /** Exact, in units of `currency`, with 2 to 9 decimals */
    available: string;
  };
  /** By channel, the largest first; beyond 5000, one line without an id has the sum of the rest */
  lines: ({
    /** Before reversals; exact, in units of `currency` */
    earned: string;
    /** Reversed by an operator */
    clawed_back: string;
    /** Earned, not clawed back, and not yet available */
    pending: string;
    /** Exact, in units of `currency`, with 2 to 9 decimals */
    available: string;
    channel_id: string | null;
    channel_name: string | null;
  })[];
  /** The days with earnings, in UTC */
  days: {
    date: string;
    /** Exact, in units of `currency`, with 2 to 9 decimals */
    earned: string;
    /** Exact, in units of `currency`, with 2 to 9 decimals */
    clawed_back: string;
  }[];
};

export type SpendStatement = {
  /** A month in UTC, such as 2026-11 */
  month: string;
  mode: "test" | "live";
  /** True in test mode, where every amount is 0, and for the demo account */
  simulated: boolean;
  /** `open` until the month is over; `pending` while earnings of the month are pending, so that reversals are likely; then `final` */
  state: "open" | "pending" | "final";
  /** The installation's billing currency (ISO 4217) */
  currency: string;
  /** The prepaid balance at the start of the month */
  opening_balance: string;
  /** Added to the prepaid balance */
  credited: string;
  /** `opening_balance` plus `credited` minus `spent`: at the end of the month, or now */
  closing_balance: string;
  totals: {
    /** For events on channels of other tenants, before reversals; exact, in units of `currency` */
    charged: string;
    /** Given back to the prepaid balance */
    reversed: string;
    /** `charged` minus `reversed` */
    spent: string;
    /** What budgets were charged for events on the tenant's own channels, which nobody pays; not part of `spent` */
    own_channels: string;
  };
  /** By campaign, the largest first; beyond 5000, one line without an id has the sum of the rest */
  lines: ({
    /** For events on channels of other tenants, before reversals; exact, in units of `currency` */
    charged: string;
    /** Given back to the prepaid balance */
    reversed: string;
    /** `charged` minus `reversed` */
    spent: string;
    /** What budgets were charged for events on the tenant's own channels, which nobody pays; not part of `spent` */
    own_channels: string;
    campaign_id: string | null;
    campaign_name: string | null;
  })[];
  /** The days with charges, in UTC */
  days: {
    date: string;
    /** Exact, in units of `currency`, with 2 to 9 decimals */
    charged: string;
    /** Exact, in units of `currency`, with 2 to 9 decimals */
    reversed: string;
    /** Exact, in units of `currency`, with 2 to 9 decimals */
    own_channels: string;
  }[];
};

export interface VerifyAdvertiserDomainInput {
  id: string;
}

export interface RequestAdvertiserReviewInput {
  id: string;
}

export interface CreateAdvertiserInput {
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  name: string;
  domain?: string | null | undefined;
  icon_url?: string | null | undefined;
  /** Other publishers' channels on which its campaigns do not serve; replaces the list */
  blocked_channels?: string[] | undefined;
  /** Its campaigns do not serve on other publishers' channels that have an origin on one of these domains or their subdomains */
  blocked_domains?: string[] | undefined;
  /** The highest order value that a pixel may report. Orders above it, or beyond 100 times this value in 24 hours, count with the value 0 until a server reports them. `null`: 1,000 units of the billing currency */
  pixel_value_max_micros?: number | null | undefined;
}

export interface ListAdvertisersInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface GetAdvertiserInput {
  id: string;
}

export interface UpdateAdvertiserInput {
  id: string;
  name?: string | undefined;
  domain?: string | null | undefined;
  icon_url?: string | null | undefined;
  /** Other publishers' channels on which its campaigns do not serve; replaces the list */
  blocked_channels?: string[] | undefined;
  /** Its campaigns do not serve on other publishers' channels that have an origin on one of these domains or their subdomains */
  blocked_domains?: string[] | undefined;
  /** The highest order value that a pixel may report. Orders above it, or beyond 100 times this value in 24 hours, count with the value 0 until a server reports them. `null`: 1,000 units of the billing currency */
  pixel_value_max_micros?: number | null | undefined;
}

export interface DeleteAdvertiserInput {
  id: string;
}

export interface RestoreAdvertiserInput {
  id: string;
}

export interface ListAuditInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** An action, or all actions on a type: `campaign.*` */
  action?: string | undefined;
  /** The id of a user or an API key */
  actor_id?: string | undefined;
  /** The id of a changed object */
  target_id?: string | undefined;
  /** Entries at or after this time */
  from?: string | undefined;
  /** Entries before this time */
  to?: string | undefined;
}

export interface LogInInput {
  email: string;
  password: string;
  code?: string | undefined;
  tenant_id?: string | undefined;
}

export interface CreateCampaignInput {
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  advertiser_id: string;
  name: string;
  model: "cpc" | "cpm";
  /** Per click (cpc) or per 1,000 impressions (cpm) */
  bid_micros: number;
  /** Must be `true` for a bid above 10000000 (cpc) or 50000000 (cpm) micros */
  confirm_high_bid?: boolean | undefined;
  daily_budget_micros?: number | null | undefined;
  total_budget_micros?: number | null | undefined;
  starts_at?: string | null | undefined;
  ends_at?: string | null | undefined;
  timezone?: string | undefined;
  /** `even` spreads the daily budget over the day and a total budget until `ends_at`, in proportion to traffic; `asap` serves until the budget is used up */
  pacing?: "even" | "asap" | undefined;
  reach?: "tenant" | "network" | undefined;
  status?: "draft" | "active" | "paused" | "ended" | undefined;
  caps?: ({
    count: number;
    window_seconds: number;
    per?: "campaign" | "advertiser" | "channel" | undefined;
  })[] | undefined;
  targeting?: {
    /** ISO 3166-1 alpha-2 */
    geos?: string[] | undefined;
    devices?: ("desktop" | "mobile" | "tablet")[] | undefined;
    /** BCP 47: `en` also matches `en-US` */
    locales?: string[] | undefined;
    placements?: string[] | undefined;
    categories?: string[] | undefined;
    /** Ids of channels */
    channels?: string[] | undefined;
  } | undefined;
  keywords?: ({
    text: string;
    match: "exact" | "phrase" | "broad" | "negative";
  })[] | undefined;
  attribution?: {
    /** Number of days after a click within which a conversion counts */
    click_days?: number | undefined;
    /** Number of days after a viewable impression; 0: views do not count */
    view_days?: number | undefined;
  } | undefined;
}

export interface ListCampaignsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  advertiser_id?: string | undefined;
  status?: "draft" | "active" | "paused" | "ended" | undefined;
}

export interface GetCampaignInput {
  id: string;
}

export interface UpdateCampaignInput {
  id: string;
  name?: string | undefined;
  /** Per click (cpc) or per 1,000 impressions (cpm) */
  bid_micros?: number | undefined;
  /** Must be `true` for a bid above 10000000 (cpc) or 50000000 (cpm) micros */
  confirm_high_bid?: boolean | undefined;
  daily_budget_micros?: number | null | undefined;
  total_budget_micros?: number | null | undefined;
  starts_at?: string | null | undefined;
  ends_at?: string | null | undefined;
  timezone?: string | undefined;
  /** `even` spreads the daily budget over the day and a total budget until `ends_at`, in proportion to traffic; `asap` serves until the budget is used up */
  pacing?: "even" | "asap" | undefined;
  reach?: "tenant" | "network" | undefined;
  /** Transitions: draft to active, active to paused and back, and any of these to ended */
  status?: "draft" | "active" | "paused" | "ended" | undefined;
  caps?: ({
    count: number;
    window_seconds: number;
    per?: "campaign" | "advertiser" | "channel" | undefined;
  })[] | undefined;
  /** Replaces only the given lists */
  targeting?: {
    /** ISO 3166-1 alpha-2 */
    geos?: string[] | undefined;
    devices?: ("desktop" | "mobile" | "tablet")[] | undefined;
    /** BCP 47: `en` also matches `en-US` */
    locales?: string[] | undefined;
    placements?: string[] | undefined;
    categories?: string[] | undefined;
    /** Ids of channels */
    channels?: string[] | undefined;
  } | undefined;
  keywords?: ({
    text: string;
    match: "exact" | "phrase" | "broad" | "negative";
  })[] | undefined;
  attribution?: {
    /** Number of days after a click within which a conversion counts */
    click_days?: number | undefined;
    /** Number of days after a viewable impression; 0: views do not count */
    view_days?: number | undefined;
  } | undefined;
}

export interface DeleteCampaignInput {
  id: string;
}

export interface RestoreCampaignInput {
  id: string;
}

export interface CreateChannelKeyInput {
  id: string;
  /** A browser key works only on the channel's origins, so it does not work until the channel has one */
  kind: "server" | "browser";
}

export interface ListChannelKeysInput {
  id: string;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface RevokeChannelKeyInput {
  id: string;
  key_id: string;
}

export interface CreateChannelInput {
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  name: string;
  /** `scheme://host[:port]`; `*` is rejected */
  origins?: string[] | undefined;
  categories?: string[] | undefined;
  blocked_categories?: string[] | undefined;
  /** Ids, domains or names of advertisers, case-insensitive */
  blocked_advertisers?: string[] | undefined;
  /** Campaigns of other tenants on this channel: `all` that are eligible, only those of `approved_advertisers`, or none (`own`), including house offers */
  network?: "all" | "approved" | "own" | undefined;
  /** Ids, domains or names of advertisers, case-insensitive */
  approved_advertisers?: string[] | undefined;
  /** How sure svc must be that an offer fits the request before it is shown: `relaxed` fills more requests and shows more offers that do not fit, `strict` leaves more requests empty and shows fewer of them, `balanced` is between the two. A change applies to new requests within seconds */
  strictness?: "relaxed" | "balanced" | "strict" | undefined;
}

export interface ListChannelsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface GetChannelInput {
  id: string;
}

export interface UpdateChannelInput {
  id: string;
  name?: string | undefined;
  /** `scheme://host[:port]`; `*` is rejected */
  origins?: string[] | undefined;
  categories?: string[] | undefined;
  blocked_categories?: string[] | undefined;
  /** Ids, domains or names of advertisers, case-insensitive */
  blocked_advertisers?: string[] | undefined;
  /** Campaigns of other tenants on this channel: `all` that are eligible, only those of `approved_advertisers`, or none (`own`), including house offers */
  network?: "all" | "approved" | "own" | undefined;
  /** Ids, domains or names of advertisers, case-insensitive */
  approved_advertisers?: string[] | undefined;
  /** How sure svc must be that an offer fits the request before it is shown: `relaxed` fills more requests and shows more offers that do not fit, `strict` leaves more requests empty and shows fewer of them, `balanced` is between the two. A change applies to new requests within seconds */
  strictness?: "relaxed" | "balanced" | "strict" | undefined;
}

export interface DeleteChannelInput {
  id: string;
}

export interface RestoreChannelInput {
  id: string;
}

export interface ListConversionsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  mode?: "test" | "live" | undefined;
  campaign_id?: string | undefined;
  attribution?: "click" | "view" | "none" | undefined;
}

export interface ReportConversionInput {
  /** The advertiser's order id; each order counts once */
  order_id: string;
  /** The `svc_click_id` parameter of the landing page URL */
  click_id?: string | undefined;
  /** The advertiser of the order, if the tenant has several; default: the advertiser of the click or view */
  advertiser_id?: string | undefined;
  /** A user of the tenant's own channels, as in offers requests; used to find views and clicks */
  user_id?: string | undefined;
  /** In micros of the billing currency */
  value_micros?: number | undefined;
  /** Must be the installation's billing currency, which is the default */
  currency?: string | undefined;
  /** Default now; at most 90 days ago */
  occurred_at?: string | undefined;
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface CreateCreativeInput {
  id: string;
  title: string;
  content: string;
  cta: string;
  landing_url: string;
  brand?: {
    /** Default: the advertiser's name */
    name?: string | undefined;
    url?: string | undefined;
    icon_url?: string | undefined;
  } | null | undefined;
  product?: {
    title: string;
    /** A path with levels joined by `>`, such as `Electronics>Laptops` */
    category?: string | undefined;
  } | null | undefined;
  price?: {
    amount: number;
    /** ISO 4217; display only */
    currency: string;
    /** The price before a reduction */
    original_price?: number | undefined;
  } | null | undefined;
  rating?: {
    value: number;
    scale: number;
    /** The number of ratings; without it, offers show no rating */
    count?: number | undefined;
  } | null | undefined;
}

export interface ListCreativesInput {
  id: string;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface GetCreativeInput {
  id: string;
  creative_id: string;
}

export interface UpdateCreativeInput {
  id: string;
  creative_id: string;
  title?: string | undefined;
  content?: string | undefined;
  cta?: string | undefined;
  landing_url?: string | undefined;
  brand?: {
    /** Default: the advertiser's name */
    name?: string | undefined;
    url?: string | undefined;
    icon_url?: string | undefined;
  } | null | undefined;
  product?: {
    title: string;
    /** A path with levels joined by `>`, such as `Electronics>Laptops` */
    category?: string | undefined;
  } | null | undefined;
  price?: {
    amount: number;
    /** ISO 4217; display only */
    currency: string;
    /** The price before a reduction */
    original_price?: number | undefined;
  } | null | undefined;
  rating?: {
    value: number;
    scale: number;
    /** The number of ratings; without it, offers show no rating */
    count?: number | undefined;
  } | null | undefined;
}

export interface DeleteCreativeInput {
  id: string;
  creative_id: string;
}

export interface RestoreCreativeInput {
  id: string;
  creative_id: string;
}

export interface GetEarningsInput {
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface GetEarningsStatementInput {
  /** A month in UTC, such as 2026-11 */
  month: string;
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface RequestFeedFetchInput {
  id: string;
}

export interface SetFeedScheduleInput {
  id: string;
  /** An https URL of a product feed; redirects to https URLs are followed */
  url: string;
  /** The time between two fetches */
  interval?: "1h" | "6h" | "24h" | undefined;
  /** Archive the campaign's products that are no longer in the feed, also uploaded ones, after each feed that was read to its end */
  remove_missing?: boolean | undefined;
  /** For HTTP basic authentication, which is sent only to the URL's own origin */
  username?: string | null | undefined;
  /** Stored encrypted. May be omitted if the origin of the URL and the user name stay the same */
  password?: string | undefined;
}

export interface GetFeedScheduleInput {
  id: string;
}

export interface DeleteFeedScheduleInput {
  id: string;
}

export interface ReportImpressionsInput {
  /** Ids of offers that were visible */
  ids: string[];
}

export interface CreateKeyInput {
  name: string;
  /** Id or name; default: the key's own project, or the first project of a person's tenant */
  project?: string | undefined;
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "audit:read" | "pods:read" | "pods:write" | "edge:read" | "edge:write" | "queues:read" | "queues:write" | "webhooks:read" | "webhooks:write")[];
  /** Default: the key's own mode, or test */
  mode?: "test" | "live" | undefined;
  expires_at?: string | undefined;
  /** Addresses and networks in CIDR notation that may use the key; empty: any */
  allowed_addresses?: string[] | undefined;
}

export interface ListKeysInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only keys of this project, by its id or name */
  project?: string | undefined;
  /** The mode to list, for people (default: test); a key always lists its own mode */
  mode?: "test" | "live" | undefined;
  /** Only keys in this state */
  state?: "active" | "expired" | "revoked" | undefined;
}

export interface GetKeyInput {
  id: string;
}

export interface RotateKeyInput {
  id: string;
  /** How long the replaced secret is still accepted */
  grace_seconds?: number | undefined;
}

export interface RevokeKeyInput {
  id: string;
}

export interface ListNetworkChannelsInput {
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Limits the figures to this advertiser's campaigns */
  advertiser_id?: string | undefined;
}

export interface ExplainOffersInput {
  /** The user's search query or intent; matched first */
  query?: string | undefined;
  /** Page context or category */
  context?: string | undefined;
  /** Where the offer is shown; reports group by it, so it is a short name: letters, digits and _ . : - only */
  placement?: string | undefined;
  /** Stable user identifier: a keyed hash, never personal data */
  user_id?: string | undefined;
  session_id?: string | undefined;
  /** BCP 47; stored as language and region, or `en` if invalid */
  locale?: string | undefined;
  device?: "desktop" | "mobile" | "tablet" | undefined;
  geo?: string | undefined;
  limit?: number | undefined;
  signals?: ({
    /** purchase_intent, price_sensitivity, … */
    category?: string | undefined;
    confidence?: number | undefined;
    /** What the signal is about */
    subject?: string | undefined;
    /** Custom key-value attributes, for example a budget */
    attributes?: Record<string, string | number | boolean | null | (string | number | boolean | null)[]> | undefined;
    iab?: {
      type?: string | undefined;
      version?: string | undefined;
      ids?: string[] | undefined;
    } | undefined;
  })[] | null | undefined;
  /** Consent strings of the page, if it has any; nothing is stored about the visitor unless each of them allows it */
  consent?: {
    /** IAB TCF v2 string */
    tcf?: string | undefined;
    /** IAB GPP string */
    gpp?: string | undefined;
    /** Ids of the GPP sections that apply; by default, every section in the string applies */
    gpp_sid?: number[] | undefined;
  } | undefined;
  /** Evaluates the request as if the browser sent `Sec-GPC: 1` */
  gpc?: boolean | undefined;
  /** The id of one of the tenant's channels; default: any other publisher's channel that shows all network campaigns, has no categories and is `balanced` */
  channel_id?: string | undefined;
  /** The mode without a `channel_id`, with a session (default: test); a key uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Return only the outcomes of this campaign */
  campaign_id?: string | undefined;
  /** Selects among equal offers and paced campaigns; the same seed gives the same result */
  seed?: string | undefined;
}

export interface ServeOffersInput {
  /** The user's search query or intent; matched first */
  query?: string | undefined;
  /** Page context or category */
  context?: string | undefined;
  /** Where the offer is shown; reports group by it, so it is a short name: letters, digits and _ . : - only */
  placement?: string | undefined;
  /** Stable user identifier: a keyed hash, never personal data */
  user_id?: string | undefined;
  session_id?: string | undefined;
  /** BCP 47; stored as language and region, or `en` if invalid */
  locale?: string | undefined;
  device?: "desktop" | "mobile" | "tablet" | undefined;
  geo?: string | undefined;
  limit?: number | undefined;
  signals?: ({
    /** purchase_intent, price_sensitivity, … */
    category?: string | undefined;
    confidence?: number | undefined;
    /** What the signal is about */
    subject?: string | undefined;
    /** Custom key-value attributes, for example a budget */
    attributes?: Record<string, string | number | boolean | null | (string | number | boolean | null)[]> | undefined;
    iab?: {
      type?: string | undefined;
      version?: string | undefined;
      ids?: string[] | undefined;
    } | undefined;
  })[] | null | undefined;
  /** Consent strings of the page, if it has any; nothing is stored about the visitor unless each of them allows it */
  consent?: {
    /** IAB TCF v2 string */
    tcf?: string | undefined;
    /** IAB GPP string */
    gpp?: string | undefined;
    /** Ids of the GPP sections that apply; by default, every section in the string applies */
    gpp_sid?: number[] | undefined;
  } | undefined;
}

export interface GetPixelInput {
  id: string;
  /** Must be the advertiser's mode, which is the default */
  mode?: "test" | "live" | undefined;
}

export interface ImportProductsInput {
  id: string;
  /** `replace` archives products that are not in the feed, after the whole feed was read */
  mode?: "merge" | "replace" | undefined;
  /** What the feed is: `text/csv`, `application/x-ndjson`, … */
  content_type: string;
  /** `gzip` where the body is compressed. */
  content_encoding?: string | undefined;
  body: FeedBody;
}

export interface ListProductsInput {
  id: string;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface GetProductInput {
  id: string;
  product_id: string;
}

export interface DeleteProductInput {
  id: string;
  product_id: string;
}

export interface CreateProjectInput {
  name: string;
}

export interface ListProjectsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface GetProjectInput {
  id: string;
}

export interface UpdateProjectInput {
  id: string;
  name?: string | undefined;
}

export interface DeleteProjectInput {
  id: string;
}

export interface GetReportInput {
  /** Date or date-time. Default: six days before the day of `to` */
  from?: string | undefined;
  /** Date or date-time, exclusive. Default: now */
  to?: string | undefined;
  /** IANA time zone; days and hours are local to it */
  timezone?: string | undefined;
  /** A comma-separated list of day, hour, channel, campaign, creative, placement, geo, device, traffic */
  group_by?: string | string[] | undefined;
  /** Only this channel: an id, or `network` for the tenant's campaigns on channels of other tenants */
  channel?: string | undefined;
  /** Only this campaign: an id, `network` or `house`; requests have no campaign and are not counted */
  campaign?: string | undefined;
  /** For users only; an API key always uses its own mode. Default: test */
  mode?: "test" | "live" | undefined;
  /** `csv` returns the rows without totals as text/csv */
  format?: "json" | "csv" | undefined;
}

export interface GetRequestCountsInput {
  /** Date or date-time. Default: 30 days, or by hour 48 hours, before `to` */
  from?: string | undefined;
  /** Date or date-time, exclusive. Default: now */
  to?: string | undefined;
  /** Hours and days are of UTC */
  interval?: "hour" | "day" | undefined;
  /** Only this key: the id of an API key or of a channel key */
  key_id?: string | undefined;
  /** For users only; an API key always uses its own mode. Default: the mode of `key_id`, otherwise test */
  mode?: "test" | "live" | undefined;
}

export interface ReportSignalsInput {
  user_id?: string | undefined;
  session_id?: string | undefined;
  signals: ({
    /** purchase_intent, price_sensitivity, … */
    category?: string | undefined;
    confidence?: number | undefined;
    /** What the signal is about */
    subject?: string | undefined;
    /** Custom key-value attributes, for example a budget */
    attributes?: Record<string, string | number | boolean | null | (string | number | boolean | null)[]> | undefined;
    iab?: {
      type?: string | undefined;
      version?: string | undefined;
      ids?: string[] | undefined;
    } | undefined;
  })[];
  /** Consent strings of the page, if it has any; nothing is stored about the visitor unless each of them allows it */
  consent?: {
    /** IAB TCF v2 string */
    tcf?: string | undefined;
    /** IAB GPP string */
    gpp?: string | undefined;
    /** Ids of the GPP sections that apply; by default, every section in the string applies */
    gpp_sid?: number[] | undefined;
  } | undefined;
}

export interface GetSpendStatementInput {
  /** A month in UTC, such as 2026-11 */
  month: string;
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface ListStatementsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface EraseUserInput {
  /** The user_id that was sent with offers requests and signals */
  user_id: string;
}

export type LogInOutput = {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  tenant_id: string;
};

export type RefreshSessionOutput = {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  tenant_id: string;
};

export type ListConversionsItem = {
  id: string;
  mode: "test" | "live";
  /** Who reported the order; an order that only a `pixel` reported is unverified until a server reports it */
  source: "server" | "pixel";
  order_id: string;
  /** The type of the last touch */
  attribution: "click" | "view" | "none";
  /** Why it counts for no campaign */
  reason: "unknown_click" | "outside_window" | "no_touch" | null;
  campaign_id: string | null;
  /** `network` for another publisher's channel */
  channel_id: string | null;
  touched_at: string | null;
  value_micros: number;
  /** The value from the pixel was above a limit of the advertiser, so it counts as 0 */
  over_limit: boolean;
  currency: string;
  occurred_at: string;
  created_at: string;
};

export type ReportConversionOutput = {
  id: string;
  mode: "test" | "live";
  /** Who reported the order; an order that only a `pixel` reported is unverified until a server reports it */
  source: "server" | "pixel";
  order_id: string;
  /** The type of the last touch */
  attribution: "click" | "view" | "none";
  /** Why it counts for no campaign */
  reason: "unknown_click" | "outside_window" | "no_touch" | null;
  campaign_id: string | null;
  /** `network` for another publisher's channel */
  channel_id: string | null;
  touched_at: string | null;
  value_micros: number;
  /** The value from the pixel was above a limit of the advertiser, so it counts as 0 */
  over_limit: boolean;
  currency: string;
  occurred_at: string;
  created_at: string;
  /** A server has already reported the order; this is the existing conversion */
  duplicate: boolean;
};

export type CreateKeyOutput = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "audit:read" | "pods:read" | "pods:write" | "edge:read" | "edge:write" | "queues:read" | "queues:write" | "webhooks:read" | "webhooks:write")[];
  /** Addresses and networks that may use the key; empty: any */
  allowed_addresses: string[];
  /** The last four characters of the secret */
  last_four: string;
  created_at: string;
  expires_at: string | null;
  rotated_at: string | null;
  /** When the secret before the last rotation stops working */
  previous_secret_until: string | null;
  revoked_at: string | null;
  /** Precise to the minute */
  last_used_at: string | null;
  /** The secret; it is shown only once */
  key: string;
};

export type ListKeysItem = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "audit:read" | "pods:read" | "pods:write" | "edge:read" | "edge:write" | "queues:read" | "queues:write" | "webhooks:read" | "webhooks:write")[];
  /** Addresses and networks that may use the key; empty: any */
  allowed_addresses: string[];
  /** The last four characters of the secret */
  last_four: string;
  created_at: string;
  expires_at: string | null;
  rotated_at: string | null;
  /** When the secret before the last rotation stops working */
  previous_secret_until: string | null;
  revoked_at: string | null;
  /** Precise to the minute */
  last_used_at: string | null;
};

export type GetKeyOutput = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "audit:read" | "pods:read" | "pods:write" | "edge:read" | "edge:write" | "queues:read" | "queues:write" | "webhooks:read" | "webhooks:write")[];
  /** Addresses and networks that may use the key; empty: any */
  allowed_addresses: string[];
  /** The last four characters of the secret */
  last_four: string;
  created_at: string;
  expires_at: string | null;
  rotated_at: string | null;
  /** When the secret before the last rotation stops working */
  previous_secret_until: string | null;
  revoked_at: string | null;
  /** Precise to the minute */
  last_used_at: string | null;
};

export type RotateKeyOutput = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "audit:read" | "pods:read" | "pods:write" | "edge:read" | "edge:write" | "queues:read" | "queues:write" | "webhooks:read" | "webhooks:write")[];
  /** Addresses and networks that may use the key; empty: any */
  allowed_addresses: string[];
  /** The last four characters of the secret */
  last_four: string;
  created_at: string;
  expires_at: string | null;
  rotated_at: string | null;
  /** When the secret before the last rotation stops working */
  previous_secret_until: string | null;
  revoked_at: string | null;
  /** Precise to the minute */
  last_used_at: string | null;
  /** The secret; it is shown only once */
  key: string;
};

export type RevokeKeyOutput = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "audit:read" | "pods:read" | "pods:write" | "edge:read" | "edge:write" | "queues:read" | "queues:write" | "webhooks:read" | "webhooks:write")[];
  /** Addresses and networks that may use the key; empty: any */
  allowed_addresses: string[];
  /** The last four characters of the secret */
  last_four: string;
  created_at: string;
  expires_at: string | null;
  rotated_at: string | null;
  /** When the secret before the last rotation stops working */
  previous_secret_until: string | null;
  revoked_at: string | null;
  /** Precise to the minute */
  last_used_at: string | null;
};

export type ListNetworkChannelsOutput = {
  mode: "test" | "live";
  currency: string;
  /** First UTC day of the figures; the last day is today */
  from: string;
  /** The 200 with the highest spend */
  data: NetworkChannel[];
  /** True if there are more channels */
  truncated: boolean;
};

export type ExplainOffersOutput = {
  /** null if the request named none */
  channel_id: string | null;
  /** How the request was understood; null if it has no meaningful words */
  reading: {
    /** The part of the request that determined the result */
    source: "query" | "context" | "signal";
    /** The words that may name goods, in order */
    words: ({
      /** As written in lower case, or the title word that replaces it */
      word: string;
      /** The word of the request, in lower case; words that were split off have the same one */
      written: string;
      /** `known`: as written. `corrected`: replaced by the closest title word. `split`: part of a word that was written together. `joined`: known together with its neighbour. `synonym`: matched by a synonym. `unknown`: no item has it */
      found: "known" | "corrected" | "split" | "joined" | "synonym" | "unknown";
      /** Whether the word names the wanted thing; other words only change ranks */
      wanted: boolean;
    })[];
    /** The calibrated probability that an item fits the query; null if the page context or a signal determined the result */
    probability: number | null;
    /** The probability from which the channel's strictness allows offers for a query */
    threshold: number;
    /** The strictness of the channel */
    strictness: "relaxed" | "balanced" | "strict";
    /** What the probability consists of; empty if there is none */
    features: ({
      /** - `coverage`: The share of the wanted words that the best item has, 0 to 1; rare words count more.
- `rest`: How much the words beside the wanted ones in the same clause say, on a logarithmic scale; 0 if there are none.
- `aside`: The same for words in other clauses and phrases, such as for whom or when something is wanted.
- `last_head`: How often the last wanted word names what an item is, 0 to 1: "shoes" in "trail running shoes".
- `best_head`: How surely one of the wanted words names what the found items are, 0 to 1.
- `adjacent`: The share of neighbouring wanted words that are also neighbours in the best item's title, 0 to 1; 0.4 for a single word.
- `joint`: How many titles have the two rarest wanted words together, on a logarithmic scale from 0 to 1.
- `empty_share`: The share of the request's words that say nothing about goods, 0 to 1.
- `question`: 1 if the request begins with a question word, else 0.
- `length`: The natural logarithm of the number of wanted words.
- `specific`: How much more frequent the wanted words that the best item's title has are in titles than in general text, 0 to 10.
- `unspecific`: How much less frequent the wanted words are in titles than in general text, -8 to 0.
- `buying`: 1 if the request contains a word of buying, else 0.
- `asked`: 1 if what is wanted is the object of a wish, such as need, looking for or do you have, else 0.
- `indefinite`: 1 if a, an, any, some or a judging word such as good comes directly before what is wanted, else 0. */
      feature: "coverage" | "rest" | "aside" | "last_head" | "best_head" | "adjacent" | "joint" | "empty_share" | "question" | "length" | "specific" | "unspecific" | "buying" | "asked" | "indefinite";
      /** What the feature measures */
      description: string;
      value: number;
      /** What it adds to the log-odds of the probability, on top of a constant; negative values decrease it */
      part: number;
    })[];
    /** The highest cosine of an item's vector with the query's among the items that may serve, 0 if none is near enough; null if no vectors were used */
    nearest_cosine: number | null;
    /** What the nearest item adds to the log-odds of the probability, beside the features */
    nearest_part: number | null;
    /** The highest coverage of any item */
    best_coverage: number;
    /** The coverage that an item needs beside the best one; null if the request did not reach the threshold, so that only items selected by a keyword are offered */
    needed_coverage: number | null;
    /** What `best_coverage` must reach if the page context or a signal determined the result; null for a query, whose probability decides */
    coverage_threshold: number | null;
  } | null;
  fates: ({
    /** `runner_up`: replaces an offer that a frequency cap excludes */
    outcome: "offered" | "runner_up" | "left_out";
    /** 1 is the best rank */
    rank: number | null;
    /** Why it was left out */
    reason: string | null;
    /** A description of the outcome */
    explanation: string;
    /** `own` and `house` offers earn nothing; `network` ones are of other tenants, who pay */
    owner: "own" | "network" | "house";
    /** null for other tenants' campaigns */
    campaign_id: string | null;
    campaign_name: string | null;
    creative_id: string | null;
    product_id: string | null;
    title: string | null;
    /** The brand that the offer shows; the advertiser's name if no item of the campaign matched */
    brand_name: string | null;
    /** Of an own product; null for creatives and for other tenants' products */
    image_link: string | null;
    /** The share of the wanted words that the item covers; rare words count more. An item whose vector is near covers at least half */
    coverage: number;
    /** The cosine of the item's vector with the query's; null if it is not among the nearest items, or no vectors were used */
    cosine: number | null;
    /** The parts of the expected value; absent if a filter, the threshold or a low coverage excluded the item */
    value: {
      /** 1 for the best match of the request; lower values decrease steeply */
      relevance: number;
      /** Predicted clicks per impression */
      click_rate: number;
      /** 1 to 1.2: a bonus for creatives with few impressions */
      exploration: number;
      /** 0.5 to 2: how often visitors clicked the item for the words of this query, relative to its click rate; 1 without data and for cpm */
      term_affinity: number;
      /** Impressions of the last 30 days, on which the click rate is based */
      impressions: number;
      clicks: number;
      /** The unit of the bid and the price: a click (cpc) or a thousand impressions (cpm) */
      model: "cpc" | "cpm";
      bid_micros: number;
      /** Expected value of a thousand impressions: relevance x click rate x exploration x term affinity x bid */
      value_micros: number;
    } | null;
    /** The second price, or the reserve without a rival, per click or thousand impressions like the bid */
    price_micros: number | null;
  })[];
  /** The number of other tenants' items and campaigns that were considered and left out */
  network_left_out: number;
  truncated: boolean;
};

export type ServeOffersOutput = {
  offers: ({
    id: string;
    title: string;
    /** Descriptive text */
    content: string;
    /** Call-to-action label */
    cta: string;
    /** Tracks the click, then redirects to the advertiser's landing page */
    clickUrl: string;
    source: string;
    /** The requested placement type */
    ad_type: string;
    brand: {
      name: string;
      url?: string | undefined;
      iconUrl?: string | undefined;
    };
    product?: {
      title: string;
      /** Levels separated by > */
      category?: string | undefined;
    } | undefined;
    price?: {
      amount: number;
      currency: string;
      originalPrice?: number | undefined;
      /** Whole-number percentage off originalPrice */
      discount?: number | undefined;
    } | undefined;
    rating?: {
      value: number;
      scale: number;
      count: number;
    } | undefined;
  })[];
  /** Too many requests for this user_id, or frequency caps removed every match */
  reason?: "frequency_cap" | undefined;
};

export type GetPixelOutput = {
  token: string;
  /** The pixel's URL; add `order_id`, and `click_id` and `value_micros` if known */
  pixel_url: string;
  /** For every landing page: stores the click id on the advertiser's site */
  landing_script: string;
  /** For the order confirmation page; insert the order's id and value */
  order_script: string;
};

export type CreateProjectOutput = {
  id: string;
  name: string;
  /** The number of active API keys, test and live */
  active_keys: number;
  created_at: string;
};

export type ListProjectsItem = {
  id: string;
  name: string;
  /** The number of active API keys, test and live */
  active_keys: number;
  created_at: string;
};

export type GetProjectOutput = {
  id: string;
  name: string;
  /** The number of active API keys, test and live */
  active_keys: number;
  created_at: string;
};

export type UpdateProjectOutput = {
  id: string;
  name: string;
  /** The number of active API keys, test and live */
  active_keys: number;
  created_at: string;
};

export type ListQuotasItem = {
  resource: string;
  limit: number;
  /** null for a rate */
  used: number | null;
  default_limit: number;
  unit: string;
  description: string;
  /** Whether an operator can set another limit */
  liftable: boolean;
};

export type GetReportOutput = {
  from: string;
  /** Exclusive */
  to: string;
  timezone: string;
  group_by: ("day" | "hour" | "channel" | "campaign" | "creative" | "placement" | "geo" | "device" | "traffic")[];
  currency: string;
  rows: ({
    /** Offers requests on the tenant's channels */
    requests: number;
    /** Requests that got at least one offer; null for a period that begins before the oldest single event that is kept */
    filled: number | null;
    /** filled / requests; null without requests or where `filled` is null */
    fill_rate: number | null;
    /** Offers returned */
    served: number;
    /** Offers that were viewed, invalid traffic excluded */
    impressions: number;
    /** impressions / served; null when nothing was served */
    viewable_rate: number | null;
    /** First clicks, invalid traffic excluded */
    clicks: number;
    invalid_impressions: number;
    invalid_clicks: number;
    /** clicks / impressions; null without impressions */
    ctr: number | null;
    /** Charges to the tenant's campaigns */
    spend_micros: number;
    /** Earnings of the tenant's channels */
    earnings_micros: number;
    /** Attributed orders, including unverified ones */
    conversions: number;
    conversion_value_micros: number;
    /** The part of `conversions` that only a pixel reported, not a server */
    unverified_conversions: number;
    /** The part of `conversion_value_micros` from unverified conversions */
    unverified_conversion_value_micros: number;
    /** Local date, such as 2026-11-20 */
    day?: string | undefined;
    /** Start of the local hour with its offset, such as 2026-11-20T13:00:00+01:00 */
    hour?: string | undefined;
    /** Channel id, or `network` for the tenant's campaigns on channels of other tenants */
    channel?: string | null | undefined;
    /** Campaign id; `network` or `house` for offers of other tenants on the tenant's channels */
    campaign?: string | null | undefined;
    /** Creative id; null for offers of other tenants */
    creative?: string | null | undefined;
    placement?: string | null | undefined;
    /** ISO 3166-1 alpha-2 code; null when unknown */
    geo?: string | null | undefined;
    device?: string | null | undefined;
    /** `valid`, or the reason why an event does not count */
    traffic?: string | undefined;
  })[];
  totals: {
    /** Offers requests on the tenant's channels */
    requests: number;
    /** Requests that got at least one offer; null for a period that begins before the oldest single event that is kept */
    filled: number | null;
    /** filled / requests; null without requests or where `filled` is null */
    fill_rate: number | null;
    /** Offers returned */
    served: number;
    /** Offers that were viewed, invalid traffic excluded */
    impressions: number;
    /** impressions / served; null when nothing was served */
    viewable_rate: number | null;
    /** First clicks, invalid traffic excluded */
    clicks: number;
    invalid_impressions: number;
    invalid_clicks: number;
    /** clicks / impressions; null without impressions */
    ctr: number | null;
    /** Charges to the tenant's campaigns */
    spend_micros: number;
    /** Earnings of the tenant's channels */
    earnings_micros: number;
    /** Attributed orders, including unverified ones */
    conversions: number;
    conversion_value_micros: number;
    /** The part of `conversions` that only a pixel reported, not a server */
    unverified_conversions: number;
    /** The part of `conversion_value_micros` from unverified conversions */
    unverified_conversion_value_micros: number;
  };
};

export type GetRequestCountsOutput = {
  from: string;
  /** Exclusive */
  to: string;
  interval: "hour" | "day";
  mode: "test" | "live";
  /** One per hour or day of the period, in order, including those without requests */
  rows: {
    requests: number;
    /** Responses with a status of 400 or above */
    errors: number;
    /** Successful responses, redirects included */
    status_2xx: number;
    /** Client errors without 429 */
    status_4xx: number;
    /** Exceeded rate limits and quotas */
    status_429: number;
    /** Server errors */
    status_5xx: number;
    /** The start of the hour or day, in UTC */
    start: string;
  }[];
  totals: {
    requests: number;
    /** Responses with a status of 400 or above */
    errors: number;
    /** Successful responses, redirects included */
    status_2xx: number;
    /** Client errors without 429 */
    status_4xx: number;
    /** Exceeded rate limits and quotas */
    status_429: number;
    /** Server errors */
    status_5xx: number;
  };
  /** The keys with the most requests in the period, at most 100 */
  keys: ({
    requests: number;
    /** Responses with a status of 400 or above */
    errors: number;
    /** Successful responses, redirects included */
    status_2xx: number;
    /** Client errors without 429 */
    status_4xx: number;
    /** Exceeded rate limits and quotas */
    status_429: number;
    /** Server errors */
    status_5xx: number;
    id: string;
    /** `platform` for an API key, otherwise the kind of the channel key */
    kind: "platform" | "server" | "browser";
    /** The name of the API key or of the channel; null if the key no longer exists */
    name: string | null;
    /** For platform keys */
    project_id: string | null;
    /** For channel keys */
    channel_id: string | null;
    /** The last four characters of the secret */
    last_four: string | null;
    revoked_at: string | null;
  })[];
  /** How many keys made requests in the period */
  keys_total: number;
};

export type GetTenantOutput = {
  id: string;
  name: string;
  is_demo: boolean;
  created_at: string;
};

/** Every operation of both APIs, by noun. Every method rejects with an `SvcError`. */
export interface PlatformClient {
  advertiserDomains: {
    /** Verify an advertiser's domain by its TXT record or file. Needs the scope `ads:write`. */
    verify(input: VerifyAdvertiserDomainInput, options?: CallOptions): Promise<Advertiser>;
  };
  advertiserReviews: {
    /** Request a review of an advertiser. Needs the scope `ads:write`. */
    request(input: RequestAdvertiserReviewInput, options?: CallOptions): Promise<Advertiser>;
  };
  advertisers: {
    /** Create an advertiser. Needs the scope `ads:write`. */
    create(input: CreateAdvertiserInput, options?: CallOptions): Promise<Advertiser>;
    /** List advertisers. Needs the scope `ads:read`. */
    list(input?: ListAdvertisersInput, options?: CallOptions): Pages<Advertiser>;
    /** Get an advertiser. Needs the scope `ads:read`. */
    get(input: GetAdvertiserInput, options?: CallOptions): Promise<Advertiser>;
    /** Update an advertiser. Needs the scope `ads:write`. */
    update(input: UpdateAdvertiserInput, options?: CallOptions): Promise<Advertiser>;
    /** Archive an advertiser without campaigns. Needs the scope `ads:write`. */
    delete(input: DeleteAdvertiserInput, options?: CallOptions): Promise<void>;
    /** Restore an archived advertiser. Needs the scope `ads:write`. */
    restore(input: RestoreAdvertiserInput, options?: CallOptions): Promise<Advertiser>;
  };
  audit: {
    /** List the audit log, newest first. Needs the scope `audit:read`. */
    list(input?: ListAuditInput, options?: CallOptions): Pages<AuditEntry>;
    /** Verify that nothing in the audit log was changed, removed or added. Needs the scope `audit:read`. */
    verify(input?: Record<string, never>, options?: CallOptions): Promise<AuditVerdict>;
  };
  auth: {
    /** Log in: get an access token for an hour and a refresh cookie. */
    login(input: LogInInput, options?: CallOptions): Promise<LogInOutput>;
    /** Exchange the refresh cookie for a new access token. */
    refresh(input?: Record<string, never>, options?: CallOptions): Promise<RefreshSessionOutput>;
    /** Log out: end the session of the refresh cookie and its access tokens. */
    logout(input?: Record<string, never>, options?: CallOptions): Promise<void>;
  };
  balances: {
    /** Get the prepaid balance. Needs the scope `ads:read`. */
    get(input?: Record<string, never>, options?: CallOptions): Promise<Balance>;
  };
  campaigns: {
    /** Create a campaign. Needs the scope `ads:write`. */
    create(input: CreateCampaignInput, options?: CallOptions): Promise<Campaign>;
    /** List campaigns. Needs the scope `ads:read`. */
    list(input?: ListCampaignsInput, options?: CallOptions): Pages<Campaign>;
    /** Get a campaign. Needs the scope `ads:read`. */
    get(input: GetCampaignInput, options?: CallOptions): Promise<Campaign>;
    /** Update, pause, resume or end a campaign. Needs the scope `ads:write`. */
    update(input: UpdateCampaignInput, options?: CallOptions): Promise<Campaign>;
    /** Archive a campaign. Needs the scope `ads:write`. */
    delete(input: DeleteCampaignInput, options?: CallOptions): Promise<void>;
    /** Restore an archived campaign. Needs the scope `ads:write`. */
    restore(input: RestoreCampaignInput, options?: CallOptions): Promise<Campaign>;
  };
  channelKeys: {
    /** Create a channel key; a server key is returned only once. Needs the scope `ads:write`. */
    create(input: CreateChannelKeyInput, options?: CallOptions): Promise<CreatedChannelKey>;
    /** List a channel's keys. Needs the scope `ads:read`. */
    list(input: ListChannelKeysInput, options?: CallOptions): Pages<ChannelKey>;
    /** Permanently revoke a channel key. Needs the scope `ads:write`. */
    revoke(input: RevokeChannelKeyInput, options?: CallOptions): Promise<ChannelKey>;
  };
  channels: {
    /** Create a channel. Needs the scope `ads:write`. */
    create(input: CreateChannelInput, options?: CallOptions): Promise<Channel>;
    /** List channels. Needs the scope `ads:read`. */
    list(input?: ListChannelsInput, options?: CallOptions): Pages<Channel>;
    /** Get a channel. Needs the scope `ads:read`. */
    get(input: GetChannelInput, options?: CallOptions): Promise<Channel>;
    /** Update a channel. Needs the scope `ads:write`. */
    update(input: UpdateChannelInput, options?: CallOptions): Promise<Channel>;
    /** Archive a channel and revoke its keys. Needs the scope `ads:write`. */
    delete(input: DeleteChannelInput, options?: CallOptions): Promise<void>;
    /** Restore an archived channel. Needs the scope `ads:write`. */
    restore(input: RestoreChannelInput, options?: CallOptions): Promise<Channel>;
  };
  conversions: {
    /** List reported orders. Needs the scope `ads:read`. */
    list(input?: ListConversionsInput, options?: CallOptions): Pages<ListConversionsItem>;
    /** Report an order. Needs the scope `ads:write`. */
    report(input: ReportConversionInput, options?: CallOptions): Promise<ReportConversionOutput>;
  };
  creatives: {
    /** Add a creative to a campaign. Needs the scope `ads:write`. */
    create(input: CreateCreativeInput, options?: CallOptions): Promise<Creative>;
    /** List a campaign's creatives. Needs the scope `ads:read`. */
    list(input: ListCreativesInput, options?: CallOptions): Pages<Creative>;
    /** Get a creative. Needs the scope `ads:read`. */
    get(input: GetCreativeInput, options?: CallOptions): Promise<Creative>;
    /** Update a creative. Needs the scope `ads:write`. */
    update(input: UpdateCreativeInput, options?: CallOptions): Promise<Creative>;
    /** Archive a creative. Needs the scope `ads:write`. */
    delete(input: DeleteCreativeInput, options?: CallOptions): Promise<void>;
    /** Restore an archived creative. Needs the scope `ads:write`. */
    restore(input: RestoreCreativeInput, options?: CallOptions): Promise<Creative>;
  };
  earnings: {
    /** Get pending, available and clawed-back earnings. Needs the scope `ads:read`. */
    get(input?: GetEarningsInput, options?: CallOptions): Promise<Earnings>;
  };
  earningsStatements: {
    /** Get the earnings of a month by channel. Needs the scope `ads:read`. */
    get(input: GetEarningsStatementInput, options?: CallOptions): Promise<EarningsStatement>;
  };
  feedFetchs: {
    /** Fetch a campaign's feed now. Needs the scope `ads:write`. */
    request(input: RequestFeedFetchInput, options?: CallOptions): Promise<FeedSchedule>;
  };
  feedSchedules: {
    /** Set the URL that a campaign's product feed is fetched from. Needs the scope `ads:write`. */
    set(input: SetFeedScheduleInput, options?: CallOptions): Promise<FeedSchedule>;
    /** Get a campaign's feed schedule and its last fetch. Needs the scope `ads:read`. */
    get(input: GetFeedScheduleInput, options?: CallOptions): Promise<FeedSchedule>;
    /** Delete a campaign's feed schedule; its products stay. Needs the scope `ads:write`. */
    delete(input: DeleteFeedScheduleInput, options?: CallOptions): Promise<void>;
  };
  impressions: {
    /** Report impressions. */
    report(input: ReportImpressionsInput, options?: CallOptions): Promise<void>;
  };
  keys: {
    /** Create an API key; its secret is shown once. Needs the scope `keys:write`. */
    create(input: CreateKeyInput, options?: CallOptions): Promise<CreateKeyOutput>;
    /** List API keys. Needs the scope `keys:read`. */
    list(input?: ListKeysInput, options?: CallOptions): Pages<ListKeysItem>;
    /** Get an API key. Needs the scope `keys:read`. */
    get(input: GetKeyInput, options?: CallOptions): Promise<GetKeyOutput>;
    /** Replace the secret of an API key; the new one is shown once. Needs the scope `keys:write`. */
    rotate(input: RotateKeyInput, options?: CallOptions): Promise<RotateKeyOutput>;
    /** Revoke an API key permanently. Needs the scope `keys:write`. */
    revoke(input: RevokeKeyInput, options?: CallOptions): Promise<RevokeKeyOutput>;
  };
  networkChannels: {
    /** List channels of other publishers where campaigns appeared. Needs the scope `ads:read`. */
    list(input?: ListNetworkChannelsInput, options?: CallOptions): Promise<ListNetworkChannelsOutput>;
  };
  offers: {
    /** Explain the offers for a request. Needs the scope `ads:read`. */
    explain(input?: ExplainOffersInput, options?: CallOptions): Promise<ExplainOffersOutput>;
    /** Get offers for a query. */
    serve(input?: ServeOffersInput, options?: CallOptions): Promise<ServeOffersOutput>;
  };
  pixels: {
    /** Get the pixel and scripts that report orders. Needs the scope `ads:read`. */
    get(input: GetPixelInput, options?: CallOptions): Promise<GetPixelOutput>;
  };
  products: {
    /** Import a product feed. Needs the scope `ads:write`. */
    import(input: ImportProductsInput, options?: CallOptions): Promise<FeedResult>;
    /** List a campaign's products. Needs the scope `ads:read`. */
    list(input: ListProductsInput, options?: CallOptions): Pages<Product>;
    /** Get a product. Needs the scope `ads:read`. */
    get(input: GetProductInput, options?: CallOptions): Promise<Product>;
    /** Archive a product until a feed contains it again. Needs the scope `ads:write`. */
    delete(input: DeleteProductInput, options?: CallOptions): Promise<void>;
  };
  projects: {
    /** Create a project. Needs the scope `projects:write`. */
    create(input: CreateProjectInput, options?: CallOptions): Promise<CreateProjectOutput>;
    /** List projects. Needs the scope `projects:read`. */
    list(input?: ListProjectsInput, options?: CallOptions): Pages<ListProjectsItem>;
    /** Get a project. Needs the scope `projects:read`. */
    get(input: GetProjectInput, options?: CallOptions): Promise<GetProjectOutput>;
    /** Rename a project. Needs the scope `projects:write`. */
    update(input: UpdateProjectInput, options?: CallOptions): Promise<UpdateProjectOutput>;
    /** Archive a project without active keys. Needs the scope `projects:write`. */
    delete(input: DeleteProjectInput, options?: CallOptions): Promise<void>;
  };
  quotas: {
    /** List limits and how much of them is used. Needs the scope `usage:read`. */
    list(input?: Record<string, never>, options?: CallOptions): Pages<ListQuotasItem>;
  };
  reports: {
    /** The same as CSV. */
    get(input: GetReportInput & { format: "csv" }, options?: CallOptions): Promise<string>;
    /** Report on channels and campaigns. Needs the scope `ads:read`. */
    get(input?: GetReportInput, options?: CallOptions): Promise<GetReportOutput>;
  };
  requestCounts: {
    /** Count API requests by key over time. Needs the scope `usage:read`. */
    get(input?: GetRequestCountsInput, options?: CallOptions): Promise<GetRequestCountsOutput>;
  };
  signals: {
    /** Report signals. */
    report(input: ReportSignalsInput, options?: CallOptions): Promise<void>;
  };
  spendStatements: {
    /** Get the spend of a month by campaign. Needs the scope `ads:read`. */
    get(input: GetSpendStatementInput, options?: CallOptions): Promise<SpendStatement>;
  };
  statements: {
    /** List months with earnings or spend. Needs the scope `ads:read`. */
    list(input?: ListStatementsInput, options?: CallOptions): Pages<StatementMonth>;
  };
  tenants: {
    /** Get the calling tenant. */
    get(input?: Record<string, never>, options?: CallOptions): Promise<GetTenantOutput>;
  };
  users: {
    /** Delete everything stored about a user. Needs the scope `ads:write`. */
    erase(input: EraseUserInput, options?: CallOptions): Promise<void>;
  };
}
