import type { Examples } from "./openapi-example";

const ULID = "01jd0z3k5q8v6w2x4y7a9b1c3d";
const CHANNEL_ID = `chn_${ULID}`;
const ADVERTISER_ID = `adv_${ULID}`;
const CAMPAIGN_ID = `cmp_${ULID}`;
const AT = { created_at: "2026-11-20T09:00:00.000Z", updated_at: "2026-11-20T09:00:00.000Z" };
const page = (...data: object[]) => ({ data, next_cursor: null });
const NEXT = { limit: 50 };

const newChannel = { name: "Outdoor magazine", origins: ["https://outdoor.example"], categories: ["Sports>Running"] };
const channel = { id: CHANNEL_ID, mode: "live", ...newChannel, blocked_categories: [], blocked_advertisers: [], ...AT };
const channelKey = {
  ...{ id: `chk_${ULID}`, channel_id: CHANNEL_ID, kind: "server", last_four: "q7vd" },
  ...{ created_at: AT.created_at, revoked_at: null, last_used_at: null },
};
const keyPath = { id: CHANNEL_ID, key_id: channelKey.id };

const newAdvertiser = { name: "Fjell", domain: "fjell.example", icon_url: "https://fjell.example/icon.png" };
const advertiser = { id: ADVERTISER_ID, ...newAdvertiser, ...AT };

const newCampaign = {
  advertiser_id: ADVERTISER_ID,
  name: "Autumn trail shoes",
  model: "cpc",
  bid_micros: 400_000,
  daily_budget_micros: 50_000_000,
  timezone: "Europe/Oslo",
  keywords: [{ text: "trail running shoes", match: "phrase" }],
};
const campaign = {
  ...{ id: CAMPAIGN_ID, mode: "live", currency: "USD", ...newCampaign },
  ...{ total_budget_micros: null, starts_at: null, ends_at: null, pacing: "even", reach: "tenant", status: "active" },
  caps: [{ count: 3, window_seconds: 86_400, per: "campaign" }],
  targeting: { geos: ["NO"], devices: [], locales: [], placements: [], categories: [], channels: [] },
  attribution: { click_days: 30, view_days: 1 },
  ...AT,
};

const newCreative = {
  title: "Trail runner 3",
  content: "Grips on wet rock, dries in an hour.",
  cta: "See the shoe",
  landing_url: "https://fjell.example/trail-runner-3",
  price: { amount: 89, currency: "USD", original_price: 119 },
};
const creative = {
  ...{ id: `crv_${ULID}`, campaign_id: CAMPAIGN_ID, ...newCreative, ...AT },
  ...{ brand: { name: "Fjell" }, product: { title: "Trail runner 3", category: "Shoes>Running" }, rating: null },
};
const creativePath = { id: CAMPAIGN_ID, creative_id: creative.id };

const product = {
  ...{ id: `prd_${ULID}`, campaign_id: CAMPAIGN_ID, external_id: "TR3-42", title: "Trail runner 3, size 42" },
  ...{ description: "Grips on wet rock.", link: "https://fjell.example/tr3-42", image_link: null, brand: "Fjell" },
  ...{ gtin: null, category: "Shoes>Running", availability: "in_stock", details: [{ name: "Weight", value: "270 g" }] },
  ...{ price: { amount: 89, currency: "USD" }, rating: null, ...AT },
};
const productPath = { id: CAMPAIGN_ID, product_id: product.id };
const LINK = "https://fjell.example/tr3-42";
const NDJSON = `{"id":"TR3-42","title":"Trail runner 3, size 42","link":"${LINK}","price":"89.00 USD"}\n`;
const CSV = `id,title,link,price\nTR3-42,"Trail runner 3, size 42",${LINK},89.00 USD\n`;
const RSS = `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>TR3-42</g:id><title>Trail runner 3</title><link>${LINK}</link><g:price>89.00 USD</g:price></item></channel></rss>`;

const conversion = {
  ...{ id: `cnv_${ULID}`, mode: "live", order_id: "1001", attribution: "click", reason: null },
  ...{ campaign_id: CAMPAIGN_ID, channel_id: CHANNEL_ID, touched_at: "2026-11-20T09:41:00.000Z" },
  ...{ value_micros: 49_900_000, currency: "USD", occurred_at: AT.created_at, created_at: AT.created_at },
};

const counts = {
  ...{ requests: 1200, served: 1100, impressions: 800, viewable_rate: 0.727, clicks: 24 },
  ...{ invalid_impressions: 12, invalid_clicks: 1, ctr: 0.03, spend_micros: 9_600_000, earnings_micros: 6_720_000 },
  ...{ conversions: 2, conversion_value_micros: 99_800_000 },
};
const report = {
  ...{ from: "2026-11-20T00:00:00.000Z", to: "2026-11-21T00:00:00.000Z", timezone: "UTC", group_by: ["day"] },
  ...{ currency: "USD", rows: [{ day: "2026-11-20", ...counts }], totals: counts },
};

const explanation = {
  channel_id: CHANNEL_ID,
  reading: {
    ...{ source: "query", intent: "buy", words: [{ word: "trail", weight: 2.1 }] },
    ...{ best_coverage: 0.92, needed_coverage: 0.5 },
  },
  fates: [
    {
      ...{ outcome: "offered", rank: 1, reason: null, explanation: "Offered first.", owner: "own" },
      ...{ campaign_id: CAMPAIGN_ID, campaign_name: campaign.name, creative_id: creative.id, product_id: null },
      ...{ title: creative.title, coverage: 0.92, price_micros: 310_000 },
      value: {
        ...{ relevance: 0.92, click_rate: 0.03, exploration: 1, impressions: 800, clicks: 24 },
        ...{ model: "cpc", bid_micros: 400_000, value_micros: 11_040 },
      },
    },
  ],
  ...{ network_left_out: 0, truncated: false },
};

const pixel = {
  token: "pxl_example",
  pixel_url: "https://svc.example/api/v1/conversions/pixel.gif?token=pxl_example&order_id=ORDER",
  landing_script: "<script>/* keeps svc_click_id */</script>",
  order_script: "<script>/* reports the order */</script>",
};

/** Examples of the operations under `/v1/ads`. */
export const adsExamples: Examples = {
  createChannel: { input: newChannel, output: channel },
  listChannels: { input: NEXT, output: page(channel) },
  getChannel: { input: { id: CHANNEL_ID }, output: channel },
  updateChannel: { input: { id: CHANNEL_ID, name: "Outdoor weekly" }, output: { ...channel, name: "Outdoor weekly" } },
  deleteChannel: { input: { id: CHANNEL_ID } },
  createChannelKey: {
    input: { id: CHANNEL_ID, kind: "server" },
    output: { ...channelKey, key: "svc_srv_…" },
  },
  listChannelKeys: { input: { id: CHANNEL_ID, ...NEXT }, output: page(channelKey) },
  revokeChannelKey: { input: keyPath, output: { ...channelKey, revoked_at: "2026-11-20T10:00:00.000Z" } },
  createAdvertiser: { input: newAdvertiser, output: advertiser },
  listAdvertisers: { input: NEXT, output: page(advertiser) },
  getAdvertiser: { input: { id: ADVERTISER_ID }, output: advertiser },
  updateAdvertiser: { input: { id: ADVERTISER_ID, name: "Fjell AS" }, output: { ...advertiser, name: "Fjell AS" } },
  deleteAdvertiser: { input: { id: ADVERTISER_ID } },
  createCampaign: { input: newCampaign, output: campaign },
  listCampaigns: { input: { ...NEXT, status: "active" }, output: page(campaign) },
  getCampaign: { input: { id: CAMPAIGN_ID }, output: campaign },
  updateCampaign: { input: { id: CAMPAIGN_ID, status: "paused" }, output: { ...campaign, status: "paused" } },
  deleteCampaign: { input: { id: CAMPAIGN_ID } },
  createCreative: { input: { id: CAMPAIGN_ID, ...newCreative }, output: creative },
  listCreatives: { input: { id: CAMPAIGN_ID, ...NEXT }, output: page(creative) },
  getCreative: { input: creativePath, output: creative },
  updateCreative: { input: { ...creativePath, cta: "Buy now" }, output: { ...creative, cta: "Buy now" } },
  deleteCreative: { input: creativePath },
  importProducts: {
    input: { id: CAMPAIGN_ID, mode: "merge" },
    upload: { "application/x-ndjson": NDJSON, "text/csv": CSV, "application/xml": RSS, "application/rss+xml": RSS },
    output: {
      ...{ accepted: 1, rejected: 1 },
      errors: [{ line: 2, code: "missing_field", message: "link: this field is needed." }],
    },
  },
  listProducts: { input: { id: CAMPAIGN_ID, ...NEXT }, output: page(product) },
  getProduct: { input: productPath, output: product },
  deleteProduct: { input: productPath },
  getPixel: { input: { id: ADVERTISER_ID }, output: pixel },
  listConversions: { input: { ...NEXT, attribution: "click" }, output: page(conversion) },
  getReport: {
    input: { from: "2026-11-20", to: "2026-11-21", group_by: "day" },
    output: report,
    csv: "day,requests,served,impressions\r\n2026-11-20,1200,1100,800\r\n",
  },
  explainOffers: { input: { channel_id: CHANNEL_ID, query: "trail running shoes", limit: 3 }, output: explanation },
  eraseUser: { input: { user_id: "reader-4711" } },
};
