import type { SettingGroup } from "./setting";

/** Settings of accounts, of the offers product, of chat and of payments. */
export const PRODUCT_SETTINGS: readonly SettingGroup[] = [
  {
    id: "accounts",
    title: "Accounts and the demo",
    settings: [
      {
        names: ["SVC_SIGNUP"],
        byDefault: "`open` while `PUBLIC_URL` is a loopback address, else `invite`",
        meaning: "`open` or `invite`, until an operator sets it with `npm run svc -- admin sign-up`.",
      },
      {
        names: ["SVC_DEMO"],
        byDefault: "on for an empty embedded database, with 30 days of simulated traffic",
        meaning:
          "`on` (without that traffic) or `off`. Deleting `demo.json` in the data directory makes a new password and new keys at the next start.",
      },
    ],
  },
  {
    id: "offers",
    title: "Offers",
    settings: [
      {
        names: ["SVC_CURRENCY", "SVC_PUBLISHER_SHARE"],
        byDefault: "`USD`, 0.7",
        meaning: "The billing currency of the installation, and the publisher's share of a charge.",
      },
      {
        names: ["SVC_RESERVE_CPC_MICROS", "SVC_RESERVE_CPM_MICROS"],
        byDefault: "50000, 500000",
        meaning:
          "The minimum charge for a click and for a thousand impressions, which is also what a bidder without a competitor pays. Never more than the bid.",
      },
      {
        names: ["SVC_CATALOG_MIB"],
        byDefault: "40 % of Node's heap limit",
        meaning: "Memory of the item index. Beyond it the items of the largest accounts are left out first.",
      },
      {
        names: ["SVC_ITEMS_MAX"],
        byDefault: "that memory / 4 KiB",
        meaning: "Products and creatives of all accounts together.",
      },
      {
        names: ["EMBEDDINGS_URL", "EMBEDDINGS_MODEL"],
        byDefault: "off",
        meaning:
          "The base URL of an OpenAI-compatible API with `/embeddings`, such as `http://localhost:11434/v1`, and the name of its model. Both or neither.",
      },
      {
        names: ["EMBEDDINGS_API_KEY"],
        byDefault: "none",
        meaning: "Sent as a bearer token to that server only, and never logged.",
      },
      {
        names: ["EMBEDDINGS_COSINE_MIN"],
        byDefault: "0.6",
        meaning: "Items with a lower cosine count as unrelated, 0 to 1.",
      },
      {
        names: ["SVC_DATA_CENTER_RANGES"],
        byDefault: "none",
        meaning:
          "A file of addresses and networks, one per line, `#` comments: impressions and clicks from there do not count. It is read again when it changes.",
      },
      {
        names: ["SVC_TCF_VENDOR_ID"],
        byDefault: "none",
        meaning:
          "This installation's id in IAB's Global Vendor List, which TCF strings and the European sections of GPP strings must have disclosed and allow. Strings made from 1 March 2026 on that disclose no vendors (before TCF 2.3) allow nothing.",
      },
      {
        names: ["SVC_RETENTION_RAW_DAYS", "SVC_RETENTION_ROLLUP_DAYS"],
        byDefault: "400, 1825",
        meaning: "How long ClickHouse keeps events and rollups.",
      },
    ],
  },
  {
    id: "chat",
    title: "Chat and payments",
    settings: [
      {
        names: ["CHAT_UPSTREAMS"],
        byDefault: "none",
        meaning:
          "A JSON file with the upstreams of chat models for all tenants. It is read at the start, and the keys are in the environment variables that it names.",
      },
      {
        names: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
        byDefault: "off: invoices stay open",
        meaning:
          "A secret key of Stripe, and the signing secret of a webhook endpoint there with the URL `PUBLIC_URL` + `/v1/billing/stripe-webhook`. Both or neither.",
      },
    ],
  },
  {
    id: "internal",
    title: "Set by svc itself",
    settings: [
      { names: ["SVC_DEV"], byDefault: "off", meaning: "`on` in `npm run dev`: pages are compiled on request." },
      {
        names: ["SVC_WEB_PROCESS"],
        byDefault: "none",
        meaning: "Marks the processes that a supervising process has started. Do not set it.",
      },
    ],
  },
];
