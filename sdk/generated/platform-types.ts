// Written from the endpoints of svc by test/api/sdk-source.test.ts; run that with `-u` instead of editing.
import type { CallOptions, FeedBody, Pages } from "../operation";

export type AuditEntry = {
  id: string;
  /** 1 for a tenant's first entry, without gaps */
  sequence: number;
  at: string;
  action: string;
  actor: {
    /** A visitor is not logged in */
    type: "api_key" | "user" | "operator" | "visitor";
    id?: string | undefined;
    /** The key's name or the member's email today */
    name?: string | undefined;
  };
  /** What it concerns, named as it was then */
  targets: ({
    type: string;
    id: string;
    name?: string | undefined;
  })[];
  /** Empty where no request caused it */
  context: {
    request_id?: string | undefined;
    address?: string | undefined;
    user_agent?: string | undefined;
  };
  /** For an update `changes`: each field's value `from` and `to`, cut after 500 characters */
  details: Record<string, unknown>;
  /** SHA-256 over this entry and `previous_hash`, in hex */
  hash: string;
  /** Of the entry before; empty for the first */
  previous_hash: string;
};

export type AuditVerdict = {
  valid: boolean;
  /** How many entries were found good, from the first on */
  entries: number;
  /** The first sequence number whose entry is missing, changed or out of place */
  first_bad_sequence: number | null;
  /** Of the newest entry; whoever keeps it elsewhere can tell later that the log was not written anew */
  head_hash: string;
};

export type Channel = {
  id: string;
  mode: "test" | "live";
  name: string;
  /** Where browser keys work; without any they work nowhere */
  origins: string[];
  /** What the channel is about; campaigns that name categories need one */
  categories: string[];
  blocked_categories: string[];
  /** Ids, domains or names of advertisers */
  blocked_advertisers: string[];
  created_at: string;
  updated_at: string;
};

export type CreatedChannelKey = {
  id: string;
  channel_id: string;
  kind: "server" | "browser";
  /** The key's last four characters */
  last_four: string;
  created_at: string;
  revoked_at: string | null;
  last_used_at: string | null;
  /** Shown only now. `svc_srv_` is secret and for servers; `svc_pub_` may stand in a page */
  key: string;
};

export type ChannelKey = {
  id: string;
  channel_id: string;
  kind: "server" | "browser";
  /** The key's last four characters */
  last_four: string;
  created_at: string;
  revoked_at: string | null;
  last_used_at: string | null;
};

export type Advertiser = {
  id: string;
  /** The brand's name in offers whose creative names none */
  name: string;
  domain: string | null;
  icon_url: string | null;
  created_at: string;
  updated_at: string;
};

export type Campaign = {
  id: string;
  mode: "test" | "live";
  advertiser_id: string;
  name: string;
  model: "cpc" | "cpm";
  /** The installation's billing currency (ISO 4217); all micros are of it */
  currency: string;
  bid_micros: number;
  daily_budget_micros: number | null;
  total_budget_micros: number | null;
  starts_at: string | null;
  ends_at: string | null;
  /** Where the daily budget's day begins */
  timezone: string;
  /** `even` spreads the daily budget over the day, and a total budget until `ends_at`, as the traffic comes; `asap` serves until the budget is used up */
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
    /** Without it the advertiser's name */
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
    /** Before a reduction */
    original_price?: number | undefined;
  } | null;
  rating: {
    value: number;
    scale: number;
    /** How many rated; without it offers show no rating */
    count?: number | undefined;
  } | null;
  created_at: string;
  updated_at: string;
};

export type FeedResult = {
  /** Lines that were taken; a repeated id counts each time */
  accepted: number;
  rejected: number;
  /** The first 1,000 */
  errors: {
    line: number;
    code: string;
    message: string;
  }[];
  /** There were more than `errors` shows */
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
  /** Without it offers show the advertiser's name */
  brand: string | null;
  gtin: string | null;
  /** `product_type`, else `google_product_category` */
  category: string | null;
  availability: "in_stock" | "out_of_stock" | "preorder" | "backorder";
  price: {
    amount: number;
    currency: string;
    /** Before a sale */
    original_price?: number | undefined;
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

export interface CreateAdvertiserInput {
  name: string;
  domain?: string | null | undefined;
  icon_url?: string | null | undefined;
}

export interface ListAdvertisersInput {
  /** `next_cursor` of the page before */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface GetAdvertiserInput {
  id: string;
}

export interface UpdateAdvertiserInput {
  id: string;
  name?: string | undefined;
  domain?: string | null | undefined;
  icon_url?: string | null | undefined;
}

export interface DeleteAdvertiserInput {
  id: string;
}

export interface ListAuditInput {
  /** `next_cursor` of the page before */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** An action, or all of a kind: `campaign.*` */
  action?: string | undefined;
  /** Of a user or an API key */
  actor_id?: string | undefined;
  /** Of what was changed */
  target_id?: string | undefined;
  /** From this moment on */
  from?: string | undefined;
  /** Before this moment */
  to?: string | undefined;
}

export interface LogInInput {
  email: string;
  password: string;
  tenant_id?: string | undefined;
}

export interface CreateCampaignInput {
  /** Which mode a person acts in (default test); a key always acts in its own */
  mode?: "test" | "live" | undefined;
  advertiser_id: string;
  name: string;
  model: "cpc" | "cpm";
  /** For a click (cpc) or 1,000 impressions (cpm) */
  bid_micros: number;
  daily_budget_micros?: number | null | undefined;
  total_budget_micros?: number | null | undefined;
  starts_at?: string | null | undefined;
  ends_at?: string | null | undefined;
  timezone?: string | undefined;
  /** `even` spreads the daily budget over the day, and a total budget until `ends_at`, as the traffic comes; `asap` serves until the budget is used up */
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
    /** Days after a click in which a conversion counts */
    click_days?: number | undefined;
    /** Days after a viewable impression; 0: views do not count */
    view_days?: number | undefined;
  } | undefined;
}

export interface ListCampaignsInput {
  /** `next_cursor` of the page before */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Which mode a person acts in (default test); a key always acts in its own */
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
  /** For a click (cpc) or 1,000 impressions (cpm) */
  bid_micros?: number | undefined;
  daily_budget_micros?: number | null | undefined;
  total_budget_micros?: number | null | undefined;
  starts_at?: string | null | undefined;
  ends_at?: string | null | undefined;
  timezone?: string | undefined;
  /** `even` spreads the daily budget over the day, and a total budget until `ends_at`, as the traffic comes; `asap` serves until the budget is used up */
  pacing?: "even" | "asap" | undefined;
  reach?: "tenant" | "network" | undefined;
  /** draft to active, active to paused and back, any of them to ended */
  status?: "draft" | "active" | "paused" | "ended" | undefined;
  caps?: ({
    count: number;
    window_seconds: number;
    per?: "campaign" | "advertiser" | "channel" | undefined;
  })[] | undefined;
  /** Only the lists given are replaced */
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
    /** Days after a click in which a conversion counts */
    click_days?: number | undefined;
    /** Days after a viewable impression; 0: views do not count */
    view_days?: number | undefined;
  } | undefined;
}

export interface DeleteCampaignInput {
  id: string;
}

export interface CreateChannelKeyInput {
  id: string;
  /** A browser key works only on the channel's origins, so nowhere until it has some */
  kind: "server" | "browser";
}

export interface ListChannelKeysInput {
  id: string;
  /** `next_cursor` of the page before */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface RevokeChannelKeyInput {
  id: string;
  key_id: string;
}

export interface CreateChannelInput {
  /** Which mode a person acts in (default test); a key always acts in its own */
  mode?: "test" | "live" | undefined;
  name: string;
  /** `scheme://host[:port]`; `*` is refused */
  origins?: string[] | undefined;
  categories?: string[] | undefined;
  blocked_categories?: string[] | undefined;
  /** Ids, domains or names of advertisers, in any case */
  blocked_advertisers?: string[] | undefined;
}

export interface ListChannelsInput {
  /** `next_cursor` of the page before */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Which mode a person acts in (default test); a key always acts in its own */
  mode?: "test" | "live" | undefined;
}

export interface GetChannelInput {
  id: string;
}

export interface UpdateChannelInput {
  id: string;
  name?: string | undefined;
  /** `scheme://host[:port]`; `*` is refused */
  origins?: string[] | undefined;
  categories?: string[] | undefined;
  blocked_categories?: string[] | undefined;
  /** Ids, domains or names of advertisers, in any case */
  blocked_advertisers?: string[] | undefined;
}

export interface DeleteChannelInput {
  id: string;
}

export interface ListConversionsInput {
  /** `next_cursor` of the page before */
  cursor?: string | undefined;
  limit?: number | undefined;
  mode?: "test" | "live" | undefined;
  campaign_id?: string | undefined;
  attribution?: "click" | "view" | "none" | undefined;
}

export interface ReportConversionInput {
  /** The advertiser's own; each order counts once */
  order_id: string;
  /** `svc_click_id` of the landing page */
  click_id?: string | undefined;
  /** Whose order it is, where a tenant has several advertisers; default: the advertiser of the click or view */
  advertiser_id?: string | undefined;
  /** A user of the tenant's own channels, as offers requests name it: finds views and clicks */
  user_id?: string | undefined;
  /** In micros of the billing currency */
  value_micros?: number | undefined;
  /** Only the installation's billing currency, which is the default */
  currency?: string | undefined;
  /** Default now; at most 90 days ago */
  occurred_at?: string | undefined;
  /** For people; a key reports in its own mode. Default: test */
  mode?: "test" | "live" | undefined;
}

export interface CreateCreativeInput {
  id: string;
  title: string;
  content: string;
  cta: string;
  landing_url: string;
  brand?: {
    /** Without it the advertiser's name */
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
    /** Before a reduction */
    original_price?: number | undefined;
  } | null | undefined;
  rating?: {
    value: number;
    scale: number;
    /** How many rated; without it offers show no rating */
    count?: number | undefined;
  } | null | undefined;
}

export interface ListCreativesInput {
  id: string;
  /** `next_cursor` of the page before */
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
    /** Without it the advertiser's name */
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
    /** Before a reduction */
    original_price?: number | undefined;
  } | null | undefined;
  rating?: {
    value: number;
    scale: number;
    /** How many rated; without it offers show no rating */
    count?: number | undefined;
  } | null | undefined;
}

export interface DeleteCreativeInput {
  id: string;
  creative_id: string;
}

export interface ReportImpressionsInput {
  /** Ids of offers that were really visible */
  ids: string[];
}

export interface CreateKeyInput {
  name: string;
  /** Id or name; default: the key's own project, or a person's first */
  project?: string | undefined;
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "audit:read" | "pods:read" | "pods:write" | "edge:read" | "edge:write" | "queues:read" | "queues:write" | "webhooks:read" | "webhooks:write")[];
  /** Default: the key's own mode, or test */
  mode?: "test" | "live" | undefined;
  expires_at?: string | undefined;
  /** Addresses and networks in CIDR notation that may use the key; empty: any */
  allowed_addresses?: string[] | undefined;
}

export interface ListKeysInput {
  /** `next_cursor` of the page before */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only keys of this project, by its id or name */
  project?: string | undefined;
  /** Which mode a person asks for (default test); a key sees its own */
  mode?: "test" | "live" | undefined;
  /** Only keys in this state */
  state?: "active" | "expired" | "revoked" | undefined;
}

export interface GetKeyInput {
  id: string;
}

export interface RotateKeyInput {
  id: string;
  /** How long the secret that is replaced is still accepted */
  grace_seconds?: number | undefined;
}

export interface RevokeKeyInput {
  id: string;
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
  /** BCP 47; recorded as language and region, `en` for what is no locale */
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
    /** Free key-value attributes, for example a budget */
    attributes?: Record<string, unknown> | undefined;
    iab?: {
      type?: string | undefined;
      version?: string | undefined;
      ids?: string[] | undefined;
    } | undefined;
  })[] | null | undefined;
  /** Consent strings of the page, when it has any; one that does not allow it stops what is remembered */
  consent?: {
    /** IAB TCF v2 string */
    tcf?: string | undefined;
    /** IAB GPP string */
    gpp?: string | undefined;
    /** Ids of the GPP sections that apply; without it every section that is present applies */
    gpp_sid?: number[] | undefined;
  } | undefined;
  /** As for a visitor whose browser sends `Sec-GPC: 1` */
  gpc?: boolean | undefined;
  /** One of the tenant's channels */
  channel_id: string;
  /** Tell the fate of this campaign alone */
  campaign_id?: string | undefined;
  /** Equal offers and paced campaigns take turns by it; the same seed gives the same answer */
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
  /** BCP 47; recorded as language and region, `en` for what is no locale */
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
    /** Free key-value attributes, for example a budget */
    attributes?: Record<string, unknown> | undefined;
    iab?: {
      type?: string | undefined;
      version?: string | undefined;
      ids?: string[] | undefined;
    } | undefined;
  })[] | null | undefined;
  /** Consent strings of the page, when it has any; one that does not allow it stops what is remembered */
  consent?: {
    /** IAB TCF v2 string */
    tcf?: string | undefined;
    /** IAB GPP string */
    gpp?: string | undefined;
    /** Ids of the GPP sections that apply; without it every section that is present applies */
    gpp_sid?: number[] | undefined;
  } | undefined;
}

export interface GetPixelInput {
  id: string;
  mode?: "test" | "live" | undefined;
}

export interface ImportProductsInput {
  id: string;
  /** `replace` archives products that the feed does not name, once all of it was read */
  mode?: "merge" | "replace" | undefined;
  /** What the feed is: `text/csv`, `application/x-ndjson`, … */
  content_type: string;
  /** `gzip` where the body is compressed. */
  content_encoding?: string | undefined;
  body: FeedBody;
}

export interface ListProductsInput {
  id: string;
  /** `next_cursor` of the page before */
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
  /** `next_cursor` of the page before */
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
  /** Date or date-time; default: six days before the day of `to` */
  from?: string | undefined;
  /** Date or date-time, exclusive; default: now */
  to?: string | undefined;
  /** IANA name; days and hours are local to it */
  timezone?: string | undefined;
  /** A comma-separated list of day, hour, channel, campaign, creative, placement, geo, device, traffic */
  group_by?: string | string[] | undefined;
  /** For people; a key reports on its own mode. Default: test */
  mode?: "test" | "live" | undefined;
  /** `csv` answers the rows, without totals, as text/csv */
  format?: "json" | "csv" | undefined;
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
    /** Free key-value attributes, for example a budget */
    attributes?: Record<string, unknown> | undefined;
    iab?: {
      type?: string | undefined;
      version?: string | undefined;
      ids?: string[] | undefined;
    } | undefined;
  })[];
  /** Consent strings of the page, when it has any; one that does not allow it stops what is remembered */
  consent?: {
    /** IAB TCF v2 string */
    tcf?: string | undefined;
    /** IAB GPP string */
    gpp?: string | undefined;
    /** Ids of the GPP sections that apply; without it every section that is present applies */
    gpp_sid?: number[] | undefined;
  } | undefined;
}

export interface EraseUserInput {
  /** As it was sent with offers requests and signals */
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
  order_id: string;
  /** The last touch that explains it */
  attribution: "click" | "view" | "none";
  /** Why it counts for no campaign */
  reason: "unknown_click" | "outside_window" | "no_touch" | null;
  campaign_id: string | null;
  /** `network` for a channel of another publisher */
  channel_id: string | null;
  touched_at: string | null;
  value_micros: number;
  currency: string;
  occurred_at: string;
  created_at: string;
};

export type ReportConversionOutput = {
  id: string;
  mode: "test" | "live";
  order_id: string;
  /** The last touch that explains it */
  attribution: "click" | "view" | "none";
  /** Why it counts for no campaign */
  reason: "unknown_click" | "outside_window" | "no_touch" | null;
  campaign_id: string | null;
  /** `network` for a channel of another publisher */
  channel_id: string | null;
  touched_at: string | null;
  value_micros: number;
  currency: string;
  occurred_at: string;
  created_at: string;
  /** The order had been reported before: this is what became of it then */
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
  /** How long the secret before the last rotation is accepted */
  previous_secret_until: string | null;
  revoked_at: string | null;
  /** To the minute */
  last_used_at: string | null;
  /** The secret, shown this once */
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
  /** How long the secret before the last rotation is accepted */
  previous_secret_until: string | null;
  revoked_at: string | null;
  /** To the minute */
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
  /** How long the secret before the last rotation is accepted */
  previous_secret_until: string | null;
  revoked_at: string | null;
  /** To the minute */
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
  /** How long the secret before the last rotation is accepted */
  previous_secret_until: string | null;
  revoked_at: string | null;
  /** To the minute */
  last_used_at: string | null;
  /** The secret, shown this once */
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
  /** How long the secret before the last rotation is accepted */
  previous_secret_until: string | null;
  revoked_at: string | null;
  /** To the minute */
  last_used_at: string | null;
};

export type ExplainOffersOutput = {
  channel_id: string;
  /** How the request was understood; null when it has no words with meaning */
  reading: {
    /** The part of the request that decided */
    source: "query" | "context" | "signal";
    intent: "buy" | "ask" | "plain";
    words: {
      /** As it is looked up */
      word: string;
      weight: number;
    }[];
    /** The most that any item covers of what was asked for */
    best_coverage: number;
    /** What an item must cover; null when nothing was offered for want of it */
    needed_coverage: number | null;
  } | null;
  fates: ({
    /** `runner_up`: takes the place of an offer that a frequency cap keeps out */
    outcome: "offered" | "runner_up" | "left_out";
    /** 1 for the first place */
    rank: number | null;
    /** Why it was left out */
    reason: string | null;
    /** The outcome in words */
    explanation: string;
    owner: "own" | "network";
    /** null for campaigns of others */
    campaign_id: string | null;
    campaign_name: string | null;
    creative_id: string | null;
    product_id: string | null;
    title: string | null;
    /** Share of the request's meaning that the item covers */
    coverage: number;
    /** The parts of the expected value; absent where a filter or the gate spoke first */
    value: {
      /** 1 for the best fit of the request, falling steeply */
      relevance: number;
      /** Predicted clicks for each impression */
      click_rate: number;
      /** 1 to 1.2: what a creative gets on top while it was hardly seen */
      exploration: number;
      /** Counted in the last 30 days, behind the click rate */
      impressions: number;
      clicks: number;
      /** What the bid and the price are for: a click, or a thousand impressions */
      model: "cpc" | "cpm";
      bid_micros: number;
      /** Expected value of a thousand impressions: relevance x click rate x bid */
      value_micros: number;
    } | null;
    /** The second price, in the unit of the bid: for a click, or for a thousand impressions */
    price_micros: number | null;
  })[];
  /** Items and campaigns of others that were considered and left out */
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
    /** The placement type that was asked for */
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
  /** Too many requests for this user_id, or frequency caps alone removed every match */
  reason?: "frequency_cap" | undefined;
};

export type GetPixelOutput = {
  token: string;
  /** Add `order_id`, and `click_id` and `value_micros` where they are known */
  pixel_url: string;
  /** For every page that offers lead to: keeps the click id on the advertiser's site */
  landing_script: string;
  /** For the page after an order; put the order's id and value in */
  order_script: string;
};

export type CreateProjectOutput = {
  id: string;
  name: string;
  /** API keys that work, of both modes */
  active_keys: number;
  created_at: string;
};

export type ListProjectsItem = {
  id: string;
  name: string;
  /** API keys that work, of both modes */
  active_keys: number;
  created_at: string;
};

export type GetProjectOutput = {
  id: string;
  name: string;
  /** API keys that work, of both modes */
  active_keys: number;
  created_at: string;
};

export type UpdateProjectOutput = {
  id: string;
  name: string;
  /** API keys that work, of both modes */
  active_keys: number;
  created_at: string;
};

export type ListQuotasItem = {
  resource: "requests_per_minute" | "projects" | "active_keys_per_project" | "channels" | "advertisers" | "campaigns";
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
    /** Offers handed out */
    served: number;
    /** Offers that were seen, invalid traffic excluded */
    impressions: number;
    /** impressions / served; null when nothing was served */
    viewable_rate: number | null;
    /** First clicks, invalid traffic excluded */
    clicks: number;
    invalid_impressions: number;
    invalid_clicks: number;
    /** clicks / impressions; null without impressions */
    ctr: number | null;
    /** What the tenant's campaigns were charged */
    spend_micros: number;
    /** What the tenant's channels earned */
    earnings_micros: number;
    conversions: number;
    conversion_value_micros: number;
    /** Local date, such as 2026-11-20 */
    day?: string | undefined;
    /** Start of the local hour with its offset, such as 2026-11-20T13:00:00+01:00 */
    hour?: string | undefined;
    /** Channel id, or `network` for the tenant's campaigns on channels of others */
    channel?: string | null | undefined;
    /** Campaign id; `network` or `house` for offers of others on the tenant's channels */
    campaign?: string | null | undefined;
    /** Creative id; null for offers of others */
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
    /** Offers handed out */
    served: number;
    /** Offers that were seen, invalid traffic excluded */
    impressions: number;
    /** impressions / served; null when nothing was served */
    viewable_rate: number | null;
    /** First clicks, invalid traffic excluded */
    clicks: number;
    invalid_impressions: number;
    invalid_clicks: number;
    /** clicks / impressions; null without impressions */
    ctr: number | null;
    /** What the tenant's campaigns were charged */
    spend_micros: number;
    /** What the tenant's channels earned */
    earnings_micros: number;
    conversions: number;
    conversion_value_micros: number;
  };
};

export type GetTenantOutput = {
  id: string;
  name: string;
  is_demo: boolean;
  created_at: string;
};

/** Every operation of both APIs, by noun. Every method rejects with an `SvcError`. */
export interface PlatformClient {
  advertisers: {
    /** Create an advertiser. Needs the scope `ads:write`. */
    create(input: CreateAdvertiserInput, options?: CallOptions): Promise<Advertiser>;
    /** List advertisers. Needs the scope `ads:read`. */
    list(input?: ListAdvertisersInput, options?: CallOptions): Pages<Advertiser>;
    /** Get an advertiser. Needs the scope `ads:read`. */
    get(input: GetAdvertiserInput, options?: CallOptions): Promise<Advertiser>;
    /** Change an advertiser. Needs the scope `ads:write`. */
    update(input: UpdateAdvertiserInput, options?: CallOptions): Promise<Advertiser>;
    /** Archive an advertiser without campaigns. Needs the scope `ads:write`. */
    delete(input: DeleteAdvertiserInput, options?: CallOptions): Promise<void>;
  };
  audit: {
    /** List what changed, newest first. Needs the scope `audit:read`. */
    list(input?: ListAuditInput, options?: CallOptions): Pages<AuditEntry>;
    /** Verify that nothing in the audit log was changed, removed or added. Needs the scope `audit:read`. */
    verify(input?: Record<string, never>, options?: CallOptions): Promise<AuditVerdict>;
  };
  auth: {
    /** Log in for an access token of an hour and a refresh cookie. */
    login(input: LogInInput, options?: CallOptions): Promise<LogInOutput>;
    /** Exchange the refresh cookie for a new access token. */
    refresh(input?: Record<string, never>, options?: CallOptions): Promise<RefreshSessionOutput>;
    /** End the log-in of the refresh cookie and its access tokens. */
    logout(input?: Record<string, never>, options?: CallOptions): Promise<void>;
  };
  campaigns: {
    /** Create a campaign. Needs the scope `ads:write`. */
    create(input: CreateCampaignInput, options?: CallOptions): Promise<Campaign>;
    /** List campaigns. Needs the scope `ads:read`. */
    list(input?: ListCampaignsInput, options?: CallOptions): Pages<Campaign>;
    /** Get a campaign. Needs the scope `ads:read`. */
    get(input: GetCampaignInput, options?: CallOptions): Promise<Campaign>;
    /** Change, pause, resume or end a campaign. Needs the scope `ads:write`. */
    update(input: UpdateCampaignInput, options?: CallOptions): Promise<Campaign>;
    /** Archive a campaign. Needs the scope `ads:write`. */
    delete(input: DeleteCampaignInput, options?: CallOptions): Promise<void>;
  };
  channelKeys: {
    /** Create a channel key, shown once. Needs the scope `ads:write`. */
    create(input: CreateChannelKeyInput, options?: CallOptions): Promise<CreatedChannelKey>;
    /** List a channel's keys. Needs the scope `ads:read`. */
    list(input: ListChannelKeysInput, options?: CallOptions): Pages<ChannelKey>;
    /** Revoke a channel key for good. Needs the scope `ads:write`. */
    revoke(input: RevokeChannelKeyInput, options?: CallOptions): Promise<ChannelKey>;
  };
  channels: {
    /** Create a channel. Needs the scope `ads:write`. */
    create(input: CreateChannelInput, options?: CallOptions): Promise<Channel>;
    /** List channels. Needs the scope `ads:read`. */
    list(input?: ListChannelsInput, options?: CallOptions): Pages<Channel>;
    /** Get a channel. Needs the scope `ads:read`. */
    get(input: GetChannelInput, options?: CallOptions): Promise<Channel>;
    /** Change a channel. Needs the scope `ads:write`. */
    update(input: UpdateChannelInput, options?: CallOptions): Promise<Channel>;
    /** Archive a channel and revoke its keys. Needs the scope `ads:write`. */
    delete(input: DeleteChannelInput, options?: CallOptions): Promise<void>;
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
    /** Change a creative. Needs the scope `ads:write`. */
    update(input: UpdateCreativeInput, options?: CallOptions): Promise<Creative>;
    /** Archive a creative. Needs the scope `ads:write`. */
    delete(input: DeleteCreativeInput, options?: CallOptions): Promise<void>;
  };
  impressions: {
    /** Report impressions. */
    report(input: ReportImpressionsInput, options?: CallOptions): Promise<void>;
  };
  keys: {
    /** Create an API key, shown once. Needs the scope `keys:write`. */
    create(input: CreateKeyInput, options?: CallOptions): Promise<CreateKeyOutput>;
    /** List API keys. Needs the scope `keys:read`. */
    list(input?: ListKeysInput, options?: CallOptions): Pages<ListKeysItem>;
    /** Get an API key. Needs the scope `keys:read`. */
    get(input: GetKeyInput, options?: CallOptions): Promise<GetKeyOutput>;
    /** Replace an API key's secret by a new one, shown once. Needs the scope `keys:write`. */
    rotate(input: RotateKeyInput, options?: CallOptions): Promise<RotateKeyOutput>;
    /** Revoke an API key for good. Needs the scope `keys:write`. */
    revoke(input: RevokeKeyInput, options?: CallOptions): Promise<RevokeKeyOutput>;
  };
  offers: {
    /** Why offers win or lose a request. Needs the scope `ads:read`. */
    explain(input: ExplainOffersInput, options?: CallOptions): Promise<ExplainOffersOutput>;
    /** Offers for a query. */
    serve(input?: ServeOffersInput, options?: CallOptions): Promise<ServeOffersOutput>;
  };
  pixels: {
    /** What an advertiser's pages need to report orders. Needs the scope `ads:read`. */
    get(input: GetPixelInput, options?: CallOptions): Promise<GetPixelOutput>;
  };
  products: {
    /** Import a product feed, streamed. Needs the scope `ads:write`. */
    import(input: ImportProductsInput, options?: CallOptions): Promise<FeedResult>;
    /** List a campaign's products. Needs the scope `ads:read`. */
    list(input: ListProductsInput, options?: CallOptions): Pages<Product>;
    /** Get a product. Needs the scope `ads:read`. */
    get(input: GetProductInput, options?: CallOptions): Promise<Product>;
    /** Archive a product until a feed names it again. Needs the scope `ads:write`. */
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
  signals: {
    /** Report signals. */
    report(input: ReportSignalsInput, options?: CallOptions): Promise<void>;
  };
  tenants: {
    /** Get the calling tenant. */
    get(input?: Record<string, never>, options?: CallOptions): Promise<GetTenantOutput>;
  };
  users: {
    /** Forget the signals remembered about a user. Needs the scope `ads:write`. */
    erase(input: EraseUserInput, options?: CallOptions): Promise<void>;
  };
}
