import type { Metadata } from "next";
import { Call } from "../call";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";

export const metadata: Metadata = { title: "For advertisers" };

const NETWORK_BLOCKS = [
  ["email_unverified", "No owner of the account has verified their email address."],
  ["advertiser_not_approved", "The brand is not approved: verify its domain, then request a review."],
  ["no_balance", "The prepaid balance is lower than one event at the bid. Test campaigns need no balance."],
] as const;

export default function AdvertisersPage() {
  return (
    <DocsPage title="For advertisers" lead="Show your products where people look for them, and measure what they buy.">
      <BrandSection />
      <CampaignSection />
      <ItemsSection />
      <ReachSection />
      <OrdersSection />
      <DocsSection id="more" title="Next steps">
        <p>
          <DocsLink href="/offers/reports">Reports</DocsLink> show impressions, clicks, orders and spend by campaign,
          country and day. <DocsLink href="/offers/explain">Explain</DocsLink> shows, for any query, why your offer won
          or lost: on a channel of yours or on those of other publishers. All fields are in the{" "}
          <DocsLink href="/docs/reference/platform">reference of the platform API</DocsLink>.
        </p>
      </DocsSection>
    </DocsPage>
  );
}

const BrandSection = () => (
  <DocsSection id="brand" title="1. Create a brand">
    <p>
      An advertiser is the brand that offers name. Create it in the{" "}
      <DocsLink href="/offers/advertisers">dashboard</DocsLink>, or with a platform key that has the scopes{" "}
      <Code>ads:read</Code> and <Code>ads:write</Code>. Use a test key for this page: what it creates costs nothing.
    </p>
    <KeyField kind="platform" />
    <Call
      title="Create an advertiser"
      call="POST /v1/ads/advertisers"
      isIdempotent
      body={{ name: "Fjell", domain: "fjell.example" }}
      saveAs={["id", "advertiser_id"]}
    />
  </DocsSection>
);

const CampaignSection = () => (
  <DocsSection id="campaign" title="2. Create a campaign">
    <p>
      A campaign has a bid, budgets, and rules for where and when it serves. With <Code>cpc</Code> you pay per valid
      click, with <Code>cpm</Code> per 1,000 visible impressions. Amounts are in micros: 1,000,000 is one unit of the
      currency. The bid is the most that one event costs, and budgets are never exceeded.
    </p>
    <Call
      title="Create a campaign"
      call="POST /v1/ads/campaigns"
      isIdempotent
      body={{
        advertiser_id: "<advertiser_id>",
        name: "Trail shoes",
        model: "cpc",
        bid_micros: 400_000,
        daily_budget_micros: 20_000_000,
        keywords: [{ text: "trail running shoes", match: "phrase" }],
      }}
      saveAs={["id", "campaign_id"]}
    />
    <p>
      Keywords are optional: offers are found by the text of creatives and products as well. A negative keyword keeps a
      campaign out of the requests that contain it. An empty list of countries, languages or devices means all of them.
    </p>
  </DocsSection>
);

const ItemsSection = () => (
  <DocsSection id="items" title="3. Add what it shows">
    <p>
      Add creatives one by one, or import a <DocsLink href="/docs/feeds">product feed</DocsLink>. A campaign without
      either serves nothing.
    </p>
    <Call
      title="Add a creative"
      call="POST /v1/ads/campaigns/<campaign_id>/creatives"
      isIdempotent
      body={{
        title: "Trail runner 3",
        content: "Grips on wet rock, dries in an hour.",
        cta: "See the shoe",
        landing_url: "https://fjell.example/trail-runner-3",
      }}
    />
  </DocsSection>
);

const ReachSection = () => (
  <DocsSection id="reach" title="4. Choose where it serves">
    <p>
      With the reach <Code>tenant</Code>, the default, a campaign serves on the channels of your own account. With{" "}
      <Code>network</Code> it also serves on channels of other publishers. <Code>network.blocked_by</Code> of the
      campaign lists what is still missing for that:
    </p>
    <Definitions label="Reasons why a campaign does not serve on other channels" rows={NETWORK_BLOCKS} />
    <Call title="Get the campaign" call="GET /v1/ads/campaigns/<campaign_id>" />
  </DocsSection>
);

const OrdersSection = () => (
  <DocsSection id="orders" title="5. Measure orders">
    <p>
      Each click adds <Code>svc_click_id</Code> to the landing page&apos;s URL. Keep it with the order and report it, or
      put the <DocsLink href="/offers/conversions">pixel</DocsLink> on the page after checkout. An order counts once,
      for the last click in the campaign&apos;s window, or else for the last visible impression.
    </p>
    <Call
      title="Report an order"
      call="POST /api/v1/conversions"
      body={{ order_id: "1001", advertiser_id: "<advertiser_id>", value_micros: 89_000_000 }}
    />
  </DocsSection>
);
