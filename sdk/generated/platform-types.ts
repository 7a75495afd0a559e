// Written from the endpoints of svc by test/api/sdk-source.test.ts; run that with `-u` instead of editing.
import type { CallOptions, FeedBody, Pages } from "../operation";

export type OpenAiError = {
  error: {
    message: string;
    /** `invalid_request_error`, `authentication_error`, `permission_error`, `rate_limit_error`, `insufficient_quota`, `server_error` */
    type: string;
    /** The invalid field */
    param: string | null;
    /** A more specific cause, such as `model_not_found` */
    code: string;
    /** Also in `X-Request-ID` */
    request_id: string;
  };
};

export type ToolCalls = {
  data: ToolCall[];
};

export type ToolCall = {
  id: string;
  /** When it began */
  at: string;
  tool: string;
  mode: "test" | "live";
  project_id: string;
  key_id: string;
  /** null if the key no longer exists */
  key_name: string | null;
  /** The code of the error, such as `invalid_request`; null: it succeeded */
  error: string | null;
  duration_ms: number;
  request_id: string;
};

export type AuditEntry = {
  id: string;
  /** 1 for a tenant's first entry, without gaps */
  sequence: number;
  at: string;
  action: string;
  actor: {
    /** A `visitor` is someone who is not logged in, and `system` is svc itself */
    type: "api_key" | "user" | "operator" | "visitor" | "system";
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

export type Event = {
  id: string;
  type: string;
  created_at: string;
  tenant_id: string;
  /** null: it concerns the whole tenant */
  project_id: string | null;
  /** Changes of projects, members and limits concern both modes and are `live` */
  mode: "test" | "live";
  /** Depends on `type`: see `GET /v1/events/kinds` */
  data: Record<string, unknown>;
};

export type EventKind = {
  type: string;
  description: string;
  /** The JSON schema of `data` */
  data_schema: Record<string, unknown>;
  /** Such an event, as it is delivered */
  example_event: {
    id: string;
    type: string;
    created_at: string;
    tenant_id: string;
    /** null: it concerns the whole tenant */
    project_id: string | null;
    /** Changes of projects, members and limits concern both modes and are `live` */
    mode: "test" | "live";
    /** Depends on `type`: see `GET /v1/events/kinds` */
    data: Record<string, unknown>;
  };
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

export type UsageReport = {
  from: string;
  /** Exclusive; now for a period that is not over */
  to: string;
  currency: string;
  /** true in test mode, in which nothing is charged */
  simulated: boolean;
  /** false while something of it is still running or being counted */
  final: boolean;
  /** The exact sum of the amounts of all rows; an invoice rounds it once */
  total: string;
  /** Until when functions, queues, storage and chat are counted, every 10 minutes; pods are counted until now */
  measured_at: string | null;
  data: ({
    /** In UTC */
    day?: string | undefined;
    project_id?: string | undefined;
    service?: "pods" | "sandboxes" | "workspaces" | "reservations" | "volumes" | "networks" | "functions" | "queues" | "storage" | "chat" | undefined;
    /** The GPU model of a pod, or `cpu`; `invocations`, `duration` and `cpu` of functions; `operations` of queues */
    sku?: string | undefined;
    /** How pods were bought; null for other meters */
    purchase?: "on_demand" | "spot" | "reserved" | null | undefined;
    /** In `unit`; null if the row joins different units */
    quantity: string | null;
    /** `second` of a pod, a sandbox, the pod of a function or a shared volume, `invocation` of a function, `gib_second` of its time (128 MiB of memory are 0.125 GiB), `operation` of a queue (a message that is sent, received or acknowledged), `gb_month` of storage (10⁹ bytes for 730 hours), `token` of chat */
    unit: string | null;
    /** The price of `price_quantity` units; null: none, or the row joins several */
    unit_price: string | null;
    /** To how many units `unit_price` applies */
    price_quantity: number | null;
    /** null: nothing is charged */
    amount: string | null;
    final: boolean;
  })[];
};

export type Invoice = {
  id: string;
  mode: "test" | "live";
  /** A month in UTC, such as 2026-11 */
  month: string;
  currency: string;
  /** `draft` until it is passed to the payment processor, then `open`; `paid`, `void` and `uncollectible` as the processor reports */
  status: "draft" | "open" | "paid" | "void" | "uncollectible";
  /** What keeps it from being paid, as a sentence */
  status_reason: string | null;
  /** true in test mode, in which nothing is charged */
  simulated: boolean;
  /** The exact sum of the lines */
  exact: string;
  /** `exact`, rounded half up to the smallest unit of the currency */
  total: string;
  payment_processor: string | null;
  /** Where it can be paid */
  payment_url: string | null;
  created_at: string;
  opened_at: string | null;
  paid_at: string | null;
  /** When it became void or uncollectible */
  closed_at: string | null;
};

export type UpcomingInvoice = {
  mode: "test" | "live";
  /** A month in UTC, such as 2026-11 */
  month: string;
  currency: string;
  /** true in test mode, in which nothing is charged */
  simulated: boolean;
  /** The exact sum of the lines */
  exact: string;
  /** `exact`, rounded half up to the smallest unit of the currency */
  total: string;
  /** By service, SKU, purchase mode and price */
  lines: ({
    service: "pods" | "sandboxes" | "workspaces" | "reservations" | "volumes" | "networks" | "functions" | "queues" | "storage" | "chat";
    /** The GPU model of a pod, or `cpu`; `invocations`, `duration` and `cpu` of functions; `operations` of queues */
    sku: string;
    /** How pods were bought; null for other meters */
    purchase: "on_demand" | "spot" | "reserved" | null;
    /** In `unit`, as a decimal number */
    quantity: string;
    /** `second` of a pod, a sandbox, the pod of a function or a shared volume, `invocation` of a function, `gib_second` of its time (128 MiB of memory are 0.125 GiB), `operation` of a queue (a message that is sent, received or acknowledged), `gb_month` of storage (10⁹ bytes for 730 hours), `token` of chat */
    unit: string;
    /** The price of `price_quantity` units: for pods of one hour of the whole pod */
    unit_price: string;
    /** To how many units `unit_price` applies */
    price_quantity: number;
    /** Exact, in units of `currency`, with 2 to 9 decimals */
    amount: string;
  })[];
  from: string;
  /** Until when usage is counted: now */
  to: string;
  /** When the invoice of the month is created, at the earliest */
  closes_at: string;
};

export type InvoiceWithLines = {
  id: string;
  mode: "test" | "live";
  /** A month in UTC, such as 2026-11 */
  month: string;
  currency: string;
  /** `draft` until it is passed to the payment processor, then `open`; `paid`, `void` and `uncollectible` as the processor reports */
  status: "draft" | "open" | "paid" | "void" | "uncollectible";
  /** What keeps it from being paid, as a sentence */
  status_reason: string | null;
  /** true in test mode, in which nothing is charged */
  simulated: boolean;
  /** The exact sum of the lines */
  exact: string;
  /** `exact`, rounded half up to the smallest unit of the currency */
  total: string;
  payment_processor: string | null;
  /** Where it can be paid */
  payment_url: string | null;
  created_at: string;
  opened_at: string | null;
  paid_at: string | null;
  /** When it became void or uncollectible */
  closed_at: string | null;
  /** By service, SKU, purchase mode and price */
  lines: ({
    service: "pods" | "sandboxes" | "workspaces" | "reservations" | "volumes" | "networks" | "functions" | "queues" | "storage" | "chat";
    /** The GPU model of a pod, or `cpu`; `invocations`, `duration` and `cpu` of functions; `operations` of queues */
    sku: string;
    /** How pods were bought; null for other meters */
    purchase: "on_demand" | "spot" | "reserved" | null;
    /** In `unit`, as a decimal number */
    quantity: string;
    /** `second` of a pod, a sandbox, the pod of a function or a shared volume, `invocation` of a function, `gib_second` of its time (128 MiB of memory are 0.125 GiB), `operation` of a queue (a message that is sent, received or acknowledged), `gb_month` of storage (10⁹ bytes for 730 hours), `token` of chat */
    unit: string;
    /** The price of `price_quantity` units: for pods of one hour of the whole pod */
    unit_price: string;
    /** To how many units `unit_price` applies */
    price_quantity: number;
    /** Exact, in units of `currency`, with 2 to 9 decimals */
    amount: string;
  })[];
};

export type BillingBudget = {
  mode: "test" | "live";
  currency: string;
  /** In micros of the currency; null: there is no budget */
  amount_micros: number | null;
  thresholds: number[];
  /** A month in UTC, such as 2026-11 */
  month: string;
  /** What the month cost until now, exactly, in units of `currency` */
  spent: string;
  /** The thresholds that were crossed this month; they are checked every minute */
  crossed: {
    percent: number;
    at: string;
  }[];
  /** true in test mode, in which nothing is charged */
  simulated: boolean;
};

export type ChatCompletion = {
  id: string;
  object: "chat.completion";
  /** Unix time in seconds */
  created: number;
  model: string;
  choices: ({
    index: number;
    message: {
      role: string;
      content?: string | null | undefined;
    };
    /** `stop`, `length`, `tool_calls`, `content_filter` */
    finish_reason: string | null;
  })[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
  } | null | undefined;
  /** True for answers of `svc-echo`, which no model wrote */
  simulated?: boolean | undefined;
};

export type ChatMessage = {
  role: "developer" | "system" | "user" | "assistant" | "tool" | "function";
  content?: string | {
    /** `text`, `image_url`, `input_audio`, `file` … */
    type: string;
  }[] | null | undefined;
};

export type Embeddings = {
  object: "list";
  data: ({
    object: "embedding";
    index: number;
    embedding: number[] | string;
  })[];
  model: string;
  usage: {
    prompt_tokens: number;
    total_tokens: number;
  };
  /** True for vectors of `svc-echo` and `svc-echo-embedding`, which mean nothing */
  simulated?: boolean | undefined;
};

export type ChatModel = {
  /** The name for `model` in requests */
  id: string;
  object: "model";
  /** Unix time in seconds */
  created: number;
  /** `svc` for simulated models, `tenant` for those of your own upstreams, or `operator` */
  owned_by: string;
  /** Which of the two calls the model is for */
  kind: "chat" | "embeddings";
};

export type ChatUpstream = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  base_url: string;
  /** The secret that is sent as the bearer token, by its name; null: no token */
  api_key: {
    secret: string;
  } | null;
  models: ({
    name: string;
    upstream_name: string;
    kind: "chat" | "embeddings";
    input_price: string;
    output_price: string;
    context: number | null;
  })[];
  weight: number;
  priority: number;
  created_at: string;
  updated_at: string;
};

export type ClusterKubeconfig = {
  /** The contents of a kubeconfig file. It has a token, and is shown only here */
  kubeconfig: string;
  namespace: string;
  expires_at: string;
};

export type Resource = {
  /** `res_…`; a placeholder has `plc_…`, the same for the same request */
  rid: string;
  project_id: string;
  mode: "test" | "live";
  /** The group of services */
  plane: "gpuc";
  service: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer";
  kind: string;
  name: string;
  /** What is wanted, with defaults. Of a field with `x-redacted` in the schema of its kind only `[redacted]`, or of a URL the host and path, is shown */
  spec: Record<string, unknown>;
  /** A resource is `provisioning` until its effect exists, then `ready`. It is `degraded` when its effect is missing, which is provisioned again, faulty, or changes from outside, and `failed` when it could not be provisioned, which is tried again, or was faulty from the start; the `reason` says why. It is `suspended` while its service is not activated, and `deleting` until its effect is gone. A `placeholder` has no effect: its `reason` says what is missing, and its `plan` what would be done. */
  state: "provisioning" | "ready" | "degraded" | "failed" | "suspended" | "deleting" | "deleted" | "placeholder";
  /** Its effect exists; false for placeholders, and until it was seen first */
  provisioned: boolean;
  /** Why it has its state; null: nothing to say */
  reason: {
    code: string;
    message: string;
    remedy?: string | undefined;
  } | null;
  /** Of a placeholder: what would be done, and how it would be seen; otherwise null */
  plan: {
    step: string;
    what: string;
    proof: string;
  }[] | null;
  /** Counts the changes of the spec, from 1 */
  generation: number;
  /** What was seen of its effect last; null: nothing yet */
  observed: Record<string, unknown> | null;
  observed_at: string | null;
  /** Where its effect is reached */
  endpoints: {
    protocol: string;
    url: string;
  }[];
  /** Commands that show its effect */
  try_it: {
    title: string;
    command: string;
  }[];
  /** Only in the response to the creation of a resource that has any: nothing shows them again */
  secrets?: Record<string, string> | undefined;
  /** null for placeholders */
  created_at: string | null;
  /** null for placeholders */
  updated_at: string | null;
};

export type EdgeFunction = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  /** Where the published version responds; the host never changes. null: the installation has no domain for edge functions */
  url: string | null;
  /** The number of the newest version, the draft */
  version: number;
  /** The number of the version that serves; null: none does */
  published_version: number | null;
  published_at: string | null;
  /** The bindings of the draft */
  bindings: ({
    type: "kv";
    /** The name in `env` */
    name: string;
    /** Keys and values that functions of the project and mode share by this name */
    namespace: string;
  } | {
    type: "object";
    /** The name in `env` */
    name: string;
    /** A bucket, by id or name */
    bucket: string;
  } | {
    type: "queue";
    /** The name in `env` */
    name: string;
    /** A queue, by id or name */
    queue: string;
  } | {
    type: "sql";
    /** The name in `env` */
    name: string;
    /** An SQL database that functions of the project and mode share by this name */
    database: string;
  })[];
  /** The variables of the draft: texts, and references to secrets */
  env: Record<string, string | SecretRef>;
  /** How the draft responded when it was tried with `GET /`; writes to its bindings had no effect */
  smoke: {
    /** `passed`: it returned a response of any status; `inconclusive`: it failed after it tried to send a request, which a smoke run does not do, or used an SQL database, on which its changes have no effect; `failed`: it cannot be published */
    outcome: "passed" | "inconclusive" | "failed";
    /** The status of its response */
    status: number | null;
    error: {
      /** `threw`, `timed_out`, `blocked`, `out_of_memory`, `invalid_response` or `no_such_secret` */
      reason: string;
      message: string;
      stack: string | null;
    } | null;
    /** What it printed, at most 50 lines of 1,000 characters */
    logs: {
      level: string;
      text: string;
    }[];
    duration_ms: number;
  };
  created_at: string;
  updated_at: string;
};

export type SecretRef = {
  /** Unique within its project and mode, or its tenant and mode: 1 to 128 characters of `A-Z a-z 0-9 . _ -` */
  secret: string;
};

export type EdgeVersion = {
  version: number;
  /** What the code finds in `env`, by name: KV namespaces, buckets, queues and SQL databases of the same project and mode */
  bindings: ({
    type: "kv";
    /** The name in `env` */
    name: string;
    /** Keys and values that functions of the project and mode share by this name */
    namespace: string;
  } | {
    type: "object";
    /** The name in `env` */
    name: string;
    /** A bucket, by id or name */
    bucket: string;
  } | {
    type: "queue";
    /** The name in `env` */
    name: string;
    /** A queue, by id or name */
    queue: string;
  } | {
    type: "sql";
    /** The name in `env` */
    name: string;
    /** An SQL database that functions of the project and mode share by this name */
    database: string;
  })[];
  env: Record<string, string | SecretRef>;
  /** How the draft responded when it was tried with `GET /`; writes to its bindings had no effect */
  smoke: {
    /** `passed`: it returned a response of any status; `inconclusive`: it failed after it tried to send a request, which a smoke run does not do, or used an SQL database, on which its changes have no effect; `failed`: it cannot be published */
    outcome: "passed" | "inconclusive" | "failed";
    /** The status of its response */
    status: number | null;
    error: {
      /** `threw`, `timed_out`, `blocked`, `out_of_memory`, `invalid_response` or `no_such_secret` */
      reason: string;
      message: string;
      stack: string | null;
    } | null;
    /** What it printed, at most 50 lines of 1,000 characters */
    logs: {
      level: string;
      text: string;
    }[];
    duration_ms: number;
  };
  code_bytes: number;
  created_at: string;
};

export type EdgeVersionWithCode = {
  version: number;
  /** What the code finds in `env`, by name: KV namespaces, buckets, queues and SQL databases of the same project and mode */
  bindings: ({
    type: "kv";
    /** The name in `env` */
    name: string;
    /** Keys and values that functions of the project and mode share by this name */
    namespace: string;
  } | {
    type: "object";
    /** The name in `env` */
    name: string;
    /** A bucket, by id or name */
    bucket: string;
  } | {
    type: "queue";
    /** The name in `env` */
    name: string;
    /** A queue, by id or name */
    queue: string;
  } | {
    type: "sql";
    /** The name in `env` */
    name: string;
    /** An SQL database that functions of the project and mode share by this name */
    database: string;
  })[];
  env: Record<string, string | SecretRef>;
  /** How the draft responded when it was tried with `GET /`; writes to its bindings had no effect */
  smoke: {
    /** `passed`: it returned a response of any status; `inconclusive`: it failed after it tried to send a request, which a smoke run does not do, or used an SQL database, on which its changes have no effect; `failed`: it cannot be published */
    outcome: "passed" | "inconclusive" | "failed";
    /** The status of its response */
    status: number | null;
    error: {
      /** `threw`, `timed_out`, `blocked`, `out_of_memory`, `invalid_response` or `no_such_secret` */
      reason: string;
      message: string;
      stack: string | null;
    } | null;
    /** What it printed, at most 50 lines of 1,000 characters */
    logs: {
      level: string;
      text: string;
    }[];
    duration_ms: number;
  };
  code_bytes: number;
  created_at: string;
  code: string;
};

export type EdgeLogLine = {
  at: string;
  /** `request`: a request and how it ended; the others are what the code printed */
  level: "request" | "debug" | "info" | "warn" | "error";
  text: string;
  version: number;
  request_id: string;
};

export type EdgeKvKey = {
  key: string;
  /** null: it does not expire */
  expires_at: string | null;
};

export type EdgeKvEntry = {
  key: string;
  /** null: it does not expire */
  expires_at: string | null;
  value: string;
  /** How `value` is written: `base64` for bytes that are no UTF-8 text */
  encoding: "utf8" | "base64";
};

export type Function = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  runtime: "javascript" | "node" | "python";
  backend: "workerd" | "pods";
  /** The container image of its pods; null for workerd */
  image: string | null;
  /** Of its pods; null for workerd */
  memory_mb: number | null;
  /** The number of the version that is called, from 1 */
  version: number;
  /** What the code finds in `context.env`: texts, and references to secrets */
  env: Record<string, string | SecretRef>;
  timeout_ms: number;
  /** How many invocations run at once */
  concurrency_max: number;
  /** When svc calls the function; null: never */
  schedule: {
    /** Minute, hour, day of the month, month and day of the week, such as `* /15 9-17 * * MON-FRI`; with both days given, either of them */
    cron: string;
    /** The time zone of `cron`, such as `Europe/Berlin`; default `UTC` */
    timezone: string;
    /** What scheduled invocations receive: a JSON value of at most 16 KiB; default null */
    payload: Record<string, unknown> | unknown[] | string | number | boolean | null;
  } | null;
  /** The next time of the schedule */
  next_run_at: string | null;
  /** How often an invocation that no client waits for runs again after it failed */
  retries_max: number;
  created_at: string;
  updated_at: string;
};

export type FunctionInvocation = {
  id: string;
  function_id: string;
  version: number;
  /** true: no client waits for the result */
  async: boolean;
  /** The time of the schedule that the invocation is for; null: a request caused it */
  scheduled_at: string | null;
  /** How often it has begun; more than 1 after `retries_max` let it run again */
  attempt: number;
  status: "queued" | "running" | "succeeded" | "failed";
  /** Why it failed, or why its last run did if it runs again */
  error: {
    /** `threw`, `load_failed`, `timed_out`, `blocked` (computed too long without a pause), `out_of_memory`, `interrupted`, `response_too_large`, `invalid_result`, `no_such_secret` or `unavailable` */
    reason: string;
    message: string;
    stack: string | null;
  } | null;
  duration_ms: number | null;
  created_at: string;
  ended_at: string | null;
  /** The JSON value that the function returned; null if it failed or returned nothing, and later for an invocation whose client received it */
  result?: unknown | undefined;
  /** What the code passed to `console`: the first 65,536 characters */
  logs: ({
    at: string;
    level: "debug" | "info" | "warn" | "error";
    text: string;
  })[];
};

export type FunctionVersion = {
  version: number;
  /** The name of the export that is called */
  handler: string;
  code_bytes: number;
  created_at: string;
};

export type FunctionVersionWithCode = {
  version: number;
  /** The name of the export that is called */
  handler: string;
  code_bytes: number;
  created_at: string;
  code: string;
};

export type FunctionInvocationSummary = {
  id: string;
  function_id: string;
  version: number;
  /** true: no client waits for the result */
  async: boolean;
  /** The time of the schedule that the invocation is for; null: a request caused it */
  scheduled_at: string | null;
  /** How often it has begun; more than 1 after `retries_max` let it run again */
  attempt: number;
  status: "queued" | "running" | "succeeded" | "failed";
  /** Why it failed, or why its last run did if it runs again */
  error: {
    /** `threw`, `load_failed`, `timed_out`, `blocked` (computed too long without a pause), `out_of_memory`, `interrupted`, `response_too_large`, `invalid_result`, `no_such_secret` or `unavailable` */
    reason: string;
    message: string;
    stack: string | null;
  } | null;
  duration_ms: number | null;
  created_at: string;
  ended_at: string | null;
};

export type GpuPool = {
  region: "apac" | "use" | "euw";
  gpu: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s";
  /** true: its GPUs exist in records only; false: they are those of machines, and pods of live keys get them */
  simulated: boolean;
  nodes: number;
  /** Of nodes that accept pods, and of those that do not */
  gpus: number;
  /** GPUs that pods hold, of all tenants */
  used_gpus: number;
  /** Of the used ones, those that spot pods hold */
  spot_gpus: number;
  /** GPUs of nodes that accept pods which no pod holds */
  free_gpus: number;
  /** The most free GPUs on one node, and so the largest pod that fits now */
  largest_free: number;
  /** Free GPUs on nodes that are partly in use: no pod that needs a whole node can have them */
  scattered_gpus: number;
};

export type GpuPoolPicture = {
  region: "apac" | "use" | "euw";
  gpu: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s";
  /** true: its GPUs exist in records only; false: they are those of machines, and pods of live keys get them */
  simulated: boolean;
  nodes: number;
  /** Of nodes that accept pods, and of those that do not */
  gpus: number;
  /** GPUs that pods hold, of all tenants */
  used_gpus: number;
  /** Of the used ones, those that spot pods hold */
  spot_gpus: number;
  /** GPUs of nodes that accept pods which no pod holds */
  free_gpus: number;
  /** The most free GPUs on one node, and so the largest pod that fits now */
  largest_free: number;
  /** Free GPUs on nodes that are partly in use: no pod that needs a whole node can have them */
  scattered_gpus: number;
  /** How fast pods started in the last seven days */
  warm: {
    /** Images of pods of this pool, of all tenants, that a machine keeps ready now */
    warm_images: number;
    /** Share of starts for which nothing was pulled, 0 to 1; null without samples */
    hit_rate: number | null;
    /** From the assignment of capacity until the process ran, the pull of the image included; null without samples */
    boot_seconds: {
      p50: number;
      p99: number;
    } | null;
    /** Starts of all tenants whose machine told what it pulled */
    samples: number;
    /** Images of pods that the caller can read, the most started first, at most 50; none that need credentials */
    own_images: {
      image: string;
      ready: boolean;
    }[];
  };
  /** The upgrade of its nodes that has not ended: simulated for simulated nodes; agents of machines are restarted, and its nodes may then be machines of other pools too */
  upgrade: {
    /** null: machines are to run the program that is on their disk */
    target_version: string | null;
    strategy: "rolling" | "blue_green";
    /** How many nodes may accept no pods when the upgrade closes one more */
    max_unavailable: number;
    state: "running" | "paused";
    nodes: number;
    upgraded_nodes: number;
  } | null;
  /** Nodes whose GPUs, as they become free, are kept for a gang that has waited; null: none */
  gang_keep: {
    since: string;
    /** When the pods that hold GPUs of these nodes have ended at the latest */
    starts_by: string;
    nodes: {
      name: string;
      /** GPUs that the gang gets there */
      gpus: number;
    }[];
    /** Of these GPUs, those that pods hold which the gang has to wait for */
    missing_gpus: number;
    /** Its name, if the caller can read its pods */
    gang: string | null;
  } | null;
  node_list: ({
    name: string;
    /** The NVLink domain that it shares with other nodes, such as an NVL72 rack */
    domain: string | null;
    /** false: it is cordoned */
    accepts_pods: boolean;
    /** true: it is cordoned, and the pods on it are ended with notice */
    draining: boolean;
    /** By device number, from 0 */
    devices: ({
      /** `own`: held by a pod that the caller can read; `other`: by another pod; `unavailable`: no pod gets it, because its machine does not report it or reports an error */
      use: "free" | "own" | "other" | "unavailable";
      spot: boolean;
      /** Only of own pods */
      pod_id: string | null;
    })[];
  })[];
  /** The last seven days by the hour, measured every five minutes; hours without a measurement are left out */
  history: {
    start: string;
    /** Mean of used GPUs, in percent of all */
    used: number;
    /** Mean of scattered GPUs, in percent of all */
    scattered: number;
  }[];
};

export type ChatBudget = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  /** The API key that it limits; null: all requests of the project */
  key_id: string | null;
  name: string;
  currency: string;
  /** In micros of the currency; null: no limit in money */
  amount_micros: number | null;
  /** null: no limit in tokens */
  tokens: number | null;
  /** Calendar days or months in UTC */
  window: "day" | "month";
  action: "block" | "notify";
  /** By requests that began in the current window and have ended */
  spent: {
    amount_micros: number;
    tokens: number;
  };
  /** What running requests may cost at most, as far as that is known */
  reserved: {
    amount_micros: number;
    tokens: number;
  };
  /** Never below 0; null where there is no limit */
  remaining: {
    amount_micros: number | null;
    tokens: number | null;
  };
  resets_at: string;
  /** true in test mode, in which nothing is charged */
  simulated: boolean;
  created_at: string;
  updated_at: string;
};

export type ChatRequest = {
  id: string;
  /** The X-Request-ID of the request, which a client may have chosen */
  request_id: string;
  project_id: string;
  mode: "test" | "live";
  /** null: a person in the playground */
  key_id: string | null;
  endpoint: "chat" | "embeddings";
  model: string;
  upstream: string | null;
  stream: boolean;
  /** `cancelled`: the client disconnected, or the process of svc ended */
  status: "pending" | "succeeded" | "failed" | "cancelled";
  http_status: number | null;
  error_code: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  /** In micros of the currency, exact to a thousandth; 0 until the request has ended */
  cost_micros: number;
  /** svc counted the tokens, because the upstream reported none or the request broke off */
  estimated: boolean;
  cached: boolean;
  /** true in test mode, in which nothing is charged */
  simulated: boolean;
  /** Tries at any upstream, fallbacks included */
  tries: number;
  /** From the request to the first byte of the answer */
  first_byte_ms: number | null;
  total_ms: number | null;
  /** Request and answer are stored */
  has_bodies: boolean;
  created_at: string;
  settled_at: string | null;
};

export type ChatRequestWithBodies = {
  id: string;
  /** The X-Request-ID of the request, which a client may have chosen */
  request_id: string;
  project_id: string;
  mode: "test" | "live";
  /** null: a person in the playground */
  key_id: string | null;
  endpoint: "chat" | "embeddings";
  model: string;
  upstream: string | null;
  stream: boolean;
  /** `cancelled`: the client disconnected, or the process of svc ended */
  status: "pending" | "succeeded" | "failed" | "cancelled";
  http_status: number | null;
  error_code: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  /** In micros of the currency, exact to a thousandth; 0 until the request has ended */
  cost_micros: number;
  /** svc counted the tokens, because the upstream reported none or the request broke off */
  estimated: boolean;
  cached: boolean;
  /** true in test mode, in which nothing is charged */
  simulated: boolean;
  /** Tries at any upstream, fallbacks included */
  tries: number;
  /** From the request to the first byte of the answer */
  first_byte_ms: number | null;
  total_ms: number | null;
  /** Request and answer are stored */
  has_bodies: boolean;
  created_at: string;
  settled_at: string | null;
  /** What the request and its answer said; null unless the project stores bodies */
  bodies: {
    request: {
      text: string;
      /** The rest beyond 65,536 characters is missing */
      is_cut: boolean;
    };
    response: {
      text: string;
      /** The rest beyond 65,536 characters is missing */
      is_cut: boolean;
    };
  } | null;
};

export type ChatSettings = {
  project_id: string;
  mode: "test" | "live";
  /** Store what requests and answers say, encrypted, for 30 days, up to 65,536 characters each */
  stores_bodies: boolean;
  /** Answer equal requests from the cache for this long, unless a request has `svc_cache: false`; 0: only requests with `svc_cache` use the cache */
  cache_seconds: number;
  offers_default: {
    channel_id: string;
    limit: number;
  } | null;
  /** null: nothing was changed yet */
  updated_at: string | null;
};

export type MetricsSummary = {
  from: string;
  /** Now */
  to: string;
  mode: "test" | "live";
  currency: string;
  pods: {
    /** Pods that run now */
    running: number;
    /** Pods that wait for capacity or start now */
    waiting: number;
    /** GPUs of the pods that run now */
    gpus: number;
    runs_started: number;
    runs_ended: number;
    /** Metered seconds of all pods */
    seconds: number;
    /** The same for each GPU */
    gpu_seconds: number;
  };
  /** Of requests that began in the period */
  chat: {
    /** Requests that have ended, refused ones included */
    requests: number;
    errors: number;
    /** Answered from the cache */
    cached: number;
    prompt_tokens: number;
    completion_tokens: number;
    cost_micros: number;
    /** To the end of successful answers that did not come from the cache */
    latency_ms: {
      p50: number | null;
      p95: number | null;
    };
    /** The same to the first byte */
    first_byte_ms: {
      p50: number | null;
      p95: number | null;
    };
  };
  queues: {
    sent: number;
    /** Deliveries of messages, repeated ones included */
    received: number;
    acknowledged: number;
    /** In all queues when they were last measured, at the latest a minute ago */
    messages: number;
  };
  storage: {
    buckets: number;
    /** Keys with a current version now */
    objects: number;
    /** Bytes of all versions and of the parts of unfinished uploads now */
    bytes: number;
  };
  webhooks: {
    /** Deliveries that ended with success */
    succeeded: number;
    /** Deliveries without success after all attempts */
    failed: number;
    /** Deliveries that have not ended */
    pending: number;
  };
};

export type NodeEvent = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  /** `<region>/<gpu>/<node>` */
  node_name: string;
  /** The baremetal instance that had the node */
  rid: string;
  signal: string;
  severity: "info" | "warn" | "crit";
  details: Record<string, unknown>;
  /** It cordoned the node, which gets no new instances until this one runs elsewhere */
  cordoned: boolean;
  /** What was decided, for people */
  outcome: string;
  created_at: string;
};

export type Pod = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  status: "pending" | "ready" | "reclaiming" | "stopping" | "stopped" | "completed" | "failed";
  /** Why a pod waits, stopped or failed */
  status_reason: {
    code: string;
    message: string;
  } | null;
  image: string;
  registry_credentials: {
    username: string;
    password: SecretRef;
  } | null;
  /** null: the program of the image */
  command: string[] | null;
  env: Record<string, string | SecretRef>;
  labels: Record<string, string>;
  /** true: cheaper, and ended with 30 seconds of notice when its GPUs are needed */
  spot: boolean;
  /** true: after a reclaim the spot pod waits for capacity again */
  auto_resume: boolean;
  /** The reservation whose GPUs it has */
  reservation_id: string | null;
  /** The pods with which it is placed together, or not at all */
  gang: {
    name: string;
    size: number;
  } | null;
  gpu: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s" | null;
  gpu_count: number;
  region: "apac" | "use" | "euw" | null;
  cpu: number;
  memory_mb: number;
  /** Where the servers in it are reached: requests to `url`, and to what is below it, are passed to `port` */
  ports: {
    port: number;
    url: string;
  }[];
  /** Its disk that keeps files from run to run */
  volume: {
    mount_path: string;
    size_gb: number;
    /** Whether the machine of the last run refuses writes beyond the size; null before the first run */
    size_enforced: boolean | null;
  } | null;
  /** Its private network, the subnet and, from its first start, its IPv4 address; null: it is in none */
  network: {
    id: string;
    subnet: string;
    address: string | null;
  } | null;
  /** The shared volumes that it mounts */
  volumes: {
    volume: string;
    mount_path: string;
    read_only: boolean;
  }[];
  /** true: the GPUs are simulated; the process is real, and has none */
  simulated: boolean;
  /** The GPUs of the current run */
  allocation: {
    pool: string;
    node: string;
    devices: number[];
  } | null;
  /** What runs it, or ran it last; null before the first run */
  runtime: {
    /** How the process is run, such as `namespaces` */
    kind: string;
    /** What separates it from other workloads and from the machine */
    isolation: string;
    /** Whether all limits are enforced: `cpu`, `memory_mb`, processes and disk */
    limits_enforced: boolean;
    /** `simulated`: GPUs exist in records only, the process has none; `nvidia`: the process has its GPUs */
    gpu: "none" | "simulated" | "nvidia";
  } | null;
  /** How fast the last run started; null: it has not started */
  boot: {
    /** From the assignment of capacity until the process ran, the pull of the image included */
    seconds: number;
    /** true: the image was on the machine; false: some of it was pulled; null: the machine does not tell */
    warm: boolean | null;
  } | null;
  /** How the last run ended: with an exit code or by a signal; null if it runs or did not start */
  exit: {
    code: number | null;
    signal: string | null;
    oom_killed: boolean;
  } | null;
  /** The notice of a pod that is reclaiming */
  reclaim: {
    notice_at: string;
    ends_at: string;
  } | null;
  /** How often it was started */
  runs: number;
  /** Seconds in which its process ran, over all runs; each that has begun counts */
  metered_seconds: number;
  /** A decimal number in `currency` */
  price_per_hour: string;
  /** What the metered seconds cost so far, a decimal number in `currency` */
  cost: string;
  currency: string;
  created_at: string;
  /** When the process of the last run started */
  started_at: string | null;
  /** When the last run ended; null while the pod is active */
  stopped_at: string | null;
  /** 30 days after its creation it is stopped, and cannot be started again */
  expires_at: string;
};

export type PodEstimate = {
  /** true: a pod that is created now is placed at once; of a gang, all the pods that it lacks, together */
  fits_now: boolean;
  /** What a pod that is created now waits for, or why it cannot be created: quota_exceeded, no_runtime, no_capacity, ports_unsupported, volume_unsupported, or the reason of a conflict such as reservation_full */
  blocked_by: {
    code: string;
    message: string;
  } | null;
  price: {
    purchase: "on_demand" | "spot" | "reserved";
    /** Of one pod, a decimal number in `currency`; without its GPUs if a reservation pays for them */
    per_hour: string;
    /** Pods of the gang, or 1 */
    pods: number;
    /** Of all of them */
    total_per_hour: string;
    currency: string;
    /** What one pod of this shape costs with its GPUs in each way to buy them; a reservation costs that for its whole term, used or not. Without GPUs there is one */
    purchases: ({
      purchase: "on_demand" | "spot" | "reserved_30d" | "reserved_365d";
      per_hour: string;
    })[];
  };
  /** 0 seconds if it fits now; of a gang, until all its pods fit together. null: no end is known and the last 7 days, which say nothing about gangs, have fewer than 3 samples, or it cannot be created */
  expected_wait: {
    seconds: number;
    /** What the number is, in a sentence */
    basis: string;
    /** Of how many values it is the median; 0: it follows from ends that are known */
    samples: number;
  } | null;
  /** At most 5 shapes that would be placed now, bought in the same way. None if it fits, or for a gang */
  nearest_shapes: ({
    gpu: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s" | null;
    gpu_count: number;
    region: "apac" | "use" | "euw" | null;
    cpu: number;
    memory_mb: number;
    /** How it differs from the pod */
    note: string;
  })[];
  checked_at: string;
};

export type PodExplanation = {
  pod_id: string;
  status: "pending" | "ready" | "reclaiming" | "stopping" | "stopped" | "completed" | "failed";
  /** What keeps the pod from capacity; null if it does not wait for capacity */
  blocked_by: {
    code: string;
    message: string;
  } | null;
  /** At most 5. A pod of such a shape, bought as this one is, would be placed now, beside this one, if the quota of pods allows one more. None for a pod of a gang */
  nearest_shapes: ({
    gpu: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s" | null;
    gpu_count: number;
    region: "apac" | "use" | "euw" | null;
    cpu: number;
    memory_mb: number;
    /** How it differs from the pod */
    note: string;
  })[];
  /** Of a gang, until all its pods fit together. null: no end is known and the last 7 days, which say nothing about gangs, have fewer than 3 samples, or the gang is incomplete */
  expected_wait: {
    seconds: number;
    /** What the number is, in a sentence */
    basis: string;
    /** Of how many values it is the median; 0: it follows from ends that are known */
    samples: number;
  } | null;
  /** From 1, among the pods of all tenants that wait for the same pool; a pod that fits is placed earlier. null: it does not wait, or more than 200 others are before it */
  queue_position: number | null;
  checked_at: string;
};

export type PodCheckpoint = {
  id: string;
  pod_id: string;
  /** Files only: neither memory, nor processes, nor the state of GPUs */
  kind: "filesystem";
  /** The number of the run whose files these are */
  run: number;
  cause: "request" | "reclaim";
  state: "saving" | "saved" | "failed";
  /** Why it failed */
  reason: {
    code: string;
    message: string;
  } | null;
  /** Of the archive of the files; null until it is saved */
  size_bytes: number | null;
  /** Of the archive of the volume; null until it is saved, and if the pod has none */
  volume_bytes: number | null;
  /** What was uploaded for it, compressed; the rest was in object storage already */
  new_bytes: number;
  created_at: string;
  saved_at: string | null;
};

export type PodEvent = {
  /** Counts up from 1 within the pod */
  id: string;
  type: "created" | "waiting" | "placed" | "ready" | "stop_requested" | "paused" | "resumed" | "reclaim_announced" | "reclaimed" | "checkpoint_saved" | "checkpoint_failed" | "files_restored" | "stopped" | "completed" | "failed" | "started_again";
  /** The number of the run, from 1 */
  run: number;
  message: string;
  at: string;
};

export type Queue = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  /** How long a received message is invisible to other consumers, unless it is acknowledged before */
  visibility_timeout_s: number;
  /** How long a message is kept that nobody acknowledges */
  retention_s: number;
  /** How often a message is received before it moves to the dead-letter queue */
  max_receives: number;
  /** The name of the dead-letter queue; null: a message is delivered until its retention ends */
  dlq: string | null;
  created_at: string;
  updated_at: string;
};

export type QueueWithFigures = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  /** How long a received message is invisible to other consumers, unless it is acknowledged before */
  visibility_timeout_s: number;
  /** How long a message is kept that nobody acknowledges */
  retention_s: number;
  /** How often a message is received before it moves to the dead-letter queue */
  max_receives: number;
  /** The name of the dead-letter queue; null: a message is delivered until its retention ends */
  dlq: string | null;
  created_at: string;
  updated_at: string;
  figures: {
    /** Messages that can be received now, or as soon as those before them in their group are done */
    waiting: number;
    /** Messages whose delay has not ended */
    delayed: number;
    /** Received messages that are neither acknowledged nor visible again */
    in_flight: number;
    /** The age of the oldest message; null when the queue is empty */
    oldest_age_s: number | null;
  };
};

export type Message = {
  id: string;
  /** A JSON object or a string, at most 256 KiB in UTF-8. Numbers are IEEE 754 doubles: send integers beyond 2^53 as strings */
  body: string | Record<string, unknown>;
  group_id: string | null;
  /** How often it was received, this time included */
  receive_count: number;
  sent_at: string;
  /** Acknowledges, extends or returns the message; valid until it becomes visible again */
  receipt: string;
};

export type PeekedMessage = {
  id: string;
  /** A JSON object or a string, at most 256 KiB in UTF-8. Numbers are IEEE 754 doubles: send integers beyond 2^53 as strings */
  body: string | Record<string, unknown>;
  group_id: string | null;
  /** How often it was received, this time included */
  receive_count: number;
  sent_at: string;
  state: "waiting" | "delayed" | "in_flight";
};

export type Reservation = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  status: "scheduled" | "active" | "ended" | "canceled";
  gpu: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s";
  /** Number of GPUs */
  count: number;
  region: "apac" | "use" | "euw";
  duration: "30d" | "365d";
  starts_at: string;
  ends_at: string;
  /** GPUs that are assigned to it now: from shortly before its start to its end */
  assigned: number;
  /** What an active reservation misses, because machines do not report or nodes accept no pods; or null */
  lacking: {
    gpus: number;
    message: string;
  } | null;
  /** GPUs of its pods that have not ended */
  in_use: number;
  /** GPUs that spot pods use while its pods do not need them */
  lent_to_spot: number;
  /** Of all its GPUs, used or not; a decimal number in `currency` */
  price_per_hour: string;
  /** Of the whole term, a decimal number in `currency` */
  total_price: string;
  currency: string;
  /** true: the GPUs exist in records only */
  simulated: boolean;
  created_at: string;
  canceled_at: string | null;
};

export type ReservationCalendar = {
  gpu: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s";
  region: "apac" | "use" | "euw";
  /** All GPUs of the model in the region: simulated ones, in live mode those of machines */
  capacity: number;
  /** The most GPUs that can be reserved for the term from now on */
  count_max: number;
  /** When `count` GPUs are free for the term; null: not within 90 days */
  earliest_start: string | null;
  /** Of `count` GPUs, a decimal number in `currency` */
  price_per_hour: string;
  /** Of the whole term, a decimal number in `currency` */
  total_price: string;
  currency: string;
  /** How many GPUs can be reserved from each time to the next one; the first is now */
  free: {
    at: string;
    count: number;
  }[];
  simulated: boolean;
};

export type ResourceKind = {
  plane: "gpuc";
  service: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer";
  kind: string;
  is_default: boolean;
  /** The JSON schema of `spec` */
  spec: Record<string, unknown>;
};

export type Activation = {
  mode: "test" | "live";
  plane: "gpuc";
  service: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer";
  plan_tier: "starter" | "business" | "enterprise";
  /** How many resources of the service the tier allows in this mode */
  resources_max: number;
  started_at: string;
};

export type Sku = {
  sku: string;
  category: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer";
  description: string;
  /** What the prices are for */
  unit: string;
  /** A decimal number in `currency`; null: it is not sold that way */
  on_demand: string | null;
  spot: string | null;
  /** Of its GPUs in a reservation of 30 days, used or not */
  reserved_30d: string | null;
  reserved_365d: string | null;
  currency: string;
  /** Who set the prices: the specification has none for these SKUs */
  source: "svc";
};

export type ResourceUsage = {
  from: string;
  to: string;
  currency: string;
  /** true in test mode, in which nothing is charged */
  simulated: boolean;
  /** The exact sum of the amounts */
  total: string;
  /** There are more than 1000 rows; the total is that of the rows shown */
  has_more: boolean;
  data: ({
    rid: string;
    project_id: string;
    service: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer";
    name: string;
    /** Seconds in which it or its replicas ran, or a volume had the capacity of the price */
    quantity: string;
    unit: "second";
    price_per_hour: string;
    /** Exact, in units of `currency`, with 2 to 9 decimals */
    amount: string;
    /** false while it goes on */
    final: boolean;
    deleted: boolean;
  })[];
};

export type Sandbox = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  status: "starting" | "running" | "ended";
  /** Why it waits or has ended: `command_ended`, `timed_out`, `start_failed`, `image_not_found`, … */
  status_reason: {
    code: string;
    message: string;
  } | null;
  image: string;
  registry_credentials: {
    username: string;
    password: SecretRef;
  } | null;
  /** What ran when it had started; null: nothing */
  command: string[] | null;
  env: Record<string, string | SecretRef>;
  cpu: number;
  memory_mb: number;
  timeout_seconds: number;
  /** Whether it goes on when its command has ended */
  keep_alive: boolean;
  /** Of the command; null: it has not ended, or a signal ended it */
  exit_code: number | null;
  /** What ended the command instead */
  signal: string | null;
  /** Whether the command was ended because of `timeout_seconds` */
  timed_out: boolean | null;
  /** Of the command, for 24 hours after its end; null in lists */
  stdout: string | null;
  stderr: string | null;
  /** Whether the command wrote more than 1 MiB; the rest is dropped */
  truncated: boolean | null;
  /** What runs it, or ran it last; null before the first run */
  runtime: {
    /** How the process is run, such as `namespaces` */
    kind: string;
    /** What separates it from other workloads and from the machine */
    isolation: string;
    /** Whether all limits are enforced: `cpu`, `memory_mb`, processes and disk */
    limits_enforced: boolean;
    /** `simulated`: GPUs exist in records only, the process has none; `nvidia`: the process has its GPUs */
    gpu: "none" | "simulated" | "nvidia";
  } | null;
  /** Seconds in which it ran; each that has begun counts */
  metered_seconds: number;
  /** A decimal number in `currency` */
  price_per_hour: string;
  /** What the metered seconds cost so far, a decimal number in `currency` */
  cost: string;
  currency: string;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  /** When it is ended at the latest: `timeout_seconds` after its start, or 15 minutes later if it waits */
  expires_at: string;
};

export type Secret = {
  id: string;
  /** null: a secret of the whole tenant, which every project can use */
  project_id: string | null;
  mode: "test" | "live";
  name: string;
  /** The number of the current version, from 1 */
  version: number;
  created_at: string;
  /** When the current version was stored */
  updated_at: string;
};

export type SecretWithVersions = {
  id: string;
  /** null: a secret of the whole tenant, which every project can use */
  project_id: string | null;
  mode: "test" | "live";
  name: string;
  /** The number of the current version, from 1 */
  version: number;
  created_at: string;
  /** When the current version was stored */
  updated_at: string;
  /** The versions whose values are kept, newest first: the last 10 */
  versions: {
    version: number;
    created_at: string;
  }[];
};

export type SecretValue = {
  id: string;
  name: string;
  version: number;
  value: string;
};

export type ShieldScan = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  bucket_id: string;
  /** The name of the bucket */
  bucket: string;
  /** Only objects whose keys begin with it; empty: all */
  prefix: string;
  status: "queued" | "running" | "completed" | "failed" | "canceled";
  /** How far the scan is */
  progress: {
    /** Objects that are done */
    objects: number;
    /** Counted when the scan began; null before */
    objects_total: number | null;
    bytes: number;
    bytes_total: number | null;
    /** Objects that were not read: neither they nor the rules changed since the last scan */
    unchanged: number;
    /** Objects that are no text, which are only checked for the malware test file */
    binary: number;
    /** Compressed objects that are damaged or longer than 4 GiB, of which a part was read */
    partly: number;
    /** Objects whose content is archived, lost or damaged */
    unreadable: number;
  };
  /** What the scan has found, by severity */
  findings: {
    critical: number;
    high: number;
    medium: number;
    low: number;
    /** Findings that no earlier scan had */
    new: number;
    /** Earlier findings that are gone; set at the end */
    resolved: number;
    /** Matches beyond the limits, which are counted but not kept as findings */
    omitted: number;
  };
  /** Why the scan failed; null unless `status` is `failed` */
  failure: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
};

export type ShieldFinding = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  bucket_id: string;
  /** The name of the bucket */
  bucket: string;
  /** The key of the object; null for a setting of the bucket */
  key: string | null;
  /** Such as `github_token`; the documentation lists all */
  rule: string;
  title: string;
  category: "secret" | "personal_data" | "malware" | "exposure" | "configuration";
  severity: "low" | "medium" | "high" | "critical";
  /** `low`: a checksum does not match, or the value is one that is published for tests */
  confidence: "low" | "medium" | "high";
  /** The first and last characters of the value and its length, never the value; of a setting what it is */
  evidence: string;
  /** Where the value begins, in bytes of the decoded content; null for a setting */
  offset: number | null;
  /** What was decoded before the content was read */
  encoding: "none" | "gzip" | "utf-16";
  /** How often the value is in the object; more than 1,000 may be counted too low */
  occurrences: number;
  /** Matches of the rule in the object; at most 20 different values of them are findings */
  matches: number;
  /** What to do */
  remedy: string;
  /** `resolved`: a later scan did not find it again */
  status: "open" | "resolved";
  first_seen_at: string;
  last_seen_at: string;
  resolved_at: string | null;
  /** The last scan that found it */
  last_scan_id: string;
};

export type Bucket = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  /** Calls without a bucket use it */
  is_default: boolean;
  /** `on`: a replaced or deleted object stays as an older version; `suspended`: older versions stay, and no further ones are kept */
  versioning: "off" | "on" | "suspended";
  /** Anyone may read the objects, without credentials */
  public_read: boolean;
  /** The storage class of new objects that name none */
  tier: "hot" | "warm" | "cold" | "archive";
  /** Which pages of other origins may call the S3 endpoint for this bucket; the first rule that matches applies */
  cors_rules: ({
    /** Origins that may call, each with at most one `*`, such as `https://*.example.com` */
    allowed_origins: string[];
    allowed_methods: ("GET" | "HEAD" | "PUT" | "POST" | "DELETE")[];
    /** Headers that a request may have; `*`: any */
    allowed_headers?: string[] | undefined;
    /** Headers that scripts may read, such as `ETag` */
    expose_headers?: string[] | undefined;
    /** How long a browser may cache the preflight response */
    max_age_seconds?: number | undefined;
  })[];
  /** What is deleted by age, or moved to another storage class, checked once an hour */
  lifecycle_rules: ({
    id: string;
    /** The rule applies to keys with this prefix; empty: to all */
    prefix?: string | undefined;
    /** Deletes objects this many days after they were stored */
    expire_days?: number | undefined;
    /** Deletes older versions this many days after they were replaced */
    expire_noncurrent_days?: number | undefined;
    /** Aborts multipart uploads this many days after they were started */
    abort_upload_days?: number | undefined;
    /** Moves every version to another storage class this many days after it was stored: `warm`, `cold` or `archive`, only downwards */
    transitions?: ({
      days: number;
      tier: "warm" | "cold" | "archive";
    })[] | undefined;
    enabled?: boolean | undefined;
  })[];
  usage: {
    /** Keys with a current version */
    objects: number;
    /** Stored versions, current ones included */
    versions: number;
    /** Bytes of all versions and of the parts of unfinished uploads */
    bytes: number;
    /** `bytes` by storage class, before compression; parts of unfinished uploads count as hot */
    tiers: {
      hot: number;
      warm: number;
      cold: number;
      archive: number;
    };
  };
  /** The progress of a deletion with `force`; null unless the bucket is being deleted */
  deletion: {
    started_at: string;
    /** Versions that are deleted already */
    deleted: number;
    /** Versions when the deletion began */
    total: number;
  } | null;
  created_at: string;
  updated_at: string;
};

export type StoredObject = {
  key: string;
  /** Bytes */
  size: number;
  /** Changes with the content; without quotes */
  etag: string;
  content_type: string;
  last_modified: string;
  /** null for a version from a time without versioning */
  version_id: string | null;
  /** The storage class; `archive`: it can be read only after a restore */
  tier: "hot" | "warm" | "cold" | "archive";
};

export type ObjectMetadata = {
  key: string;
  /** Bytes */
  size: number;
  /** Changes with the content; without quotes */
  etag: string;
  content_type: string;
  last_modified: string;
  /** null for a version from a time without versioning */
  version_id: string | null;
  /** The storage class; `archive`: it can be read only after a restore */
  tier: "hot" | "warm" | "cold" | "archive";
  /** What the client stored as `x-amz-meta-…` */
  metadata: Record<string, string>;
  /** Headers of its downloads, such as `cache-control` and `content-disposition` */
  headers: Record<string, string>;
  /** Base64, by algorithm: CRC32, CRC32C, CRC64NVME, SHA1, SHA256 */
  checksums: Record<string, string>;
  /** When an archived object that was restored can be read; null if it was never restored */
  restore: {
    readable_from: string;
    readable_until: string;
  } | null;
};

export type TelemetryRecord = {
  /** With nanoseconds, in UTC */
  time: string;
  /** `service.name` of its resource, or empty */
  service: string;
  scope: string;
  attributes: Record<string, string>;
  resource: Record<string, string>;
  /** Of a log record: 0 to 24 */
  severity_number?: number | undefined;
  severity?: string | undefined;
  body?: string | undefined;
  /** Of a span or a metric */
  name?: string | undefined;
  kind?: string | undefined;
  /** Of a span, an integer */
  duration_ns?: string | undefined;
  /** Of a span: unset, ok or error */
  status?: string | undefined;
  status_message?: string | undefined;
  trace_id?: string | undefined;
  span_id?: string | undefined;
  parent_span_id?: string | undefined;
  /** Of a metric: gauge, sum, counter or histogram */
  type?: string | undefined;
  unit?: string | undefined;
  temporality?: string | undefined;
  /** Of a histogram, the sum */
  value?: number | undefined;
  /** Of a histogram, an integer */
  count?: string | undefined;
  bounds?: number[] | undefined;
  buckets?: string[] | undefined;
};

export type VolumeSnapshot = {
  id: string;
  /** The volume; the snapshot stays when it is deleted */
  rid: string;
  /** Of the volume at that time */
  capacity_gb: number;
  state: "saving" | "saved" | "failed";
  /** Why it failed */
  reason: {
    code: string;
    message: string;
  } | null;
  /** Of the archive of the files; null until it is saved */
  size_bytes: number | null;
  /** What it takes in object storage, compressed */
  stored_bytes: number;
  created_at: string;
  saved_at: string | null;
};

export type WebhookWithSecret = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  url: string;
  /** Kinds such as `campaign.created`, prefixes such as `campaign.*`, or `*` */
  events: string[];
  status: "enabled" | "disabled";
  /** `gone`: the endpoint responded 410; `failing`: every attempt failed for 5 days */
  disabled_reason: "by_request" | "gone" | "failing" | null;
  disabled_at: string | null;
  /** The first failed attempt since the last successful one */
  failing_since: string | null;
  /** Until then requests also have a signature with the secret before the last rotation */
  previous_secret_until: string | null;
  created_at: string;
  updated_at: string;
  /** The signing secret; it is shown only once */
  secret: string;
};

export type Webhook = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  url: string;
  /** Kinds such as `campaign.created`, prefixes such as `campaign.*`, or `*` */
  events: string[];
  status: "enabled" | "disabled";
  /** `gone`: the endpoint responded 410; `failing`: every attempt failed for 5 days */
  disabled_reason: "by_request" | "gone" | "failing" | null;
  disabled_at: string | null;
  /** The first failed attempt since the last successful one */
  failing_since: string | null;
  /** Until then requests also have a signature with the secret before the last rotation */
  previous_secret_until: string | null;
  created_at: string;
  updated_at: string;
};

export type WebhookDeliveryWithAttempts = {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  status: "pending" | "succeeded" | "failed";
  attempt_count: number;
  /** The next attempt is made at this time or earlier; null when there is none */
  next_attempt_at: string | null;
  retries_left: number;
  /** The HTTP status of the last attempt; null without a response */
  last_status_code: number | null;
  /** Why the last attempt failed, or why no further one is made */
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
  /** The body of the requests */
  event: {
    id: string;
    type: string;
    created_at: string;
    tenant_id: string;
    /** Null for an event of the whole tenant */
    project_id: string | null;
    mode: "test" | "live";
    data: Record<string, unknown>;
  };
  /** The first 100 attempts */
  attempts: ({
    id: string;
    /** 1 for the first attempt */
    number: number;
    started_at: string;
    /** Time from the start of the attempt to its result */
    latency_ms: number;
    status_code: number | null;
    /** Why the attempt failed */
    error: string | null;
    /** The first 64 KiB of the response, as UTF-8 text */
    response_body: string | null;
  })[];
};

export type WebhookDelivery = {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  status: "pending" | "succeeded" | "failed";
  attempt_count: number;
  /** The next attempt is made at this time or earlier; null when there is none */
  next_attempt_at: string | null;
  retries_left: number;
  /** The HTTP status of the last attempt; null without a response */
  last_status_code: number | null;
  /** Why the last attempt failed, or why no further one is made */
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
};

export type Workspace = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  status: "starting" | "running" | "stopping" | "stopped" | "failed";
  /** Why it waits, was stopped or has failed: `idle`, `stop_requested`, `image_not_found`, … */
  status_reason: {
    code: string;
    message: string;
  } | null;
  /** What edits its files in the browser: code-server if the image has it, else the editor of the dashboard; null: it has not run since its last start */
  editor: "code-server" | "built-in" | null;
  /** The page that opens it, for people who are logged in */
  url: string;
  image: string;
  cpu: number;
  memory_mb: number;
  /** Its disk, whose files stay until it is deleted */
  volume: {
    mount_path: string;
    size_gb: number;
    /** Whether the machine of the last run refuses writes beyond the size; null before the first run */
    size_enforced: boolean | null;
  };
  /** It is stopped when it was not used for so long; 0: never */
  idle_timeout_seconds: number;
  last_used_at: string;
  /** What runs it, or ran it last; null before the first run */
  runtime: {
    /** How the process is run, such as `namespaces` */
    kind: string;
    /** What separates it from other workloads and from the machine */
    isolation: string;
    /** Whether all limits are enforced: `cpu`, `memory_mb`, processes and disk */
    limits_enforced: boolean;
    /** `simulated`: GPUs exist in records only, the process has none; `nvidia`: the process has its GPUs */
    gpu: "none" | "simulated" | "nvidia";
  } | null;
  /** Seconds in which it ran, over all starts; each that has begun counts */
  metered_seconds: number;
  /** A decimal number in `currency` */
  price_per_hour: string;
  /** What the metered seconds cost so far, a decimal number in `currency` */
  cost: string;
  currency: string;
  created_at: string;
  /** When it last started to run */
  started_at: string | null;
  stopped_at: string | null;
};

export interface ActivateServiceInput {
  /** The group of services; default gpuc */
  plane?: "gpuc" | undefined;
  /** The service that it belongs to */
  service: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer";
  /** How many resources it may have; default starter */
  plan_tier?: "starter" | "business" | "enterprise" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface ListActivationsInput {
  /** Only services of this group */
  plane?: "gpuc" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface DeactivateServiceInput {
  /** The service that it belongs to */
  service: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer";
  /** The group of services; default gpuc */
  plane?: "gpuc" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

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

export interface GetBillingBudgetInput {
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface PutBillingBudgetInput {
  /** What a month in UTC may cost, in micros (10⁻⁶) of the currency; nothing is stopped beyond it */
  amount_micros: number;
  /** At which percentages of the amount an event is sent, once per month each */
  thresholds?: number[] | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface DeleteBillingBudgetInput {
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface CreateBucketInput {
  /** Unique in this installation, by the rules of S3: 3 to 63 lower-case letters, digits, hyphens and dots, beginning and ending with a letter or digit */
  name: string;
  /** `on` keeps replaced and deleted objects as older versions */
  versioning?: "off" | "on" | undefined;
  /** Anyone may read the objects, without credentials; lists stay private */
  public_read?: boolean | undefined;
  /** The storage class of new objects: `hot`, or `warm` and `cold`, which are compressed, or `archive`, whose objects are restored before they are read */
  tier?: "hot" | "warm" | "cold" | "archive" | undefined;
  /** Which pages of other origins may call the S3 endpoint for this bucket; the first rule that matches applies */
  cors_rules?: ({
    /** Origins that may call, each with at most one `*`, such as `https://*.example.com` */
    allowed_origins: string[];
    allowed_methods: ("GET" | "HEAD" | "PUT" | "POST" | "DELETE")[];
    /** Headers that a request may have; `*`: any */
    allowed_headers?: string[] | undefined;
    /** Headers that scripts may read, such as `ETag` */
    expose_headers?: string[] | undefined;
    /** How long a browser may cache the preflight response */
    max_age_seconds?: number | undefined;
  })[] | undefined;
  /** What is deleted by age, or moved to another storage class, checked once an hour */
  lifecycle_rules?: ({
    id: string;
    /** The rule applies to keys with this prefix; empty: to all */
    prefix?: string | undefined;
    /** Deletes objects this many days after they were stored */
    expire_days?: number | undefined;
    /** Deletes older versions this many days after they were replaced */
    expire_noncurrent_days?: number | undefined;
    /** Aborts multipart uploads this many days after they were started */
    abort_upload_days?: number | undefined;
    /** Moves every version to another storage class this many days after it was stored: `warm`, `cold` or `archive`, only downwards */
    transitions?: ({
      days: number;
      tier: "warm" | "cold" | "archive";
    })[] | undefined;
    enabled?: boolean | undefined;
  })[] | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListBucketsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only buckets of this project, by its id or name */
  project?: string | undefined;
}

export interface GetBucketInput {
  /** The id or name of the bucket */
  bucket: string;
}

export interface UpdateBucketInput {
  /** The id or name of the bucket */
  bucket: string;
  /** `off` for a bucket whose versioning was on is the same as `suspended`: older versions stay */
  versioning?: "off" | "on" | "suspended" | undefined;
  /** Anyone may read the objects, without credentials; lists stay private */
  public_read?: boolean | undefined;
  /** The storage class of new objects: `hot`, or `warm` and `cold`, which are compressed, or `archive`, whose objects are restored before they are read */
  tier?: "hot" | "warm" | "cold" | "archive" | undefined;
  /** Which pages of other origins may call the S3 endpoint for this bucket; the first rule that matches applies */
  cors_rules?: ({
    /** Origins that may call, each with at most one `*`, such as `https://*.example.com` */
    allowed_origins: string[];
    allowed_methods: ("GET" | "HEAD" | "PUT" | "POST" | "DELETE")[];
    /** Headers that a request may have; `*`: any */
    allowed_headers?: string[] | undefined;
    /** Headers that scripts may read, such as `ETag` */
    expose_headers?: string[] | undefined;
    /** How long a browser may cache the preflight response */
    max_age_seconds?: number | undefined;
  })[] | undefined;
  /** What is deleted by age, or moved to another storage class, checked once an hour */
  lifecycle_rules?: ({
    id: string;
    /** The rule applies to keys with this prefix; empty: to all */
    prefix?: string | undefined;
    /** Deletes objects this many days after they were stored */
    expire_days?: number | undefined;
    /** Deletes older versions this many days after they were replaced */
    expire_noncurrent_days?: number | undefined;
    /** Aborts multipart uploads this many days after they were started */
    abort_upload_days?: number | undefined;
    /** Moves every version to another storage class this many days after it was stored: `warm`, `cold` or `archive`, only downwards */
    transitions?: ({
      days: number;
      tier: "warm" | "cold" | "archive";
    })[] | undefined;
    enabled?: boolean | undefined;
  })[] | undefined;
}

export interface DeleteBucketInput {
  /** The id or name of the bucket */
  bucket: string;
  /** Deletes the bucket with everything in it, in the background */
  force?: boolean | undefined;
}

export interface GetBucketUsageInput {
  /** The id or name of the bucket */
  bucket: string;
  /** How many days up to now; up to 7 have a point for each hour, more have one for each day (UTC) */
  days?: number | undefined;
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

export interface CreateChatBudgetInput {
  name: string;
  /** Limit one API key of the project; null: all of its requests */
  key_id?: string | null | undefined;
  /** The most that requests of a window may cost, in micros (10⁻⁶) of the currency; null: no limit in money */
  amount_micros?: number | null | undefined;
  /** The most tokens of a window, of prompts and answers together; null: no limit in tokens */
  tokens?: number | null | undefined;
  /** Calendar days or months in UTC; it cannot be changed later */
  window: "day" | "month";
  /** `block`: requests that do not fit are refused with `quota_exceeded`; `notify`: events are sent, nothing is refused */
  action?: "block" | "notify" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListChatBudgetsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only budgets of this project, by its id or name */
  project?: string | undefined;
}

export interface GetChatBudgetInput {
  budget: string;
}

export interface UpdateChatBudgetInput {
  budget: string;
  name?: string | undefined;
  /** The most that requests of a window may cost, in micros (10⁻⁶) of the currency; null: no limit in money */
  amount_micros?: number | null | undefined;
  /** The most tokens of a window, of prompts and answers together; null: no limit in tokens */
  tokens?: number | null | undefined;
  /** `block`: requests that do not fit are refused with `quota_exceeded`; `notify`: events are sent, nothing is refused */
  action?: "block" | "notify" | undefined;
}

export interface DeleteChatBudgetInput {
  budget: string;
}

export interface CreateChatCompletionInput {
  /** The name of a model of `GET /v1/models`; with test keys `svc-echo` */
  model: string;
  /** The conversation so far, oldest first */
  messages: ChatMessage[];
  /** Send the answer as server-sent events while it is written */
  stream?: boolean | null | undefined;
  stream_options?: {
    /** A last event before `[DONE]` has the tokens of the request */
    include_usage?: boolean | null | undefined;
  } | null | undefined;
  /** At most this many tokens in the answer; newer models use `max_completion_tokens` */
  max_tokens?: number | null | undefined;
  /** At most this many tokens in the answer */
  max_completion_tokens?: number | null | undefined;
  temperature?: number | null | undefined;
  /** How many answers */
  n?: number | null | undefined;
  /** Adds sponsored offers that match the last message of the user to the system prompt, as data that the model may mention with a disclosure. The response has `svc_offers` with their ids, click URLs and whether the answer mentions them; of a stream it is a last event before `[DONE]`. An offer that is mentioned counts as seen. `null` switches off the project's default */
  svc_offers?: {
    /** A channel of the same tenant and mode */
    channel_id: string;
    limit?: number | undefined;
    /** Stable user identifier, by which frequency caps count: a keyed hash, never personal data */
    user_id?: string | undefined;
  } | null | undefined;
  /** `true`: an equal request of the same project and mode is answered from the cache, at no cost and with the header `x-svc-cache: hit`, and this answer is stored for as long as the project's settings say, or else an hour; `{ seconds }` sets the time; `false`: neither. Requests with offers are not cached */
  svc_cache?: boolean | {
    /** How long this answer may be used again */
    seconds: number;
  } | null | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListChatModelsInput {
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface GetChatModelInput {
  /** The name of a model of `GET /v1/models`; with test keys `svc-echo` */
  model: string;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListChatRequestsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only requests of this API key, by its id */
  key?: string | undefined;
  /** Only requests for this model */
  model?: string | undefined;
  status?: "pending" | "succeeded" | "failed" | "cancelled" | undefined;
  /** Only requests that began at or after this time */
  from?: string | undefined;
  /** Only requests that began before this time */
  to?: string | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only requests of this project, by its id or name */
  project?: string | undefined;
}

export interface GetChatRequestInput {
  request: string;
}

export interface GetChatSettingsInput {
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface UpdateChatSettingsInput {
  /** Store what requests and answers say, encrypted, for 30 days, up to 65,536 characters each */
  stores_bodies?: boolean | undefined;
  /** Answer equal requests from the cache for this long, unless a request has `svc_cache: false`; 0: only requests with `svc_cache` use the cache */
  cache_seconds?: number | undefined;
  /** Offers that are added to prompts without `svc_offers`; null: none */
  offers_default?: {
    /** A channel of the same tenant and mode */
    channel_id: string;
    limit?: number | undefined;
  } | null | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface CreateChatUpstreamInput {
  /** Unique within the project and mode */
  name: string;
  /** `/chat/completions` and `/embeddings` are appended to it; an https URL on a public host */
  base_url: string;
  /** The secret that is sent as the bearer token. Its value is sent to `base_url`, so this needs the scope `secrets:reveal` too */
  api_key?: {
    /** Unique within its project and mode, or its tenant and mode: 1 to 128 characters of `A-Z a-z 0-9 . _ -` */
    secret: string;
  } | null | undefined;
  models: ({
    /** The name in requests to svc */
    name: string;
    /** The name that the upstream knows; default: the same */
    upstream_name?: string | undefined;
    kind?: "chat" | "embeddings" | undefined;
    /** For a million tokens of the prompt, such as `2.50` */
    input_price?: string | undefined;
    /** For a million tokens of the answer */
    output_price?: string | undefined;
    /** The context window in tokens, if it is to be checked */
    context?: number | null | undefined;
  })[];
  /** The share of requests among upstreams of equal priority */
  weight?: number | undefined;
  /** Upstreams with lower numbers are asked first */
  priority?: number | undefined;
  /** Id or name; default: the key's own project, or the first one of the tenant */
  project?: string | undefined;
  /** Default: the key's own mode, or test */
  mode?: "test" | "live" | undefined;
}

export interface ListChatUpstreamsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only upstreams of this project, by its id or name */
  project?: string | undefined;
}

export interface GetChatUpstreamInput {
  id: string;
}

export interface UpdateChatUpstreamInput {
  id: string;
  /** Unique within the project and mode */
  name?: string | undefined;
  /** `/chat/completions` and `/embeddings` are appended to it; an https URL on a public host */
  base_url?: string | undefined;
  /** The secret that is sent as the bearer token. Its value is sent to `base_url`, so this needs the scope `secrets:reveal` too */
  api_key?: {
    /** Unique within its project and mode, or its tenant and mode: 1 to 128 characters of `A-Z a-z 0-9 . _ -` */
    secret: string;
  } | null | undefined;
  /** All models; those that are left out are removed */
  models?: ({
    /** The name in requests to svc */
    name: string;
    /** The name that the upstream knows; default: the same */
    upstream_name?: string | undefined;
    kind?: "chat" | "embeddings" | undefined;
    /** For a million tokens of the prompt, such as `2.50` */
    input_price?: string | undefined;
    /** For a million tokens of the answer */
    output_price?: string | undefined;
    /** The context window in tokens, if it is to be checked */
    context?: number | null | undefined;
  })[] | undefined;
  /** The share of requests among upstreams of equal priority */
  weight?: number | undefined;
  /** Upstreams with lower numbers are asked first */
  priority?: number | undefined;
}

export interface DeleteChatUpstreamInput {
  id: string;
}

export interface GetChatUsageInput {
  /** Default: 7 days before `to` */
  from?: string | undefined;
  /** Exclusive. Default: now */
  to?: string | undefined;
  /** Comma-separated, in the order of the rows: day, hour, model, key, upstream; empty: one row for all */
  group_by?: string | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only requests of this project, by its id or name */
  project?: string | undefined;
}

export interface CreateClusterKubeconfigInput {
  /** The id of the resource */
  rid: string;
  /** How long it works: 600 to 86400, default 3600 */
  expires_in_seconds?: number | undefined;
}

export interface ListNodeGroupsInput {
  /** The id of the resource */
  rid: string;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
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

export interface CreateEdgeFunctionInput {
  /** Unique within the project and mode: 1 to 80 characters of `A-Z a-z 0-9 . _ -`; the host begins with it */
  name: string;
  /** A JavaScript module of at most 1 MiB whose default export is an object with `fetch(request, env, ctx)`, which returns a `Response` */
  code: string;
  /** What the code finds in `env`, by name: KV namespaces, buckets, queues and SQL databases of the same project and mode */
  bindings?: ({
    type: "kv";
    /** The name in `env` */
    name: string;
    /** Keys and values that functions of the project and mode share by this name */
    namespace: string;
  } | {
    type: "object";
    /** The name in `env` */
    name: string;
    /** A bucket, by id or name */
    bucket: string;
  } | {
    type: "queue";
    /** The name in `env` */
    name: string;
    /** A queue, by id or name */
    queue: string;
  } | {
    type: "sql";
    /** The name in `env` */
    name: string;
    /** An SQL database that functions of the project and mode share by this name */
    database: string;
  })[] | undefined;
  /** What else the code finds in `env`: at most 100 texts, or references to secrets such as `{"secret": "SMTP_PASSWORD"}`, which are resolved at each request and require the scope `secrets:reveal`. A name differs from those of bindings */
  env?: Record<string, string | SecretRef> | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListEdgeFunctionsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only edge functions of this project, by its id or name */
  project?: string | undefined;
}

export interface GetEdgeFunctionInput {
  /** The id of the edge function, or its name for a key */
  id: string;
}

export interface UpdateEdgeFunctionInput {
  /** The id of the edge function, or its name for a key */
  id: string;
  /** Unique within the project and mode: 1 to 80 characters of `A-Z a-z 0-9 . _ -`; the host begins with it */
  name?: string | undefined;
  /** A JavaScript module of at most 1 MiB whose default export is an object with `fetch(request, env, ctx)`, which returns a `Response` */
  code?: string | undefined;
  /** What the code finds in `env`, by name: KV namespaces, buckets, queues and SQL databases of the same project and mode */
  bindings?: ({
    type: "kv";
    /** The name in `env` */
    name: string;
    /** Keys and values that functions of the project and mode share by this name */
    namespace: string;
  } | {
    type: "object";
    /** The name in `env` */
    name: string;
    /** A bucket, by id or name */
    bucket: string;
  } | {
    type: "queue";
    /** The name in `env` */
    name: string;
    /** A queue, by id or name */
    queue: string;
  } | {
    type: "sql";
    /** The name in `env` */
    name: string;
    /** An SQL database that functions of the project and mode share by this name */
    database: string;
  })[] | undefined;
  /** What else the code finds in `env`: at most 100 texts, or references to secrets such as `{"secret": "SMTP_PASSWORD"}`, which are resolved at each request and require the scope `secrets:reveal`. A name differs from those of bindings */
  env?: Record<string, string | SecretRef> | undefined;
}

export interface DeleteEdgeFunctionInput {
  /** The id of the edge function, or its name for a key */
  id: string;
}

export interface PublishEdgeFunctionInput {
  /** The id of the edge function, or its name for a key */
  id: string;
  /** The draft that is meant, by its number; with another newest version the response is 409. Default: the draft */
  version?: number | undefined;
}

export interface RestoreEdgeVersionInput {
  /** The id of the edge function, or its name for a key */
  id: string;
  /** The number of a version that is kept */
  version: number;
}

export interface ListEdgeVersionsInput {
  /** The id of the edge function, or its name for a key */
  id: string;
}

export interface GetEdgeVersionInput {
  /** The id of the edge function, or its name for a key */
  id: string;
  /** The number of the version */
  version: number;
}

export interface GetEdgeLogsInput {
  /** The id of the edge function, or its name for a key */
  id: string;
  /** How many of the newest lines to return: 1 to 1,000, default 200 */
  lines?: number | undefined;
  /** true: respond with server-sent events that go on until the client disconnects */
  follow?: boolean | undefined;
}

export interface ListEdgeKvKeysInput {
  /** The KV namespace, as bindings name it */
  namespace: string;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only keys that begin with it */
  prefix?: string | undefined;
}

export interface GetEdgeKvValueInput {
  /** The KV namespace, as bindings name it */
  namespace: string;
  /** The key, percent-encoded in the path */
  key: string;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface PutEdgeKvValueInput {
  /** The KV namespace, as bindings name it */
  namespace: string;
  /** The key, percent-encoded in the path */
  key: string;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** At most 1 MiB, as text or in base64 */
  value: string;
  /** How `value` is written; default `utf8` */
  encoding?: "utf8" | "base64" | undefined;
  /** After how many seconds the entry ends, at least 60; default: never */
  ttl_seconds?: number | undefined;
}

export interface DeleteEdgeKvKeyInput {
  /** The KV namespace, as bindings name it */
  namespace: string;
  /** The key, percent-encoded in the path */
  key: string;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface SendEdgeMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** A JSON object or a string, at most 256 KiB in UTF-8. Numbers are IEEE 754 doubles: send integers beyond 2^53 as strings */
  body?: string | Record<string, unknown> | undefined;
  /** Messages of one group are delivered strictly in order, one receive after the other; groups do not wait for each other. All messages without it are one group */
  group_id?: string | undefined;
  /** The message becomes visible after this many seconds, 0 to 900 */
  delay_seconds?: number | undefined;
  /** Within five minutes a message with the same id is accepted but not stored again */
  deduplication_id?: string | undefined;
  /** A batch of 1 to 100 messages, instead of `body` and the fields beside it */
  messages?: ({
    /** A JSON object or a string, at most 256 KiB in UTF-8. Numbers are IEEE 754 doubles: send integers beyond 2^53 as strings */
    body: string | Record<string, unknown>;
    /** Messages of one group are delivered strictly in order, one receive after the other; groups do not wait for each other. All messages without it are one group */
    group_id?: string | undefined;
    /** The message becomes visible after this many seconds, 0 to 900 */
    delay_seconds?: number | undefined;
    /** Within five minutes a message with the same id is accepted but not stored again */
    deduplication_id?: string | undefined;
  })[] | undefined;
}

export interface ReceiveEdgeMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** At most this many messages, 1 to 100, default 1 */
  max_messages?: number | undefined;
  /** If there is no message, wait up to this many seconds for one, 0 to 20, default 0 */
  wait_seconds?: number | undefined;
  /** The visibility timeout of these messages, in seconds; default: that of the queue */
  visibility_timeout_s?: number | undefined;
}

export interface AcknowledgeEdgeMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** The receipt of one message; an error says if its lease has ended */
  receipt?: string | undefined;
  /** 1 to 100 receipts instead of `receipt`; the response has an outcome for each. Each 50 count as one request */
  receipts?: string[] | undefined;
}

export interface ExtendEdgeMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** The receipt of one message; an error says if its lease has ended */
  receipt?: string | undefined;
  /** 1 to 100 receipts instead of `receipt`; the response has an outcome for each. Each 50 count as one request */
  receipts?: string[] | undefined;
  /** Seconds from now, 0 to 43,200; default: the visibility timeout of the queue */
  visibility_timeout_s?: number | undefined;
}

export interface ReturnEdgeMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** The receipt of one message; an error says if its lease has ended */
  receipt?: string | undefined;
  /** 1 to 100 receipts instead of `receipt`; the response has an outcome for each. Each 50 count as one request */
  receipts?: string[] | undefined;
  /** The messages become visible after this many seconds, 0 to 900, default 0 */
  delay_seconds?: number | undefined;
}

export interface CreateEmbeddingInput {
  /** The name of a model of `GET /v1/models`; with test keys `svc-echo` */
  model: string;
  /** One text, up to 2,048 texts, or the same as tokens */
  input: string | string[] | number[] | number[][];
  /** The number of components of each vector */
  dimensions?: number | null | undefined;
  /** `base64`: little-endian 32-bit floats */
  encoding_format?: "float" | "base64" | null | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListEventsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only events of a kind, such as `campaign.created`, or of a prefix, such as `campaign.*` */
  type?: string | undefined;
  /** Only events of this project, by its id or name; without those of the whole tenant */
  project?: string | undefined;
  /** The mode to list, for people (default: test); a key always lists its own mode */
  mode?: "test" | "live" | undefined;
  /** `desc`: newest first */
  order?: "asc" | "desc" | undefined;
  /** Only events after the one with this id; with `order=asc` */
  after?: string | undefined;
}

export interface GetEventInput {
  id: string;
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

export interface CreateFunctionInvocationInput {
  /** The id of the function, or its name for a key */
  id: string;
  /** A JSON value of at most 256 KiB, which the function receives; default null */
  payload?: Record<string, unknown> | unknown[] | string | number | boolean | null | undefined;
}

export interface ListFunctionInvocationsInput {
  /** The id of the function, or its name for a key */
  id: string;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface GetFunctionInvocationInput {
  /** The id of the function, or its name for a key */
  id: string;
  /** The id of the invocation */
  invocation_id: string;
}

export interface ListFunctionVersionsInput {
  /** The id of the function, or its name for a key */
  id: string;
}

export interface GetFunctionVersionInput {
  /** The id of the function, or its name for a key */
  id: string;
  /** The number of the version */
  version: number;
}

export interface RestoreFunctionVersionInput {
  /** The id of the function, or its name for a key */
  id: string;
  /** The number of a version that is kept */
  version: number;
}

export interface CreateFunctionInput {
  /** Unique within the project and mode: 1 to 80 characters of `A-Z a-z 0-9 . _ -` */
  name: string;
  /** What runs the code: `javascript` (or `js`) on workerd, `node` or `python` in a pod with an image of Node.js or Python */
  runtime?: "javascript" | "node" | "python" | "js" | undefined;
  /** The name of the exported function that is called, default `default` */
  handler?: string | undefined;
  /** Follows from `runtime`: `workerd` for `javascript`, `pods` for `node` and `python` */
  backend?: "workerd" | "pods" | undefined;
  /** The container image of a `node` or `python` function, with `/bin/sh`, `sleep` and `node` or `python3`; default `node:24-alpine` or `python:3.14-alpine` */
  image?: string | undefined;
  /** Of the pod of a `node` or `python` function, in MiB: default 256 */
  memory_mb?: number | undefined;
  /** `none`, because functions have no GPUs at present; pods have them */
  gpu?: "none" | undefined;
  /** A module of at most 1 MiB, JavaScript or Python; default: one that returns its payload */
  code?: string | undefined;
  /** What the code finds in `context.env`: at most 100 texts, or references to secrets such as `{"secret": "SMTP_PASSWORD"}`, which are resolved at each call and require the scope `secrets:reveal` */
  env?: Record<string, string | SecretRef> | undefined;
  /** How long an invocation may take, in milliseconds: 1 to 30,000, default 10,000 */
  timeout_ms?: number | undefined;
  /** How many invocations run at once: 1 to 100, default 20 */
  concurrency_max?: number | undefined;
  /** When svc calls the function; null: never */
  schedule?: {
    /** Minute, hour, day of the month, month and day of the week, such as `* /15 9-17 * * MON-FRI`; with both days given, either of them */
    cron: string;
    /** The time zone of `cron`, such as `Europe/Berlin`; default `UTC` */
    timezone?: string | undefined;
    /** What scheduled invocations receive: a JSON value of at most 16 KiB; default null */
    payload?: Record<string, unknown> | unknown[] | string | number | boolean | null | undefined;
  } | null | undefined;
  /** How often an invocation that no client waits for runs again after it failed: 0 to 5, default 0. Such a function may take effect more than once */
  retries_max?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListFunctionsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only functions of this project, by its id or name */
  project?: string | undefined;
}

export interface GetFunctionInput {
  /** The id of the function, or its name for a key */
  id: string;
}

export interface UpdateFunctionInput {
  /** The id of the function, or its name for a key */
  id: string;
  /** Unique within the project and mode: 1 to 80 characters of `A-Z a-z 0-9 . _ -` */
  name?: string | undefined;
  /** What the code finds in `context.env`: at most 100 texts, or references to secrets such as `{"secret": "SMTP_PASSWORD"}`, which are resolved at each call and require the scope `secrets:reveal` */
  env?: Record<string, string | SecretRef> | undefined;
  /** How long an invocation may take, in milliseconds: 1 to 30,000, default 10,000 */
  timeout_ms?: number | undefined;
  /** How many invocations run at once: 1 to 100, default 20 */
  concurrency_max?: number | undefined;
  /** When svc calls the function; null: never */
  schedule?: {
    /** Minute, hour, day of the month, month and day of the week, such as `* /15 9-17 * * MON-FRI`; with both days given, either of them */
    cron: string;
    /** The time zone of `cron`, such as `Europe/Berlin`; default `UTC` */
    timezone?: string | undefined;
    /** What scheduled invocations receive: a JSON value of at most 16 KiB; default null */
    payload?: Record<string, unknown> | unknown[] | string | number | boolean | null | undefined;
  } | null | undefined;
  /** How often an invocation that no client waits for runs again after it failed: 0 to 5, default 0. Such a function may take effect more than once */
  retries_max?: number | undefined;
}

export interface DeleteFunctionInput {
  /** The id of the function, or its name for a key */
  id: string;
}

export interface InvokeFunctionInput {
  /** The id of the function, or its name for a key */
  id: string;
  /** A JSON value of at most 1 MiB, which the function receives; default null */
  payload?: Record<string, unknown> | unknown[] | string | number | boolean | null | undefined;
}

export interface DeployFunctionInput {
  /** The id of the function, or its name for a key */
  id: string;
  /** A module of at most 1 MiB that has the function: JavaScript (ECMAScript) or Python */
  code: string;
  /** The name of the exported function that is called, default `default` */
  handler?: string | undefined;
}

export interface GetGpuPoolInput {
  region: "apac" | "use" | "euw";
  gpu: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s";
  /** Which of the two pools; default: with a live key that of machines if it has GPUs, else the simulated one */
  simulated?: "true" | "false" | undefined;
}

export interface ReportImpressionsInput {
  /** Ids of offers that were visible */
  ids: string[];
}

export interface CreateInferenceCompletionInput {
  /** The id of the resource */
  rid: string;
  /** Ignored: an endpoint has one model */
  model?: string | undefined;
  /** The conversation so far, oldest first */
  messages: ChatMessage[];
  /** Send the answer as server-sent events while it is written */
  stream?: boolean | null | undefined;
  stream_options?: {
    /** A last event before `[DONE]` has the tokens of the request */
    include_usage?: boolean | null | undefined;
  } | null | undefined;
  /** At most this many tokens in the answer; newer models use `max_completion_tokens` */
  max_tokens?: number | null | undefined;
  /** At most this many tokens in the answer */
  max_completion_tokens?: number | null | undefined;
  temperature?: number | null | undefined;
  /** How many answers */
  n?: number | null | undefined;
  /** Adds sponsored offers that match the last message of the user to the system prompt, as data that the model may mention with a disclosure. The response has `svc_offers` with their ids, click URLs and whether the answer mentions them; of a stream it is a last event before `[DONE]`. An offer that is mentioned counts as seen. `null` switches off the project's default */
  svc_offers?: {
    /** A channel of the same tenant and mode */
    channel_id: string;
    limit?: number | undefined;
    /** Stable user identifier, by which frequency caps count: a keyed hash, never personal data */
    user_id?: string | undefined;
  } | null | undefined;
  /** `true`: an equal request of the same project and mode is answered from the cache, at no cost and with the header `x-svc-cache: hit`, and this answer is stored for as long as the project's settings say, or else an hour; `{ seconds }` sets the time; `false`: neither. Requests with offers are not cached */
  svc_cache?: boolean | {
    /** How long this answer may be used again */
    seconds: number;
  } | null | undefined;
}

export interface ListInferenceModelsInput {
  /** The id of the resource */
  rid: string;
}

export interface ListInstancesInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only instances of this kind; metal: baremetal */
  kind?: "gpu" | "cpu" | "metal" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only instances of this project, by its id or name */
  project?: string | undefined;
}

export interface StartInstanceInput {
  /** The id of the resource */
  rid: string;
}

export interface StopInstanceInput {
  /** The id of the resource */
  rid: string;
}

export interface DeleteInstanceInput {
  /** The id of the resource */
  rid: string;
}

export interface ListInvoicesInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only invoices with this status */
  status?: "draft" | "open" | "paid" | "void" | "uncollectible" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface GetUpcomingInvoiceInput {
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface GetInvoiceInput {
  /** The id of the invoice */
  id: string;
  /** `csv` returns the lines as text/csv */
  format?: "json" | "csv" | undefined;
}

export interface CreateKeyInput {
  name: string;
  /** Id or name; default: the key's own project, or the first project of a person's tenant */
  project?: string | undefined;
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "billing:read" | "billing:write" | "audit:read" | "pods:read" | "pods:write" | "sandboxes:read" | "sandboxes:write" | "workspaces:read" | "workspaces:write" | "edge:read" | "edge:write" | "gpuc:read" | "gpuc:write" | "queues:read" | "queues:write" | "storage:read" | "storage:write" | "functions:read" | "functions:write" | "secrets:read" | "secrets:write" | "secrets:reveal" | "gateway:read" | "gateway:write" | "shield:read" | "shield:write" | "webhooks:read" | "webhooks:write")[];
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

export interface GetMetricsSummaryInput {
  /** The period: so many hours up to now, 1 to 168 */
  window_hours?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only this project, by its id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListNetworkChannelsInput {
  /** The mode to use with a session (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Limits the figures to this advertiser's campaigns */
  advertiser_id?: string | undefined;
}

export interface ReportNodeEventInput {
  /** A node that a baremetal instance has for itself: `use/h100/h100-3`, or `h100-3` if only one has that name */
  node_name: string;
  /** What happened, such as xid_79 */
  signal: string;
  /** crit cordons and drains the node */
  severity: "info" | "warn" | "crit";
  /** At most 4096 bytes of JSON, which only your tenant sees */
  details?: Record<string, unknown> | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface ListNodeEventsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only events with this severity */
  severity?: "info" | "warn" | "crit" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only events of this project, by its id or name */
  project?: string | undefined;
}

export interface ListObjectsInput {
  /** The id or name of the bucket */
  bucket: string;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only keys that begin with it */
  prefix?: string | undefined;
  /** Keys that have it after the prefix are grouped in `common_prefixes`; `/` lists one folder */
  delimiter?: string | undefined;
}

export interface DeleteObjectsInput {
  /** The id or name of the bucket */
  bucket: string;
  /** The keys of the objects, at most 1,000 */
  keys: string[];
}

export interface GetObjectInput {
  /** The id or name of the bucket */
  bucket: string;
  /** The key of an object, percent-encoded: `/` is `%2F`. The keys `.` and `..` cannot be sent in a path */
  key: string;
  /** A version of the object; default: the latest */
  version_id?: string | undefined;
}

export interface DeleteObjectInput {
  /** The id or name of the bucket */
  bucket: string;
  /** The key of an object, percent-encoded: `/` is `%2F`. The keys `.` and `..` cannot be sent in a path */
  key: string;
  /** A version of the object; default: the latest */
  version_id?: string | undefined;
}

export interface RestoreObjectInput {
  /** The id or name of the bucket */
  bucket: string;
  /** The key of an object, percent-encoded: `/` is `%2F`. The keys `.` and `..` cannot be sent in a path */
  key: string;
  /** A version of the object; default: the latest */
  version_id?: string | undefined;
  /** How long the object can be read */
  days: number;
}

export interface PresignObjectInput {
  /** The id or name of the bucket; default: the project's default bucket, which the first such call creates */
  bucket?: string | undefined;
  /** The key of an object, at most 1,024 bytes in UTF-8; it may have slashes */
  key: string;
  /** `put_object` also requires the scope `storage:write` */
  operation: "put_object" | "get_object";
  /** How long the URL can be used, in seconds: up to 7 days */
  expires_in?: number | undefined;
  /** For `put_object`: the Content-Type that the request must have */
  content_type?: string | undefined;
  /** For `put_object`: exactly this many bytes, at most 5 GiB */
  content_length?: number | undefined;
  /** For `put_object`: at least this many bytes */
  content_length_min?: number | undefined;
  /** For `put_object`: at most this many bytes */
  content_length_max?: number | undefined;
  /** For `get_object`: a version of the object; default: the latest */
  version_id?: string | undefined;
  /** For `get_object`: the Content-Disposition of the response, such as `attachment; filename="invoice.pdf"` */
  response_content_disposition?: string | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
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

export interface ListPodCheckpointsInput {
  /** The id of the pod */
  id: string;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface GetPodCheckpointInput {
  /** The id of the pod */
  id: string;
  /** The id of the checkpoint */
  checkpoint_id: string;
}

export interface DeletePodCheckpointInput {
  /** The id of the pod */
  id: string;
  /** The id of the checkpoint */
  checkpoint_id: string;
}

export interface ListPodEventsInput {
  /** The id of the pod */
  id: string;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface CreatePodInput {
  /** The container image, as in `docker pull`: `ghcr.io/owner/name:tag`, `registry:5000/name@sha256:…` */
  image: string;
  /** A private network of the project: the id of a vpc (its first subnet), or of a subnet, such as `res_…/default`. Its pods reach each other; it reaches public addresses only while its vpc has a nat */
  network?: string | undefined;
  /** For a private image: a username of its registry, and `{ "secret": "name" }` for the password or token, which requires the scope `secrets:reveal`. They are read at each start, sent only to that registry and the token server that it names, and never reach the pod */
  registry_credentials?: {
    username: string;
    password: SecretRef;
  } | undefined;
  /** For people; default: made from the id */
  name?: string | undefined;
  /** GPU model; absent: no GPU. `gb200 NVL72`, `gb300 NVL72`, `gb200/gb300 NVL72` are spellings of gb200 and gb300 */
  gpu?: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s" | "gb200 NVL72" | "gb300 NVL72" | "gb200/gb300 NVL72" | undefined;
  /** Number of GPUs, on one node: 1 to 8, at most 4 for gb200 and gb300; default 1 with `gpu` */
  gpu_count?: number | undefined;
  /** Spot GPUs: 40 to 60 % cheaper, and reclaimed with 30 seconds of notice when others need them */
  spot?: boolean | undefined;
  /** After a reclaim the pod waits for capacity and runs again; only spot pods have it */
  auto_resume?: boolean | undefined;
  /** An active reservation of the tenant: the pod runs on its GPUs, which are paid for with it; default of `gpu` and `region` */
  reservation_id?: string | undefined;
  /** Pods that are placed together or not at all, such as the workers of one training. They have the same gang, GPUs, region, `cpu`, `memory_mb`, `spot`, `auto_resume` and `reservation_id`, and wait until `size` of them exist */
  gang?: {
    /** Unique in the project and mode while pods of the gang wait or run */
    name: string;
    /** Pods of the gang: 2 to 64 */
    size: number;
  } | undefined;
  /** Region of the GPUs; default use. Pods without GPUs have none */
  region?: "apac" | "use" | "euw" | undefined;
  /** The program and its arguments, instead of the ENTRYPOINT and CMD of the image */
  command?: string[] | undefined;
  /** Environment variables: a value, or `{ "secret": "name" }` for the value of a secret, which requires the scope `secrets:reveal` */
  env?: Record<string, string | SecretRef> | undefined;
  /** The most CPU cores that the pod can use */
  cpu?: number | undefined;
  /** Memory in MiB; a process that exceeds it is ended by the kernel */
  memory_mb?: number | undefined;
  /** TCP ports of HTTP servers in the pod, which are reached at the `url` of the record's `ports`: 1 to 65535, at most 8. The servers listen on 127.0.0.1 or on all addresses */
  ports?: number[] | undefined;
  /** A disk of the pod, such as `{ "size_gb": 50, "mount_path": "/workspace" }`, whose files stay when it stops, starts, is reclaimed or runs on another machine; it is in the checkpoints, and is deleted with the pod */
  volume?: {
    /** Where the pod has it: an absolute path. Not /dev, /etc, /proc, /run, /sys, /usr/local/nvidia, /var/run, where svc mounts its own, and neither above nor below one of them */
    mount_path?: string | undefined;
    /** 1 to 1024 GiB */
    size_gb: number;
  } | undefined;
  /** Shared volumes (service dfs) that it mounts, at most 8: several pods see the same files, which stay when the pods are deleted. The pod runs on the machine that has them */
  volumes?: ({
    /** The id of a resource of the service dfs, of the same project and mode */
    volume: string;
    /** Where the pod has it: an absolute path as for `volume`, outside of those of other volumes */
    mount_path: string;
    /** true: the kernel refuses to write there */
    read_only?: boolean | undefined;
  })[] | undefined;
  /** `job: training` makes the end of a run a `training.run.completed` or `training.run.failed` event */
  labels?: Record<string, string> | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListPodsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only pods with this status */
  status?: "pending" | "ready" | "reclaiming" | "stopping" | "stopped" | "completed" | "failed" | undefined;
  /** Only pods with this label, as `name=value` */
  label?: string | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only pods of this project, by its id or name */
  project?: string | undefined;
}

export interface EstimatePodInput {
  /** The container image, as in `docker pull`: `ghcr.io/owner/name:tag`, `registry:5000/name@sha256:…` */
  image?: string | undefined;
  /** For a private image: a username of its registry, and `{ "secret": "name" }` for the password or token, which requires the scope `secrets:reveal`. They are read at each start, sent only to that registry and the token server that it names, and never reach the pod */
  registry_credentials?: {
    username: string;
    password: SecretRef;
  } | undefined;
  /** For people; default: made from the id */
  name?: string | undefined;
  /** GPU model; absent: no GPU. `gb200 NVL72`, `gb300 NVL72`, `gb200/gb300 NVL72` are spellings of gb200 and gb300 */
  gpu?: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s" | "gb200 NVL72" | "gb300 NVL72" | "gb200/gb300 NVL72" | undefined;
  /** Number of GPUs, on one node: 1 to 8, at most 4 for gb200 and gb300; default 1 with `gpu` */
  gpu_count?: number | undefined;
  /** Spot GPUs: 40 to 60 % cheaper, and reclaimed with 30 seconds of notice when others need them */
  spot?: boolean | undefined;
  /** After a reclaim the pod waits for capacity and runs again; only spot pods have it */
  auto_resume?: boolean | undefined;
  /** An active reservation of the tenant: the pod runs on its GPUs, which are paid for with it; default of `gpu` and `region` */
  reservation_id?: string | undefined;
  /** Pods that are placed together or not at all, such as the workers of one training. They have the same gang, GPUs, region, `cpu`, `memory_mb`, `spot`, `auto_resume` and `reservation_id`, and wait until `size` of them exist */
  gang?: {
    /** Unique in the project and mode while pods of the gang wait or run */
    name: string;
    /** Pods of the gang: 2 to 64 */
    size: number;
  } | undefined;
  /** Region of the GPUs; default use. Pods without GPUs have none */
  region?: "apac" | "use" | "euw" | undefined;
  /** The program and its arguments, instead of the ENTRYPOINT and CMD of the image */
  command?: string[] | undefined;
  /** Environment variables: a value, or `{ "secret": "name" }` for the value of a secret, which requires the scope `secrets:reveal` */
  env?: Record<string, string | SecretRef> | undefined;
  /** The most CPU cores that the pod can use */
  cpu?: number | undefined;
  /** Memory in MiB; a process that exceeds it is ended by the kernel */
  memory_mb?: number | undefined;
  /** TCP ports of HTTP servers in the pod, which are reached at the `url` of the record's `ports`: 1 to 65535, at most 8. The servers listen on 127.0.0.1 or on all addresses */
  ports?: number[] | undefined;
  /** A disk of the pod, such as `{ "size_gb": 50, "mount_path": "/workspace" }`, whose files stay when it stops, starts, is reclaimed or runs on another machine; it is in the checkpoints, and is deleted with the pod */
  volume?: {
    /** Where the pod has it: an absolute path. Not /dev, /etc, /proc, /run, /sys, /usr/local/nvidia, /var/run, where svc mounts its own, and neither above nor below one of them */
    mount_path?: string | undefined;
    /** 1 to 1024 GiB */
    size_gb: number;
  } | undefined;
  /** Shared volumes (service dfs) that it mounts, at most 8: several pods see the same files, which stay when the pods are deleted. The pod runs on the machine that has them */
  volumes?: ({
    /** The id of a resource of the service dfs, of the same project and mode */
    volume: string;
    /** Where the pod has it: an absolute path as for `volume`, outside of those of other volumes */
    mount_path: string;
    /** true: the kernel refuses to write there */
    read_only?: boolean | undefined;
  })[] | undefined;
  /** `job: training` makes the end of a run a `training.run.completed` or `training.run.failed` event */
  labels?: Record<string, string> | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface GetPodInput {
  /** The id of the pod */
  id: string;
}

export interface DeletePodInput {
  /** The id of the pod */
  id: string;
}

export interface ExplainPodInput {
  /** The id of the pod */
  id: string;
}

export interface StopPodInput {
  /** The id of the pod */
  id: string;
}

export interface StartPodInput {
  /** The id of the pod */
  id: string;
  /** The files with which it starts: those of the run before, of the image only, or of a checkpoint */
  from?: "files" | "image" | "checkpoint" | undefined;
  /** With `from: checkpoint`: which one; default: the newest saved one */
  checkpoint_id?: string | undefined;
}

export interface CheckpointPodInput {
  /** The id of the pod */
  id: string;
}

export interface GetPodLogsInput {
  /** The id of the pod */
  id: string;
  /** How much of the newest output to return, 1 byte to 1 MiB; default 64 KiB */
  tail_bytes?: number | undefined;
  /** true: respond with server-sent events that go on until the run ends */
  follow?: boolean | undefined;
}

export interface ExecPodInput {
  /** The id of the pod */
  id: string;
  /** The program and its arguments, instead of the ENTRYPOINT and CMD of the image */
  command: string[];
  /** What the program reads from standard input, at most 64 KiB */
  stdin?: string | undefined;
  /** When the program is ended with SIGKILL, with all that it has started, 1 to 300 seconds; default 60 */
  timeout_seconds?: number | undefined;
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

export interface RestoreProductInput {
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

export interface RestoreProjectInput {
  id: string;
}

export interface GetQueueHistoryInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** Date-time. Default: an hour before `to`; at most 14 days ago */
  from?: string | undefined;
  /** Date-time, exclusive. Default: now */
  to?: string | undefined;
  /** The length of a step; a history has at most 1,500 steps */
  step?: "1m" | "5m" | "15m" | "1h" | "6h" | undefined;
}

export interface CreateQueueInput {
  /** Unique within the project and mode: 1 to 80 characters of `A-Z a-z 0-9 . _ -` */
  name: string;
  /** How long a received message is invisible to other consumers, in seconds: 0 to 43,200, default 30 */
  visibility_timeout_s?: number | undefined;
  /** The same as a duration, such as `30s`, `5m` or `12h`; give one of the two */
  visibility_timeout?: string | undefined;
  /** The dead-letter queue, by the id or name of a queue of the same project and mode: messages move there after `max_receives` */
  dlq?: string | undefined;
  /** How often a message is received before it moves to `dlq` */
  max_receives?: number | undefined;
  /** How long a message is kept that nobody acknowledges, in seconds: 1 minute to 14 days */
  retention_s?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListQueuesInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only queues of this project, by its id or name */
  project?: string | undefined;
}

export interface GetQueueInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface UpdateQueueInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** Unique within the project and mode: 1 to 80 characters of `A-Z a-z 0-9 . _ -` */
  name?: string | undefined;
  /** How long a received message is invisible to other consumers, in seconds: 0 to 43,200, default 30 */
  visibility_timeout_s?: number | undefined;
  /** The same as a duration, such as `30s`, `5m` or `12h`; give one of the two */
  visibility_timeout?: string | undefined;
  /** The dead-letter queue, by id or name; null removes it */
  dlq?: string | null | undefined;
  /** How often a message is received before it moves to `dlq` */
  max_receives?: number | undefined;
  /** How long a message is kept that nobody acknowledges, in seconds: 1 minute to 14 days */
  retention_s?: number | undefined;
}

export interface DeleteQueueInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface SendMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** A JSON object or a string, at most 256 KiB in UTF-8. Numbers are IEEE 754 doubles: send integers beyond 2^53 as strings */
  body?: string | Record<string, unknown> | undefined;
  /** Messages of one group are delivered strictly in order, one receive after the other; groups do not wait for each other. All messages without it are one group */
  group_id?: string | undefined;
  /** The message becomes visible after this many seconds, 0 to 900 */
  delay_seconds?: number | undefined;
  /** Within five minutes a message with the same id is accepted but not stored again */
  deduplication_id?: string | undefined;
  /** A batch of 1 to 100 messages, instead of `body` and the fields beside it */
  messages?: ({
    /** A JSON object or a string, at most 256 KiB in UTF-8. Numbers are IEEE 754 doubles: send integers beyond 2^53 as strings */
    body: string | Record<string, unknown>;
    /** Messages of one group are delivered strictly in order, one receive after the other; groups do not wait for each other. All messages without it are one group */
    group_id?: string | undefined;
    /** The message becomes visible after this many seconds, 0 to 900 */
    delay_seconds?: number | undefined;
    /** Within five minutes a message with the same id is accepted but not stored again */
    deduplication_id?: string | undefined;
  })[] | undefined;
}

export interface ReceiveMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** At most this many messages, 1 to 100, default 1 */
  max_messages?: number | undefined;
  /** If there is no message, wait up to this many seconds for one, 0 to 20, default 0 */
  wait_seconds?: number | undefined;
  /** The visibility timeout of these messages, in seconds; default: that of the queue */
  visibility_timeout_s?: number | undefined;
}

export interface AcknowledgeMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** The receipt of one message; an error says if its lease has ended */
  receipt?: string | undefined;
  /** 1 to 100 receipts instead of `receipt`; the response has an outcome for each. Each 50 count as one request */
  receipts?: string[] | undefined;
}

export interface ExtendMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** The receipt of one message; an error says if its lease has ended */
  receipt?: string | undefined;
  /** 1 to 100 receipts instead of `receipt`; the response has an outcome for each. Each 50 count as one request */
  receipts?: string[] | undefined;
  /** Seconds from now, 0 to 43,200; default: the visibility timeout of the queue */
  visibility_timeout_s?: number | undefined;
}

export interface ReturnMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** The receipt of one message; an error says if its lease has ended */
  receipt?: string | undefined;
  /** 1 to 100 receipts instead of `receipt`; the response has an outcome for each. Each 50 count as one request */
  receipts?: string[] | undefined;
  /** The messages become visible after this many seconds, 0 to 900, default 0 */
  delay_seconds?: number | undefined;
}

export interface PeekMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** At most this many messages, 1 to 100, default 10 */
  max_messages?: number | undefined;
}

export interface RedriveMessagesInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** The queue that the messages move to, by id or name; default: the one whose dead-letter queue this is. Required if it is that of several */
  target?: string | undefined;
  /** At most 1,000 per call */
  max_messages?: number | undefined;
}

export interface PurgeQueueInput {
  /** The id or name of the queue */
  q: string;
  /** Where a person's request looks for the name (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Where a person's request looks for the name (default: the first project), by id or name; a key always uses its own project */
  project?: string | undefined;
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

export interface CreateReservationInput {
  /** GPU model; `gb200 NVL72`, `gb300 NVL72`, `gb200/gb300 NVL72` are spellings of gb200 and gb300 */
  gpu: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s" | "gb200 NVL72" | "gb300 NVL72" | "gb200/gb300 NVL72";
  /** Number of GPUs, at most those of the region */
  count: number;
  /** The term: `30d` (1 month) or `365d` (1 year) */
  duration: "30d" | "365d";
  /** Region of the GPUs */
  region?: "apac" | "use" | "euw" | undefined;
  /** For people; default: made from the id */
  name?: string | undefined;
  /** When the term begins, at most 90 days ahead; default: now */
  starts_at?: string | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListReservationsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only reservations with this status */
  status?: "scheduled" | "active" | "ended" | "canceled" | undefined;
  /** Only reservations of this model */
  gpu?: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s" | undefined;
  /** Only reservations in this region */
  region?: "apac" | "use" | "euw" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only reservations of this project, by its id or name */
  project?: string | undefined;
}

export interface GetReservationCalendarInput {
  /** GPU model; `gb200 NVL72`, `gb300 NVL72`, `gb200/gb300 NVL72` are spellings of gb200 and gb300 */
  gpu: "h100" | "h200" | "b200" | "b300" | "gb200" | "gb300" | "a100" | "l40s" | "gb200 NVL72" | "gb300 NVL72" | "gb200/gb300 NVL72";
  /** Region of the GPUs */
  region?: "apac" | "use" | "euw" | undefined;
  /** How far the free GPUs are listed */
  days?: number | undefined;
  /** The GPUs of a reservation that is planned */
  count?: number | undefined;
  /** Its term */
  duration?: "30d" | "365d" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface GetReservationInput {
  /** The id of the reservation */
  id: string;
}

export interface CancelReservationInput {
  /** The id of the reservation */
  id: string;
}

export interface CreateResourceInput {
  /** The group of services; default gpuc */
  plane?: "gpuc" | undefined;
  /** The service that it belongs to */
  service: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer";
  /** Default: the first kind of the service */
  kind?: string | undefined;
  /** Unique in its project, mode and service */
  name: string;
  /** Depends on the kind; `GET /v1/resources/kinds` has the JSON schema of each */
  spec?: Record<string, unknown> | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListResourcesInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only resources of this group of services */
  plane?: "gpuc" | undefined;
  /** Only resources of this service */
  service?: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer" | undefined;
  /** Only resources of this kind */
  kind?: string | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only resources of this project, by its id or name */
  project?: string | undefined;
}

export interface ListResourceKindsInput {
  /** Only kinds of this service */
  service?: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer" | undefined;
}

export interface GetResourceInput {
  /** The id of the resource */
  rid: string;
}

export interface UpdateResourceInput {
  /** The id of the resource */
  rid: string;
  /** Depends on the kind; `GET /v1/resources/kinds` has the JSON schema of each */
  spec: Record<string, unknown>;
}

export interface DeleteResourceInput {
  /** The id of the resource */
  rid: string;
  /** 404 unless the resource is of this service */
  service?: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer" | undefined;
}

export interface GetResourceUsageInput {
  /** Only resources of this service, such as gpu or dfs */
  service?: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer" | undefined;
  /** So many days of 24 hours until now: 1 to 92, default 30 */
  since_days?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface ReadSandboxFileInput {
  /** The id of the sandbox */
  id: string;
  /** An absolute path inside */
  path: string;
}

export interface WriteSandboxFileInput {
  /** The id of the sandbox */
  id: string;
  /** An absolute path inside */
  path: string;
  /** What the file contains then */
  content: string;
  /** How `content` is encoded: `base64` for bytes that are no text */
  encoding?: "utf8" | "base64" | undefined;
}

export interface ListSandboxFilesInput {
  /** The id of the sandbox */
  id: string;
  /** An absolute path inside */
  path: string;
}

export interface CreateSandboxInput {
  /** The container image, as in `docker pull`: `ghcr.io/owner/name:tag`, `registry:5000/name@sha256:…` */
  image: string;
  /** For a private image: a username of its registry, and `{ "secret": "name" }` for the password or token, which requires the scope `secrets:reveal` */
  registry_credentials?: {
    username: string;
    password: SecretRef;
  } | undefined;
  /** For people; default: made from the id */
  name?: string | undefined;
  /** A program and its arguments, which run when the sandbox has started; the response has their result */
  command?: string[] | undefined;
  /** Environment variables: a value, or `{ "secret": "name" }` for the value of a secret, which requires the scope `secrets:reveal` */
  env?: Record<string, string | SecretRef> | undefined;
  /** The most CPU cores that the sandbox can use */
  cpu?: number | undefined;
  /** Memory in MiB; a process that exceeds it is ended by the kernel */
  memory_mb?: number | undefined;
  /** When the sandbox is ended with SIGKILL, in seconds from its start: 1 to 86400, default 300 */
  timeout_seconds?: number | undefined;
  /** With `command`: the sandbox goes on after it. Without `command` it always does */
  keep_alive?: boolean | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListSandboxesInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only sandboxes with this status */
  status?: "starting" | "running" | "ended" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only sandboxes of this project, by its id or name */
  project?: string | undefined;
}

export interface GetSandboxInput {
  /** The id of the sandbox */
  id: string;
}

export interface DeleteSandboxInput {
  /** The id of the sandbox */
  id: string;
}

export interface ExecSandboxInput {
  /** The id of the sandbox */
  id: string;
  /** The program and its arguments */
  command: string[];
  /** What the program reads from standard input, at most 64 KiB */
  stdin?: string | undefined;
  /** When the program is ended with SIGKILL, 1 to 86400 seconds and at most the time that the sandbox has left; default 60 */
  timeout_seconds?: number | undefined;
}

export interface CreateSecretInput {
  /** Unique within its project and mode, or its tenant and mode: 1 to 128 characters of `A-Z a-z 0-9 . _ -` */
  name: string;
  /** 1 byte to 64 KiB of text; only `GET /v1/secrets/{name}/value` returns it */
  value: string;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** true: the secret of the whole tenant, which every project can use; default: the one of the project */
  tenant?: boolean | undefined;
}

export interface ListSecretsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only secrets that this project can use, by its id or name */
  project?: string | undefined;
}

export interface PutSecretInput {
  /** A name of 1 to 128 characters of `A-Z a-z 0-9 . _ -`, or the id of a secret that exists */
  name: string;
  /** 1 byte to 64 KiB of text; only `GET /v1/secrets/{name}/value` returns it */
  value: string;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** true: the secret of the whole tenant, which every project can use; default: the one of the project */
  tenant?: boolean | undefined;
}

export interface GetSecretInput {
  /** The id or name of the secret */
  name: string;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** true: only the secret of the whole tenant; default: the one of the project, or else of the tenant */
  tenant?: boolean | undefined;
}

export interface RevealSecretInput {
  /** The id or name of the secret */
  name: string;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** true: only the secret of the whole tenant; default: the one of the project, or else of the tenant */
  tenant?: boolean | undefined;
  /** One of the last 10 versions; default: the current one */
  version?: number | undefined;
}

export interface DeleteSecretInput {
  /** The id or name of the secret */
  name: string;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
  /** true: the secret of the whole tenant, which every project can use; default: the one of the project */
  tenant?: boolean | undefined;
}

export interface CreateShieldScanInput {
  /** The id or name of the bucket */
  bucket: string;
  /** Only objects whose keys begin with it; empty: all */
  prefix?: string | undefined;
}

export interface ListShieldScansInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only scans of this bucket, by its id or name */
  bucket?: string | undefined;
  /** Only scans with this status */
  status?: "queued" | "running" | "completed" | "failed" | "canceled" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only scans of this project, by its id or name */
  project?: string | undefined;
}

export interface GetShieldScanInput {
  scan_id: string;
  /** Responds when the scan has ended, at the latest after this many seconds, 0 to 20 */
  wait_seconds?: number | undefined;
}

export interface CancelShieldScanInput {
  scan_id: string;
}

export interface ListShieldFindingsInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only findings in this bucket, by its id or name */
  bucket?: string | undefined;
  /** Only findings in objects whose keys begin with it */
  prefix?: string | undefined;
  /** Only findings of this rule, such as `github_token` */
  rule?: string | undefined;
  category?: "secret" | "personal_data" | "malware" | "exposure" | "configuration" | undefined;
  severity?: "low" | "medium" | "high" | "critical" | undefined;
  /** `resolved`: those that a later scan did not find */
  status?: "open" | "resolved" | undefined;
  /** Only findings whose last scan is this one */
  scan_id?: string | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only findings of this project, by its id or name */
  project?: string | undefined;
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

export interface ListSkusInput {
  /** Only SKUs of this service */
  category?: "gpu" | "cpu" | "baremetal" | "object" | "dfs" | "net" | "cks" | "sunk" | "flc" | "nlc" | "observe" | "inference" | "tensorizer" | undefined;
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

export interface CreateStorageCredentialsInput {
  /** The API key whose credentials these are. A key omits it or names itself; a person with the scope `keys:write` names a key of the tenant */
  api_key_id?: string | undefined;
}

export interface ListTelemetryRecordsInput {
  /** The id of the resource */
  rid: string;
  /** Records of this time and later; default: a day before `to` */
  from?: string | undefined;
  /** Records before this time; default: now */
  to?: string | undefined;
  /** 1 to 1,000, default 100 */
  limit?: number | undefined;
  /** Only records with this text, whatever its case, in their body or name, service or attributes */
  contains?: string | undefined;
}

export interface GetToolCallsInput {
  limit?: number | undefined;
  /** For users only; an API key always uses its own mode. Default: test */
  mode?: "test" | "live" | undefined;
}

export interface GetUsageInput {
  /** The first day, in UTC. Default: the first day of the month */
  from?: string | undefined;
  /** The day after the last one, in UTC. Default: until now */
  to?: string | undefined;
  /** Instead of `from` and `to`: so many days up to now, today included */
  days?: number | undefined;
  /** Comma-separated: day, project, service, sku, purchase, price; empty: one row for all */
  group_by?: string | undefined;
  /** Only usage of this project, by its id or name */
  project?: string | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
}

export interface EraseUserInput {
  /** The user_id that was sent with offers requests and signals */
  user_id: string;
}

export interface CreateVolumeSnapshotInput {
  /** The id of the resource */
  rid: string;
}

export interface ListVolumeSnapshotsInput {
  /** The id of the resource */
  rid: string;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface DeleteVolumeSnapshotInput {
  /** The id of the resource */
  rid: string;
  /** The id of the snapshot */
  snapshot_id: string;
}

export interface ListWebhookDeliveriesInput {
  id: string;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  status?: "pending" | "succeeded" | "failed" | undefined;
  /** Only deliveries of this kind of event */
  event_type?: string | undefined;
  /** Only deliveries created at this time or later */
  from?: string | undefined;
  /** Only deliveries created before this time */
  to?: string | undefined;
}

export interface GetWebhookDeliveryInput {
  id: string;
  delivery_id: string;
}

export interface ReplayWebhookDeliveryInput {
  id: string;
  delivery_id: string;
}

export interface ReplayWebhookDeliveriesInput {
  id: string;
  /** Deliveries created at this time or later */
  from: string;
  /** Deliveries created before this time */
  to: string;
  /** Only deliveries in this state */
  status?: "failed" | "succeeded" | undefined;
}

export interface CreateWebhookInput {
  name: string;
  /** An https URL on a public host, with any port */
  url: string;
  /** Kinds such as `webhook.disabled`, prefixes such as `webhook.*`, or `*` for all; see GET /v1/events/kinds */
  events: string[];
  /** Id or name; default: the key's own project, or the first one of the tenant */
  project?: string | undefined;
  /** Default: the key's own mode, or test */
  mode?: "test" | "live" | undefined;
}

export interface ListWebhooksInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only webhooks of this project, by its id or name */
  project?: string | undefined;
  /** The mode to list, for people (default: test); a key always lists its own mode */
  mode?: "test" | "live" | undefined;
  status?: "enabled" | "disabled" | undefined;
}

export interface GetWebhookInput {
  id: string;
}

export interface UpdateWebhookInput {
  id: string;
  name?: string | undefined;
  /** Attempts that are under way still use the previous URL */
  url?: string | undefined;
  /** Kinds such as `webhook.disabled`, prefixes such as `webhook.*`, or `*` for all; see GET /v1/events/kinds */
  events?: string[] | undefined;
  /** `disabled`: pending deliveries fail, and can be replayed after the webhook is enabled again */
  status?: "enabled" | "disabled" | undefined;
}

export interface DeleteWebhookInput {
  id: string;
}

export interface RotateWebhookSecretInput {
  id: string;
}

export interface TestWebhookInput {
  id: string;
  /** The kind of event to send; default: the first one that the webhook subscribes to */
  type?: string | undefined;
}

export interface ReadWorkspaceFileInput {
  /** The id of the workspace */
  id: string;
  /** An absolute path inside */
  path: string;
}

export interface WriteWorkspaceFileInput {
  /** The id of the workspace */
  id: string;
  /** An absolute path inside */
  path: string;
  /** What the file contains then */
  content: string;
  /** How `content` is encoded: `base64` for bytes that are no text */
  encoding?: "utf8" | "base64" | undefined;
  /** The `version` of the file that is to be replaced, or `none` for a file that must not exist */
  expected_version?: string | undefined;
}

export interface DeleteWorkspaceFileInput {
  /** The id of the workspace */
  id: string;
  /** An absolute path inside */
  path: string;
}

export interface MoveWorkspaceFileInput {
  /** The id of the workspace */
  id: string;
  /** An absolute path inside */
  path: string;
  /** Its new absolute path */
  to: string;
}

export interface ListWorkspaceFilesInput {
  /** The id of the workspace */
  id: string;
  /** An absolute path inside */
  path?: string | undefined;
}

export interface CreateWorkspaceFolderInput {
  /** The id of the workspace */
  id: string;
  /** An absolute path inside */
  path: string;
}

export interface CreateWorkspaceInput {
  /** For people */
  name: string;
  /** Where its programs come from; default: codercom/code-server:latest. The image needs `/bin/sh`, `sleep`, `cat`, `ls`, `mkdir`, `mv` and `rm`; with `code-server` on its PATH, that is the editor */
  image?: string | undefined;
  /** The most CPU cores that it can use */
  cpu?: number | undefined;
  /** Memory in MiB; a process that exceeds it is ended by the kernel */
  memory_mb?: number | undefined;
  /** The size of its disk at /workspace: 1 to 1024 GiB, default 10 */
  disk_gb?: number | undefined;
  /** It is stopped when for so long no request used its files, programs, terminals or editor: 60 to 604800 seconds, default 3600; 0: never */
  idle_timeout_seconds?: number | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** The project of a person's request (default: the first one), by id or name; a key always uses its own project */
  project?: string | undefined;
}

export interface ListWorkspacesInput {
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only workspaces with this status */
  status?: "starting" | "running" | "stopping" | "stopped" | "failed" | undefined;
  /** The mode of a person's request (default: test); a key always uses its own mode */
  mode?: "test" | "live" | undefined;
  /** Only workspaces of this project, by its id or name */
  project?: string | undefined;
}

export interface GetWorkspaceInput {
  /** The id of the workspace */
  id: string;
}

export interface DeleteWorkspaceInput {
  /** The id of the workspace */
  id: string;
}

export interface StartWorkspaceInput {
  /** The id of the workspace */
  id: string;
}

export interface StopWorkspaceInput {
  /** The id of the workspace */
  id: string;
}

export interface ExecWorkspaceInput {
  /** The id of the workspace */
  id: string;
  /** The program and its arguments */
  command: string[];
  /** What the program reads from standard input, at most 64 KiB */
  stdin?: string | undefined;
  /** When the program is ended with SIGKILL, with all that it has started, 1 to 300 seconds; default 60 */
  timeout_seconds?: number | undefined;
}

export type ListActivationsOutput = {
  data: Activation[];
};

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

export type GetBucketUsageOutput = {
  step: "1h" | "1d";
  points: {
    /** The start of the step, in UTC */
    start: string;
    /** Keys with a current version, at the last measurement in the step */
    objects: number;
    /** Stored versions, current ones included */
    versions: number;
    /** Bytes of all versions and of the parts of unfinished uploads */
    bytes: number;
  }[];
};

export type ListChatModelsOutput = {
  object: "list";
  data: ChatModel[];
};

export type GetChatUsageOutput = {
  from: string;
  to: string;
  currency: string;
  /** true in test mode, in which nothing is charged */
  simulated: boolean;
  data: ({
    /** In UTC: 2026-11-20 */
    day?: string | undefined;
    /** The beginning of the hour in UTC: 2026-11-20T09:00:00Z */
    hour?: string | undefined;
    model?: string | undefined;
    /** The id of the API key; null: people in the playground */
    key?: string | null | undefined;
    /** null: no upstream was asked */
    upstream?: string | null | undefined;
    /** Requests that have ended, refused ones included */
    requests: number;
    errors: number;
    /** Answered from the cache */
    cached: number;
    prompt_tokens: number;
    completion_tokens: number;
    cost_micros: number;
    /** To the end of successful answers that did not come from the cache */
    latency_ms: {
      p50: number | null;
      p95: number | null;
    };
    /** The same to the first byte */
    first_byte_ms: {
      p50: number | null;
      p95: number | null;
    };
  })[];
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

export type GetEdgeLogsOutput = {
  data: EdgeLogLine[];
};

export type SendEdgeMessagesOutput = {
  /** The id of the message, if the request has `body` */
  id?: string | undefined;
  /** Whether a message with this deduplication id was sent before; `id` is then the id of that message */
  is_duplicate?: boolean | undefined;
  /** The messages in the order of the request, if it has `messages` */
  data?: {
    id: string;
    /** Whether a message with this deduplication id was sent before; `id` is then the id of that message */
    is_duplicate: boolean;
  }[] | undefined;
};

export type ReceiveEdgeMessagesOutput = {
  /** Oldest first within each group; empty if there is no message */
  data: Message[];
};

export type AcknowledgeEdgeMessagesOutput = {
  /** In the order of the request */
  data: ({
    receipt: string;
    /** `lease_expired`: the message became visible again before, and may have another consumer; `unknown`: the receipt is not of this queue */
    outcome: "ok" | "lease_expired" | "unknown";
  })[];
};

export type ExtendEdgeMessagesOutput = {
  /** In the order of the request */
  data: ({
    receipt: string;
    /** `lease_expired`: the message became visible again before, and may have another consumer; `unknown`: the receipt is not of this queue */
    outcome: "ok" | "lease_expired" | "unknown";
  })[];
};

export type ReturnEdgeMessagesOutput = {
  /** In the order of the request */
  data: ({
    receipt: string;
    /** `lease_expired`: the message became visible again before, and may have another consumer; `unknown`: the receipt is not of this queue */
    outcome: "ok" | "lease_expired" | "unknown";
  })[];
};

export type ListInferenceModelsOutput = {
  object: "list";
  data: ChatModel[];
};

export type CreateKeyOutput = {
  id: string;
  project_id: string;
  mode: "test" | "live";
  name: string;
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "billing:read" | "billing:write" | "audit:read" | "pods:read" | "pods:write" | "sandboxes:read" | "sandboxes:write" | "workspaces:read" | "workspaces:write" | "edge:read" | "edge:write" | "gpuc:read" | "gpuc:write" | "queues:read" | "queues:write" | "storage:read" | "storage:write" | "functions:read" | "functions:write" | "secrets:read" | "secrets:write" | "secrets:reveal" | "gateway:read" | "gateway:write" | "shield:read" | "shield:write" | "webhooks:read" | "webhooks:write")[];
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
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "billing:read" | "billing:write" | "audit:read" | "pods:read" | "pods:write" | "sandboxes:read" | "sandboxes:write" | "workspaces:read" | "workspaces:write" | "edge:read" | "edge:write" | "gpuc:read" | "gpuc:write" | "queues:read" | "queues:write" | "storage:read" | "storage:write" | "functions:read" | "functions:write" | "secrets:read" | "secrets:write" | "secrets:reveal" | "gateway:read" | "gateway:write" | "shield:read" | "shield:write" | "webhooks:read" | "webhooks:write")[];
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
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "billing:read" | "billing:write" | "audit:read" | "pods:read" | "pods:write" | "sandboxes:read" | "sandboxes:write" | "workspaces:read" | "workspaces:write" | "edge:read" | "edge:write" | "gpuc:read" | "gpuc:write" | "queues:read" | "queues:write" | "storage:read" | "storage:write" | "functions:read" | "functions:write" | "secrets:read" | "secrets:write" | "secrets:reveal" | "gateway:read" | "gateway:write" | "shield:read" | "shield:write" | "webhooks:read" | "webhooks:write")[];
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
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "billing:read" | "billing:write" | "audit:read" | "pods:read" | "pods:write" | "sandboxes:read" | "sandboxes:write" | "workspaces:read" | "workspaces:write" | "edge:read" | "edge:write" | "gpuc:read" | "gpuc:write" | "queues:read" | "queues:write" | "storage:read" | "storage:write" | "functions:read" | "functions:write" | "secrets:read" | "secrets:write" | "secrets:reveal" | "gateway:read" | "gateway:write" | "shield:read" | "shield:write" | "webhooks:read" | "webhooks:write")[];
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
  scopes: ("ads:read" | "ads:write" | "keys:read" | "keys:write" | "projects:read" | "projects:write" | "usage:read" | "billing:read" | "billing:write" | "audit:read" | "pods:read" | "pods:write" | "sandboxes:read" | "sandboxes:write" | "workspaces:read" | "workspaces:write" | "edge:read" | "edge:write" | "gpuc:read" | "gpuc:write" | "queues:read" | "queues:write" | "storage:read" | "storage:write" | "functions:read" | "functions:write" | "secrets:read" | "secrets:write" | "secrets:reveal" | "gateway:read" | "gateway:write" | "shield:read" | "shield:write" | "webhooks:read" | "webhooks:write")[];
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

export type DeleteObjectsOutput = {
  /** The number of different keys */
  deleted: number;
};

export type PresignObjectOutput = {
  url: string;
  method: "GET" | "PUT";
  /** Headers that the request must have */
  headers: Record<string, string>;
  /** When the URL ends, at the latest with the API key that created it */
  expires_at: string;
  /** The name of the bucket */
  bucket: string;
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

export type GetPodLogsOutput = {
  /** The number of the run */
  run: number;
  /** Standard output and standard error, in the order of arrival */
  text: string;
  /** Whether the run has ended, and no output follows */
  ended: boolean;
};

export type ExecPodOutput = {
  /** The number of the run */
  run: number;
  /** null: a signal ended it */
  exit_code: number | null;
  signal: string | null;
  /** Whether it was ended because of `timeout_seconds` */
  timed_out: boolean;
  stdout: string;
  stderr: string;
  /** Whether more than 1 MiB was written; the rest is dropped */
  truncated: boolean;
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

export type RestoreProjectOutput = {
  id: string;
  name: string;
  /** The number of active API keys, test and live */
  active_keys: number;
  created_at: string;
};

export type GetQueueHistoryOutput = {
  from: string;
  /** Exclusive */
  to: string;
  step: "1m" | "5m" | "15m" | "1h" | "6h";
  /** One for each step of the period, in order */
  points: {
    /** The start of the step, in UTC */
    start: string;
    /** Messages sent in the step, without duplicates */
    sent: number;
    /** Messages received in the step; a message that is received again counts again */
    received: number;
    /** Messages acknowledged in the step */
    acknowledged: number;
    /** The most messages that were waiting at one of the step's measurements, one per minute */
    waiting: number;
    /** The most delayed messages at one of the step's measurements */
    delayed: number;
    /** The most messages in flight at one of the step's measurements */
    in_flight: number;
  }[];
};

export type SendMessagesOutput = {
  /** The id of the message, if the request has `body` */
  id?: string | undefined;
  /** Whether a message with this deduplication id was sent before; `id` is then the id of that message */
  is_duplicate?: boolean | undefined;
  /** The messages in the order of the request, if it has `messages` */
  data?: {
    id: string;
    /** Whether a message with this deduplication id was sent before; `id` is then the id of that message */
    is_duplicate: boolean;
  }[] | undefined;
};

export type ReceiveMessagesOutput = {
  /** Oldest first within each group; empty if there is no message */
  data: Message[];
};

export type AcknowledgeMessagesOutput = {
  /** In the order of the request */
  data: ({
    receipt: string;
    /** `lease_expired`: the message became visible again before, and may have another consumer; `unknown`: the receipt is not of this queue */
    outcome: "ok" | "lease_expired" | "unknown";
  })[];
};

export type ExtendMessagesOutput = {
  /** In the order of the request */
  data: ({
    receipt: string;
    /** `lease_expired`: the message became visible again before, and may have another consumer; `unknown`: the receipt is not of this queue */
    outcome: "ok" | "lease_expired" | "unknown";
  })[];
};

export type ReturnMessagesOutput = {
  /** In the order of the request */
  data: ({
    receipt: string;
    /** `lease_expired`: the message became visible again before, and may have another consumer; `unknown`: the receipt is not of this queue */
    outcome: "ok" | "lease_expired" | "unknown";
  })[];
};

export type PeekMessagesOutput = {
  data: PeekedMessage[];
};

export type RedriveMessagesOutput = {
  /** The number of moved messages; 0: none is left that can be moved now */
  moved: number;
  /** The name of the queue that has them now */
  target: string;
};

export type PurgeQueueOutput = {
  /** The number of deleted messages */
  purged: number;
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

export type ListResourceKindsOutput = {
  data: ResourceKind[];
};

export type ReadSandboxFileOutput = {
  path: string;
  /** In bytes */
  size: number;
  content: string;
  /** `base64` for a file that is no text in UTF-8 */
  encoding: "utf8" | "base64";
};

export type WriteSandboxFileOutput = {
  path: string;
  /** In bytes */
  size: number;
};

export type ListSandboxFilesOutput = {
  data: ({
    name: string;
    type: "file" | "folder" | "link" | "other";
    /** In bytes */
    size: number;
  })[];
  truncated: boolean;
};

export type ExecSandboxOutput = {
  /** null: a signal ended it */
  exit_code: number | null;
  signal: string | null;
  /** Whether it was ended because of `timeout_seconds` */
  timed_out: boolean;
  stdout: string;
  stderr: string;
  /** Whether more than 1 MiB was written; the rest is dropped */
  truncated: boolean;
};

export type ListSkusOutput = {
  data: Sku[];
};

export type CreateStorageCredentialsOutput = {
  access_key_id: string;
  /** It is shown only once */
  secret_access_key: string;
  endpoint: string;
  /** The endpoint accepts any region */
  region: string;
  force_path_style: boolean;
  /** When the API key or its grace period ends; null: never */
  expires_at: string | null;
};

export type ListTelemetryRecordsOutput = {
  data: TelemetryRecord[];
};

export type GetTenantOutput = {
  id: string;
  name: string;
  is_demo: boolean;
  created_at: string;
};

export type ReplayWebhookDeliveriesOutput = {
  /** Deliveries that are sent again */
  replayed: number;
  /** The `from` of a call for the rest; null when there is none */
  next_from: string | null;
};

export type ReadWorkspaceFileOutput = {
  path: string;
  /** In bytes */
  size: number;
  content: string;
  /** `base64` for a file that is no text in UTF-8 */
  encoding: "utf8" | "base64";
  /** Names the content; it is another one when the content has changed */
  version: string;
};

export type WriteWorkspaceFileOutput = {
  path: string;
  /** In bytes */
  size: number;
  /** Names the content; it is another one when the content has changed */
  version: string;
};

export type MoveWorkspaceFileOutput = {
  path: string;
};

export type ListWorkspaceFilesOutput = {
  data: ({
    name: string;
    type: "file" | "folder" | "link" | "other";
    /** In bytes */
    size: number;
  })[];
  truncated: boolean;
};

export type CreateWorkspaceFolderOutput = {
  path: string;
};

export type ExecWorkspaceOutput = {
  /** null: a signal ended it */
  exit_code: number | null;
  signal: string | null;
  /** Whether it was ended because of `timeout_seconds` */
  timed_out: boolean;
  stdout: string;
  stderr: string;
  /** Whether more than 1 MiB was written; the rest is dropped */
  truncated: boolean;
};

/** Every operation of both APIs, by noun. Every method rejects with an `SvcError`. */
export interface PlatformClient {
  activations: {
    /** Activate a service, or change its plan tier. Needs the scope `gpuc:write`. */
    create(input: ActivateServiceInput, options?: CallOptions): Promise<Activation>;
    /** List activated services. Needs the scope `gpuc:read`. */
    list(input?: ListActivationsInput, options?: CallOptions): Promise<ListActivationsOutput>;
    /** Deactivate a service. Needs the scope `gpuc:write`. */
    delete(input: DeactivateServiceInput, options?: CallOptions): Promise<void>;
  };
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
  billing: {
    /** Get the budget of a month, and what is spent. Needs the scope `billing:read`. */
    budget(input?: GetBillingBudgetInput, options?: CallOptions): Promise<BillingBudget>;
    /** Set the budget of a month. Needs the scope `billing:write`. */
    setBudget(input: PutBillingBudgetInput, options?: CallOptions): Promise<BillingBudget>;
    /** Delete the budget of a month. Needs the scope `billing:write`. */
    deleteBudget(input?: DeleteBillingBudgetInput, options?: CallOptions): Promise<void>;
  };
  buckets: {
    /** Create a bucket. Needs the scope `storage:write`. */
    create(input: CreateBucketInput, options?: CallOptions): Promise<Bucket>;
    /** List buckets. Needs the scope `storage:read`. */
    list(input?: ListBucketsInput, options?: CallOptions): Pages<Bucket>;
    /** Get a bucket with its usage and the progress of its deletion. Needs the scope `storage:read`. */
    get(input: GetBucketInput, options?: CallOptions): Promise<Bucket>;
    /** Update a bucket. Needs the scope `storage:write`. */
    update(input: UpdateBucketInput, options?: CallOptions): Promise<Bucket>;
    /** Delete a bucket, with `force` also one that has objects. Needs the scope `storage:write`. */
    delete(input: DeleteBucketInput, options?: CallOptions): Promise<Bucket | undefined>;
    /** Get the objects and bytes of a bucket over time. Needs the scope `storage:read`. */
    usage(input: GetBucketUsageInput, options?: CallOptions): Promise<GetBucketUsageOutput>;
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
  chatBudgets: {
    /** Create a budget for chat requests. Needs the scope `gateway:write`. */
    create(input: CreateChatBudgetInput, options?: CallOptions): Promise<ChatBudget>;
    /** List budgets for chat requests with what is spent. Needs the scope `gateway:read`. */
    list(input?: ListChatBudgetsInput, options?: CallOptions): Pages<ChatBudget>;
    /** Get a budget with what is spent, what remains and when it resets. Needs the scope `gateway:read`. */
    get(input: GetChatBudgetInput, options?: CallOptions): Promise<ChatBudget>;
    /** Update a budget. Needs the scope `gateway:write`. */
    update(input: UpdateChatBudgetInput, options?: CallOptions): Promise<ChatBudget>;
    /** Delete a budget. Needs the scope `gateway:write`. */
    delete(input: DeleteChatBudgetInput, options?: CallOptions): Promise<void>;
  };
  chatCompletions: {
    /** Answer a conversation with a model. Needs the scope `gateway:write`. */
    create(input: CreateChatCompletionInput, options?: CallOptions): Promise<ChatCompletion>;
  };
  chatModels: {
    /** List the models that the key can use. Needs the scope `gateway:read`. */
    list(input?: ListChatModelsInput, options?: CallOptions): Promise<ListChatModelsOutput>;
    /** Get a model. Needs the scope `gateway:read`. */
    get(input: GetChatModelInput, options?: CallOptions): Promise<ChatModel>;
  };
  chatRequests: {
    /** List chat requests. Needs the scope `gateway:read`. */
    list(input?: ListChatRequestsInput, options?: CallOptions): Pages<ChatRequest>;
    /** Get a chat request, with its bodies if they are stored. Needs the scope `gateway:read`. */
    get(input: GetChatRequestInput, options?: CallOptions): Promise<ChatRequestWithBodies>;
  };
  chatSettings: {
    /** Get the settings of chat requests. Needs the scope `gateway:read`. */
    get(input?: GetChatSettingsInput, options?: CallOptions): Promise<ChatSettings>;
    /** Change the settings of chat requests. Needs the scope `gateway:write`. */
    update(input?: UpdateChatSettingsInput, options?: CallOptions): Promise<ChatSettings>;
  };
  chatUpstreams: {
    /** Add an upstream for chat models. Needs the scope `gateway:write`. */
    create(input: CreateChatUpstreamInput, options?: CallOptions): Promise<ChatUpstream>;
    /** List your upstreams for chat models. Needs the scope `gateway:read`. */
    list(input?: ListChatUpstreamsInput, options?: CallOptions): Pages<ChatUpstream>;
    /** Get an upstream for chat models. Needs the scope `gateway:read`. */
    get(input: GetChatUpstreamInput, options?: CallOptions): Promise<ChatUpstream>;
    /** Update an upstream for chat models. Needs the scope `gateway:write`. */
    update(input: UpdateChatUpstreamInput, options?: CallOptions): Promise<ChatUpstream>;
    /** Delete an upstream for chat models. Needs the scope `gateway:write`. */
    delete(input: DeleteChatUpstreamInput, options?: CallOptions): Promise<void>;
  };
  chatUsage: {
    /** Get requests, tokens, cost and latency of chat requests over time. Needs the scope `gateway:read`. */
    get(input?: GetChatUsageInput, options?: CallOptions): Promise<GetChatUsageOutput>;
  };
  clusters: {
    /** Create a kubeconfig of a cluster. Needs the scope `gpuc:write`. */
    kubeconfig(input: CreateClusterKubeconfigInput, options?: CallOptions): Promise<ClusterKubeconfig>;
    /** List the node groups of a cluster. Needs the scope `gpuc:read`. */
    nodeGroups(input: ListNodeGroupsInput, options?: CallOptions): Pages<Resource>;
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
  edge: {
    /** Create an edge function, as a draft. Needs the scope `edge:write`. */
    create(input: CreateEdgeFunctionInput, options?: CallOptions): Promise<EdgeFunction>;
    /** List edge functions. Needs the scope `edge:read`. */
    list(input?: ListEdgeFunctionsInput, options?: CallOptions): Pages<EdgeFunction>;
    /** Get an edge function. Needs the scope `edge:read`. */
    get(input: GetEdgeFunctionInput, options?: CallOptions): Promise<EdgeFunction>;
    /** Update the draft or the name of an edge function. Needs the scope `edge:write`. */
    update(input: UpdateEdgeFunctionInput, options?: CallOptions): Promise<EdgeFunction>;
    /** Delete an edge function with its versions. Needs the scope `edge:write`. */
    delete(input: DeleteEdgeFunctionInput, options?: CallOptions): Promise<void>;
    /** Publish the draft of an edge function. Needs the scope `edge:write`. */
    publish(input: PublishEdgeFunctionInput, options?: CallOptions): Promise<EdgeFunction>;
    /** Roll back an edge function to an earlier version. Needs the scope `edge:write`. */
    rollback(input: RestoreEdgeVersionInput, options?: CallOptions): Promise<EdgeFunction>;
    /** List the versions of an edge function. Needs the scope `edge:read`. */
    versions(input: ListEdgeVersionsInput, options?: CallOptions): Pages<EdgeVersion>;
    /** Get a version of an edge function, with its code. Needs the scope `edge:read`. */
    version(input: GetEdgeVersionInput, options?: CallOptions): Promise<EdgeVersionWithCode>;
    /** Get the logs of an edge function. Needs the scope `edge:read`. */
    logs(input: GetEdgeLogsInput, options?: CallOptions): Promise<GetEdgeLogsOutput>;
  };
  edgeKv: {
    /** List the keys of a KV namespace. Needs the scope `edge:read`. */
    list(input: ListEdgeKvKeysInput, options?: CallOptions): Pages<EdgeKvKey>;
    /** Get the value of a key of a KV namespace. Needs the scope `edge:read`. */
    get(input: GetEdgeKvValueInput, options?: CallOptions): Promise<EdgeKvEntry>;
    /** Store the value of a key of a KV namespace. Needs the scope `edge:write`. */
    put(input: PutEdgeKvValueInput, options?: CallOptions): Promise<EdgeKvKey>;
    /** Delete a key of a KV namespace. Needs the scope `edge:write`. */
    delete(input: DeleteEdgeKvKeyInput, options?: CallOptions): Promise<void>;
  };
  edgeQueues: {
    /** Send a message, or a batch of up to 100, from an edge function. Needs the scope `edge:write`. */
    send(input: SendEdgeMessagesInput, options?: CallOptions): Promise<SendEdgeMessagesOutput>;
    /** Receive messages in an edge function. Needs the scope `edge:write`. */
    receive(input: ReceiveEdgeMessagesInput, options?: CallOptions): Promise<ReceiveEdgeMessagesOutput>;
    /** Acknowledge messages in an edge function, which deletes them. Needs the scope `edge:write`. */
    acknowledge(input: AcknowledgeEdgeMessagesInput, options?: CallOptions): Promise<AcknowledgeEdgeMessagesOutput>;
    /** Extend the visibility timeout of messages in an edge function. Needs the scope `edge:write`. */
    extend(input: ExtendEdgeMessagesInput, options?: CallOptions): Promise<ExtendEdgeMessagesOutput>;
    /** Return messages from an edge function, so that they are delivered again. Needs the scope `edge:write`. */
    return(input: ReturnEdgeMessagesInput, options?: CallOptions): Promise<ReturnEdgeMessagesOutput>;
  };
  embeddings: {
    /** Return vectors of texts. Needs the scope `gateway:write`. */
    create(input: CreateEmbeddingInput, options?: CallOptions): Promise<Embeddings>;
  };
  eventKinds: {
    /** List the kinds of events. Needs the scope `webhooks:read`. */
    list(input?: Record<string, never>, options?: CallOptions): Pages<EventKind>;
  };
  events: {
    /** List events, newest first. Needs the scope `webhooks:read`. */
    list(input?: ListEventsInput, options?: CallOptions): Pages<Event>;
    /** Get an event. Needs the scope `webhooks:read`. */
    get(input: GetEventInput, options?: CallOptions): Promise<Event>;
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
  functionInvocations: {
    /** Call a function without waiting. Needs the scope `functions:write`. */
    create(input: CreateFunctionInvocationInput, options?: CallOptions): Promise<FunctionInvocation>;
    /** List the invocations of a function. Needs the scope `functions:read`. */
    list(input: ListFunctionInvocationsInput, options?: CallOptions): Pages<FunctionInvocationSummary>;
    /** Get an invocation, with its result and logs. Needs the scope `functions:read`. */
    get(input: GetFunctionInvocationInput, options?: CallOptions): Promise<FunctionInvocation>;
  };
  functionVersions: {
    /** List the versions of a function. Needs the scope `functions:read`. */
    list(input: ListFunctionVersionsInput, options?: CallOptions): Pages<FunctionVersion>;
    /** Get a version of a function, with its code. Needs the scope `functions:read`. */
    get(input: GetFunctionVersionInput, options?: CallOptions): Promise<FunctionVersionWithCode>;
    /** Roll back a function to an earlier version. Needs the scope `functions:write`. */
    restore(input: RestoreFunctionVersionInput, options?: CallOptions): Promise<Function>;
  };
  functions: {
    /** Create a function. Needs the scope `functions:write`. */
    create(input: CreateFunctionInput, options?: CallOptions): Promise<Function>;
    /** List functions. Needs the scope `functions:read`. */
    list(input?: ListFunctionsInput, options?: CallOptions): Pages<Function>;
    /** Get a function. Needs the scope `functions:read`. */
    get(input: GetFunctionInput, options?: CallOptions): Promise<Function>;
    /** Update the settings of a function. Needs the scope `functions:write`. */
    update(input: UpdateFunctionInput, options?: CallOptions): Promise<Function>;
    /** Delete a function with its versions. Needs the scope `functions:write`. */
    delete(input: DeleteFunctionInput, options?: CallOptions): Promise<void>;
    /** Call a function and wait for its result. Needs the scope `functions:write`. */
    invoke(input: InvokeFunctionInput, options?: CallOptions): Promise<FunctionInvocation>;
    /** Deploy code as the next version of a function. Needs the scope `functions:write`. */
    deploy(input: DeployFunctionInput, options?: CallOptions): Promise<Function>;
  };
  gpuPools: {
    /** List GPU pools with what is free. Needs the scope `pods:read`. */
    list(input?: Record<string, never>, options?: CallOptions): Pages<GpuPool>;
    /** Get a GPU pool with its nodes. Needs the scope `pods:read`. */
    nodes(input: GetGpuPoolInput, options?: CallOptions): Promise<GpuPoolPicture>;
  };
  impressions: {
    /** Report impressions. */
    report(input: ReportImpressionsInput, options?: CallOptions): Promise<void>;
  };
  inferenceCompletions: {
    /** Answer a conversation with the model of an inference endpoint. Needs the scope `gateway:write`. */
    create(input: CreateInferenceCompletionInput, options?: CallOptions): Promise<ChatCompletion>;
  };
  inferenceModels: {
    /** List the model of an inference endpoint. Needs the scope `gateway:read`. */
    list(input: ListInferenceModelsInput, options?: CallOptions): Promise<ListInferenceModelsOutput>;
  };
  instances: {
    /** List instances. Needs the scope `gpuc:read`. */
    list(input?: ListInstancesInput, options?: CallOptions): Pages<Resource>;
    /** Start an instance. Needs the scope `gpuc:write`. */
    start(input: StartInstanceInput, options?: CallOptions): Promise<Resource>;
    /** Stop an instance. Needs the scope `gpuc:write`. */
    stop(input: StopInstanceInput, options?: CallOptions): Promise<Resource>;
    /** Delete an instance. Needs the scope `gpuc:write`. */
    delete(input: DeleteInstanceInput, options?: CallOptions): Promise<Resource | undefined>;
  };
  invoices: {
    /** List invoices. Needs the scope `billing:read`. */
    list(input?: ListInvoicesInput, options?: CallOptions): Pages<Invoice>;
    /** Preview the invoice of the current month. Needs the scope `billing:read`. */
    upcoming(input?: GetUpcomingInvoiceInput, options?: CallOptions): Promise<UpcomingInvoice>;
    /** The same as CSV. */
    get(input: GetInvoiceInput & { format: "csv" }, options?: CallOptions): Promise<string>;
    /** Get an invoice with its lines. Needs the scope `billing:read`. */
    get(input: GetInvoiceInput, options?: CallOptions): Promise<InvoiceWithLines>;
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
  metrics: {
    /** Get what ran in the last hours, and what there is now. Needs the scope `usage:read`. */
    summary(input?: GetMetricsSummaryInput, options?: CallOptions): Promise<MetricsSummary>;
  };
  networkChannels: {
    /** List channels of other publishers where campaigns appeared. Needs the scope `ads:read`. */
    list(input?: ListNetworkChannelsInput, options?: CallOptions): Promise<ListNetworkChannelsOutput>;
  };
  nodeEvents: {
    /** Report a health event of a node. Needs the scope `gpuc:write`. */
    report(input: ReportNodeEventInput, options?: CallOptions): Promise<NodeEvent>;
    /** List health events of nodes. Needs the scope `gpuc:read`. */
    list(input?: ListNodeEventsInput, options?: CallOptions): Pages<NodeEvent>;
  };
  objects: {
    /** List objects by prefix. Needs the scope `storage:read`. */
    list(input: ListObjectsInput, options?: CallOptions): Pages<StoredObject>;
    /** Delete up to 1,000 objects. Needs the scope `storage:write`. */
    deleteMany(input: DeleteObjectsInput, options?: CallOptions): Promise<DeleteObjectsOutput>;
    /** Get the metadata of an object. Needs the scope `storage:read`. */
    get(input: GetObjectInput, options?: CallOptions): Promise<ObjectMetadata>;
    /** Delete an object. Needs the scope `storage:write`. */
    delete(input: DeleteObjectInput, options?: CallOptions): Promise<void>;
    /** Restore an archived object. Needs the scope `storage:write`. */
    restore(input: RestoreObjectInput, options?: CallOptions): Promise<ObjectMetadata>;
    /** Create a URL to upload or download an object without credentials. Needs the scope `storage:read`. */
    presign(input: PresignObjectInput, options?: CallOptions): Promise<PresignObjectOutput>;
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
  podCheckpoints: {
    /** List the checkpoints of a pod. Needs the scope `pods:read`. */
    list(input: ListPodCheckpointsInput, options?: CallOptions): Pages<PodCheckpoint>;
    /** Get a checkpoint of a pod. Needs the scope `pods:read`. */
    get(input: GetPodCheckpointInput, options?: CallOptions): Promise<PodCheckpoint>;
    /** Delete a checkpoint of a pod. Needs the scope `pods:write`. */
    delete(input: DeletePodCheckpointInput, options?: CallOptions): Promise<void>;
  };
  podEvents: {
    /** List what happened to a pod. Needs the scope `pods:read`. */
    list(input: ListPodEventsInput, options?: CallOptions): Pages<PodEvent>;
  };
  pods: {
    /** Create a pod, which runs a container image. Needs the scope `pods:write`. */
    create(input: CreatePodInput, options?: CallOptions): Promise<Pod>;
    /** List pods. Needs the scope `pods:read`. */
    list(input?: ListPodsInput, options?: CallOptions): Pages<Pod>;
    /** Estimate whether a pod fits now, what it costs, and how long it waits. Needs the scope `pods:read`. */
    estimate(input?: EstimatePodInput, options?: CallOptions): Promise<PodEstimate>;
    /** Get a pod. Needs the scope `pods:read`. */
    get(input: GetPodInput, options?: CallOptions): Promise<Pod>;
    /** Delete a pod. Needs the scope `pods:write`. */
    delete(input: DeletePodInput, options?: CallOptions): Promise<void>;
    /** Explain why a pod waits, for how long, and what would fit now. Needs the scope `pods:read`. */
    explain(input: ExplainPodInput, options?: CallOptions): Promise<PodExplanation>;
    /** Stop a pod. Needs the scope `pods:write`. */
    stop(input: StopPodInput, options?: CallOptions): Promise<Pod>;
    /** Start a pod again. Needs the scope `pods:write`. */
    start(input: StartPodInput, options?: CallOptions): Promise<Pod>;
    /** Save the files of a pod to object storage. Needs the scope `pods:write`. */
    checkpoint(input: CheckpointPodInput, options?: CallOptions): Promise<PodCheckpoint>;
    /** Get the output of a pod. Needs the scope `pods:read`. */
    logs(input: GetPodLogsInput, options?: CallOptions): Promise<GetPodLogsOutput>;
    /** Run a program in a pod. Needs the scope `pods:write`. */
    exec(input: ExecPodInput, options?: CallOptions): Promise<ExecPodOutput>;
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
    /** Restore an archived product. Needs the scope `ads:write`. */
    restore(input: RestoreProductInput, options?: CallOptions): Promise<Product>;
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
    /** Restore an archived project. Needs the scope `projects:write`. */
    restore(input: RestoreProjectInput, options?: CallOptions): Promise<RestoreProjectOutput>;
  };
  queueHistories: {
    /** Get the depth of a queue and its messages over time. Needs the scope `queues:read`. */
    get(input: GetQueueHistoryInput, options?: CallOptions): Promise<GetQueueHistoryOutput>;
  };
  queues: {
    /** Create a queue. Needs the scope `queues:write`. */
    create(input: CreateQueueInput, options?: CallOptions): Promise<Queue>;
    /** List queues. Needs the scope `queues:read`. */
    list(input?: ListQueuesInput, options?: CallOptions): Pages<Queue>;
    /** Get a queue with its depth, in-flight messages and the age of the oldest message. Needs the scope `queues:read`. */
    get(input: GetQueueInput, options?: CallOptions): Promise<QueueWithFigures>;
    /** Update a queue. Needs the scope `queues:write`. */
    update(input: UpdateQueueInput, options?: CallOptions): Promise<Queue>;
    /** Delete a queue with its messages. Needs the scope `queues:write`. */
    delete(input: DeleteQueueInput, options?: CallOptions): Promise<void>;
    /** Send a message, or a batch of up to 100. Needs the scope `queues:write`. */
    send(input: SendMessagesInput, options?: CallOptions): Promise<SendMessagesOutput>;
    /** Receive messages, and wait for them if there are none. Needs the scope `queues:write`. */
    receive(input: ReceiveMessagesInput, options?: CallOptions): Promise<ReceiveMessagesOutput>;
    /** Acknowledge messages, which deletes them. Needs the scope `queues:write`. */
    acknowledge(input: AcknowledgeMessagesInput, options?: CallOptions): Promise<AcknowledgeMessagesOutput>;
    /** Extend the visibility timeout of received messages. Needs the scope `queues:write`. */
    extend(input: ExtendMessagesInput, options?: CallOptions): Promise<ExtendMessagesOutput>;
    /** Return messages that were not handled, so that they are delivered again. Needs the scope `queues:write`. */
    return(input: ReturnMessagesInput, options?: CallOptions): Promise<ReturnMessagesOutput>;
    /** Look at the oldest messages of a queue without receiving them. Needs the scope `queues:read`. */
    peek(input: PeekMessagesInput, options?: CallOptions): Promise<PeekMessagesOutput>;
    /** Move messages of a dead-letter queue back to the queue that they came from. Needs the scope `queues:write`. */
    redrive(input: RedriveMessagesInput, options?: CallOptions): Promise<RedriveMessagesOutput>;
    /** Delete all messages of a queue. Needs the scope `queues:write`. */
    purge(input: PurgeQueueInput, options?: CallOptions): Promise<PurgeQueueOutput>;
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
  reservations: {
    /** Reserve GPUs for a month or a year. Needs the scope `pods:write`. */
    create(input: CreateReservationInput, options?: CallOptions): Promise<Reservation>;
    /** List reservations. Needs the scope `pods:read`. */
    list(input?: ListReservationsInput, options?: CallOptions): Pages<Reservation>;
    /** Get the GPUs that can be reserved over time, and the price. Needs the scope `pods:read`. */
    calendar(input: GetReservationCalendarInput, options?: CallOptions): Promise<ReservationCalendar>;
    /** Get a reservation. Needs the scope `pods:read`. */
    get(input: GetReservationInput, options?: CallOptions): Promise<Reservation>;
    /** Cancel a reservation, free of charge. Needs the scope `pods:write`. */
    cancel(input: CancelReservationInput, options?: CallOptions): Promise<Reservation>;
  };
  resources: {
    /** Create a resource of a service. Needs the scope `gpuc:write`. */
    create(input: CreateResourceInput, options?: CallOptions): Promise<Resource>;
    /** List resources. Needs the scope `gpuc:read`. */
    list(input?: ListResourcesInput, options?: CallOptions): Pages<Resource>;
    /** List kinds of resources. Needs the scope `gpuc:read`. */
    kinds(input?: ListResourceKindsInput, options?: CallOptions): Promise<ListResourceKindsOutput>;
    /** Get a resource. Needs the scope `gpuc:read`. */
    get(input: GetResourceInput, options?: CallOptions): Promise<Resource>;
    /** Replace the spec of a resource. Needs the scope `gpuc:write`. */
    update(input: UpdateResourceInput, options?: CallOptions): Promise<Resource>;
    /** Delete a resource. Needs the scope `gpuc:write`. */
    delete(input: DeleteResourceInput, options?: CallOptions): Promise<Resource | undefined>;
    /** Get the usage of resources. Needs the scope `gpuc:read`. */
    usage(input?: GetResourceUsageInput, options?: CallOptions): Promise<ResourceUsage>;
  };
  sandboxFiles: {
    /** Read a file in a sandbox. Needs the scope `sandboxes:read`. */
    read(input: ReadSandboxFileInput, options?: CallOptions): Promise<ReadSandboxFileOutput>;
    /** Write a file in a sandbox. Needs the scope `sandboxes:write`. */
    write(input: WriteSandboxFileInput, options?: CallOptions): Promise<WriteSandboxFileOutput>;
    /** List the files in a folder of a sandbox. Needs the scope `sandboxes:read`. */
    list(input: ListSandboxFilesInput, options?: CallOptions): Promise<ListSandboxFilesOutput>;
  };
  sandboxes: {
    /** Create a sandbox, and run a command in it. Needs the scope `sandboxes:write`. */
    create(input: CreateSandboxInput, options?: CallOptions): Promise<Sandbox>;
    /** List sandboxes. Needs the scope `sandboxes:read`. */
    list(input?: ListSandboxesInput, options?: CallOptions): Pages<Sandbox>;
    /** Get a sandbox. Needs the scope `sandboxes:read`. */
    get(input: GetSandboxInput, options?: CallOptions): Promise<Sandbox>;
    /** End and delete a sandbox. Needs the scope `sandboxes:write`. */
    delete(input: DeleteSandboxInput, options?: CallOptions): Promise<void>;
    /** Run a program in a sandbox. Needs the scope `sandboxes:write`. */
    exec(input: ExecSandboxInput, options?: CallOptions): Promise<ExecSandboxOutput>;
  };
  secrets: {
    /** Store a secret under a new name. Needs the scope `secrets:write`. */
    create(input: CreateSecretInput, options?: CallOptions): Promise<Secret>;
    /** List secrets, without their values. Needs the scope `secrets:read`. */
    list(input?: ListSecretsInput, options?: CallOptions): Pages<Secret>;
    /** Store a secret, or a new version of it. Needs the scope `secrets:write`. */
    put(input: PutSecretInput, options?: CallOptions): Promise<Secret>;
    /** Get a secret and its versions, without values. Needs the scope `secrets:read`. */
    get(input: GetSecretInput, options?: CallOptions): Promise<SecretWithVersions>;
    /** Read the value of a secret. Needs the scope `secrets:reveal`. */
    reveal(input: RevealSecretInput, options?: CallOptions): Promise<SecretValue>;
    /** Delete a secret with all its versions. Needs the scope `secrets:write`. */
    delete(input: DeleteSecretInput, options?: CallOptions): Promise<void>;
  };
  shield: {
    /** Scan a bucket. Needs the scope `shield:write`. */
    scan(input: CreateShieldScanInput, options?: CallOptions): Promise<ShieldScan>;
    /** List scans of buckets. Needs the scope `shield:read`. */
    scans(input?: ListShieldScansInput, options?: CallOptions): Pages<ShieldScan>;
    /** Get a scan of a bucket. Needs the scope `shield:read`. */
    get(input: GetShieldScanInput, options?: CallOptions): Promise<ShieldScan>;
    /** Cancel a scan of a bucket. Needs the scope `shield:write`. */
    cancel(input: CancelShieldScanInput, options?: CallOptions): Promise<ShieldScan>;
    /** List findings of scans. Needs the scope `shield:read`. */
    findings(input?: ListShieldFindingsInput, options?: CallOptions): Pages<ShieldFinding>;
  };
  signals: {
    /** Report signals. */
    report(input: ReportSignalsInput, options?: CallOptions): Promise<void>;
  };
  skus: {
    /** List SKUs with their prices. Needs the scope `gpuc:read`. */
    list(input?: ListSkusInput, options?: CallOptions): Promise<ListSkusOutput>;
  };
  spendStatements: {
    /** Get the spend of a month by campaign. Needs the scope `ads:read`. */
    get(input: GetSpendStatementInput, options?: CallOptions): Promise<SpendStatement>;
  };
  statements: {
    /** List months with earnings or spend. Needs the scope `ads:read`. */
    list(input?: ListStatementsInput, options?: CallOptions): Pages<StatementMonth>;
  };
  storageCredentials: {
    /** Create S3 credentials of an API key. Needs the scope `storage:read`. */
    create(input?: CreateStorageCredentialsInput, options?: CallOptions): Promise<CreateStorageCredentialsOutput>;
  };
  telemetryRecords: {
    /** List records of a telemetry store. Needs the scope `gpuc:read`. */
    list(input: ListTelemetryRecordsInput, options?: CallOptions): Promise<ListTelemetryRecordsOutput>;
  };
  tenants: {
    /** Get the calling tenant. */
    get(input?: Record<string, never>, options?: CallOptions): Promise<GetTenantOutput>;
  };
  toolCalls: {
    /** Get the last calls of tools by agents. Needs the scope `usage:read`. */
    get(input?: GetToolCallsInput, options?: CallOptions): Promise<ToolCalls>;
  };
  usage: {
    /** Get usage and what it costs. Needs the scope `billing:read`. */
    get(input?: GetUsageInput, options?: CallOptions): Promise<UsageReport>;
  };
  users: {
    /** Delete everything stored about a user. Needs the scope `ads:write`. */
    erase(input: EraseUserInput, options?: CallOptions): Promise<void>;
  };
  volumeSnapshots: {
    /** Save the files of a shared volume to object storage. Needs the scope `gpuc:write`. */
    create(input: CreateVolumeSnapshotInput, options?: CallOptions): Promise<VolumeSnapshot>;
    /** List the snapshots of a shared volume. Needs the scope `gpuc:read`. */
    list(input: ListVolumeSnapshotsInput, options?: CallOptions): Pages<VolumeSnapshot>;
    /** Delete a snapshot of a shared volume. Needs the scope `gpuc:write`. */
    delete(input: DeleteVolumeSnapshotInput, options?: CallOptions): Promise<void>;
  };
  webhookDeliveries: {
    /** List the deliveries of a webhook. Needs the scope `webhooks:read`. */
    list(input: ListWebhookDeliveriesInput, options?: CallOptions): Pages<WebhookDelivery>;
    /** Get a delivery with its event and attempts. Needs the scope `webhooks:read`. */
    get(input: GetWebhookDeliveryInput, options?: CallOptions): Promise<WebhookDeliveryWithAttempts>;
    /** Send the event of a delivery again. Needs the scope `webhooks:write`. */
    replay(input: ReplayWebhookDeliveryInput, options?: CallOptions): Promise<WebhookDeliveryWithAttempts>;
    /** Send the events of a time range again. Needs the scope `webhooks:write`. */
    replayRange(input: ReplayWebhookDeliveriesInput, options?: CallOptions): Promise<ReplayWebhookDeliveriesOutput>;
  };
  webhooks: {
    /** Create a webhook; its secret is shown once. Needs the scope `webhooks:write`. */
    create(input: CreateWebhookInput, options?: CallOptions): Promise<WebhookWithSecret>;
    /** List webhooks. Needs the scope `webhooks:read`. */
    list(input?: ListWebhooksInput, options?: CallOptions): Pages<Webhook>;
    /** Get a webhook. Needs the scope `webhooks:read`. */
    get(input: GetWebhookInput, options?: CallOptions): Promise<Webhook>;
    /** Update, enable or disable a webhook. Needs the scope `webhooks:write`. */
    update(input: UpdateWebhookInput, options?: CallOptions): Promise<Webhook>;
    /** Delete a webhook. Needs the scope `webhooks:write`. */
    delete(input: DeleteWebhookInput, options?: CallOptions): Promise<void>;
    /** Replace the secret of a webhook; the new one is shown once. Needs the scope `webhooks:write`. */
    rotateSecret(input: RotateWebhookSecretInput, options?: CallOptions): Promise<WebhookWithSecret>;
    /** Send a test event to a webhook and return the result. Needs the scope `webhooks:write`. */
    test(input: TestWebhookInput, options?: CallOptions): Promise<WebhookDeliveryWithAttempts>;
  };
  workspaceFiles: {
    /** Read a file in a workspace. Needs the scope `workspaces:read`. */
    read(input: ReadWorkspaceFileInput, options?: CallOptions): Promise<ReadWorkspaceFileOutput>;
    /** Write a file in a workspace. Needs the scope `workspaces:write`. */
    write(input: WriteWorkspaceFileInput, options?: CallOptions): Promise<WriteWorkspaceFileOutput>;
    /** Delete a file or folder in a workspace. Needs the scope `workspaces:write`. */
    delete(input: DeleteWorkspaceFileInput, options?: CallOptions): Promise<void>;
    /** Move or rename a file or folder in a workspace. Needs the scope `workspaces:write`. */
    move(input: MoveWorkspaceFileInput, options?: CallOptions): Promise<MoveWorkspaceFileOutput>;
    /** List the files in a folder of a workspace. Needs the scope `workspaces:read`. */
    list(input: ListWorkspaceFilesInput, options?: CallOptions): Promise<ListWorkspaceFilesOutput>;
  };
  workspaceFolders: {
    /** Make a folder in a workspace. Needs the scope `workspaces:write`. */
    create(input: CreateWorkspaceFolderInput, options?: CallOptions): Promise<CreateWorkspaceFolderOutput>;
  };
  workspaces: {
    /** Create a workspace. Needs the scope `workspaces:write`. */
    create(input: CreateWorkspaceInput, options?: CallOptions): Promise<Workspace>;
    /** List workspaces. Needs the scope `workspaces:read`. */
    list(input?: ListWorkspacesInput, options?: CallOptions): Pages<Workspace>;
    /** Get a workspace. Needs the scope `workspaces:read`. */
    get(input: GetWorkspaceInput, options?: CallOptions): Promise<Workspace>;
    /** Delete a workspace. Needs the scope `workspaces:write`. */
    delete(input: DeleteWorkspaceInput, options?: CallOptions): Promise<void>;
    /** Start a workspace. Needs the scope `workspaces:write`. */
    start(input: StartWorkspaceInput, options?: CallOptions): Promise<Workspace>;
    /** Stop a workspace. Needs the scope `workspaces:write`. */
    stop(input: StopWorkspaceInput, options?: CallOptions): Promise<Workspace>;
    /** Run a program in a workspace. Needs the scope `workspaces:write`. */
    exec(input: ExecWorkspaceInput, options?: CallOptions): Promise<ExecWorkspaceOutput>;
  };
}
