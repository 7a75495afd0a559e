import type { Metadata } from "next";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";

export const metadata: Metadata = { title: "Ranking and prices" };

export default function PricingPage() {
  return (
    <DocsPage title="Ranking and prices" lead="How an offer is chosen, what it costs, and who earns it.">
      <Relevance />
      <Eligibility />
      <Ranking />
      <Caps />
      <Prices />
      <Counting />
      <Earnings />
      <DocsSection id="explain" title="Why an offer won or lost">
        <p>
          <Code>POST /v1/ads/explain</Code> and the dashboard&apos;s <DocsLink href="/offers/explain">Explain</DocsLink>{" "}
          page run the same decision with its reasons: how each word was understood, the probability, the threshold,
          what each feature adds to the log-odds, and the outcome of every item. Nothing is served or counted.
        </p>
      </DocsSection>
    </DocsPage>
  );
}

const Relevance = () => (
  <DocsSection id="relevance" title="1. Which items fit the request">
    <p>
      The query says what is wanted. Page context and signals adjust the ranking, and decide alone if there is no query.
      In a sentence, svc first finds the part that names a product. Words are weighed by how rare they are among the
      items that may serve (BM25F over title, brand, category, description and attributes); misspelt, joined and split
      words are corrected with the words of titles; measures are normalized (<Code>20v</Code>, <Code>20 volts</Code>,{" "}
      <Code>1/2&quot;</Code>).
    </p>
    <p>
      A calibrated model gives the probability that an item fits. Below the threshold of the channel&apos;s{" "}
      <DocsLink href="/docs/publishers#channel">strictness</DocsLink> nothing is offered. Items that lack the noun of
      the request rank below all that have it, and are left out on strict channels. A campaign whose keywords match is
      always eligible. With <DocsLink href="/docs/production#embeddings">embeddings</DocsLink>, items whose vectors are
      close to that of the query are found without a word in common.
    </p>
  </DocsSection>
);

const Eligibility = () => (
  <DocsSection id="eligibility" title="2. Which campaigns may serve">
    <p>
      Campaigns are filtered by channel, mode, schedule, targeting, keywords, blocked categories and advertisers, budget
      and pacing. A campaign with <Code>{'reach: "network"'}</Code> serves on channels of other tenants only{" "}
      <DocsLink href="/docs/security#network">under further conditions</DocsLink>: a verified email address, an approved
      advertiser, a prepaid balance, and the publisher&apos;s choice (<Code>network</Code> of a channel:{" "}
      <Code>all</Code>, <Code>approved</Code> or <Code>own</Code>).
    </p>
  </DocsSection>
);

const Ranking = () => (
  <DocsSection id="ranking" title="3. Which campaign is first">
    <p>
      The remaining campaigns are ranked by expected value: relevance × predicted click rate × affinity × bid. One offer
      per advertiser and product is shown, unless nothing else fits: variants with one <Code>item_group_id</Code> in a
      campaign, and articles with one GTIN, are one product. A dated sale changes the price of a product at its time,
      without another import.
    </p>
    <Definitions
      label="Parts of the expected value"
      rows={[
        ["click rate", "From the last 30 days, with exploration for creatives that are new."],
        [
          "affinity",
          "0.5 to 2: how much more often visitors click this item for the words of the query than its click rate says, corrected for position, per channel and overall. Invalid and reversed events never count.",
        ],
        ["bid", "What the campaign pays at most."],
      ]}
    />
  </DocsSection>
);

const Caps = () => (
  <DocsSection id="caps" title="4. Frequency caps">
    <p>
      Caps are taken for all candidates in one step. A visitor who may not be remembered (<Code>Sec-GPC</Code>, TCF,
      GPP) gets no offers of capped campaigns. Counts survive restarts and a lost Redis: they are rebuilt from
      PostgreSQL, and until then capped campaigns pause while others serve.
    </p>
  </DocsSection>
);

const Prices = () => (
  <DocsSection id="prices" title="5. What the winner pays">
    <p>
      The winner pays the lowest bid that would have kept its place, but at least the{" "}
      <DocsLink href="/docs/configuration#offers">reserve price</DocsLink>: per counted click, or per thousand counted
      impressions. Without a competitor it pays the reserve price.
    </p>
    <p>
      Budgets are debited in the transaction that counts the event, in a ledger that is unique by offer and event, so
      they are never overspent. Even pacing spreads a day&apos;s budget over the traffic of the last seven days.
    </p>
  </DocsSection>
);

const Counting = () => (
  <DocsSection id="counting" title="6. What counts">
    <p>
      An event counts once, and only a person&apos;s: bots, data centers, repeats, clicks within half a second and
      floods from one address are recorded with their reason, shown in reports and never billed. People are always
      redirected. A browser that prefetches or prerenders a click link gets 503 and requests the link again when it is
      followed. For what a publisher&apos;s server reports there are{" "}
      <DocsLink href="/docs/security#traffic">further limits</DocsLink>; its networks are an IPv4 /24 or an IPv6 /48.
    </p>
  </DocsSection>
);

const Earnings = () => (
  <DocsSection id="earnings" title="7. What the publisher earns">
    <p>
      The publisher earns a share of each charge (<Code>SVC_PUBLISHER_SHARE</Code>), which is pending for 30 days and
      then available. An operator can reverse charges and earnings of a channel with <Code>admin claw-back</Code>; the
      advertiser&apos;s budget and balance get them back.{" "}
      <DocsLink href="/docs/statements">Balance and statements</DocsLink> has the amounts by month.
    </p>
    <p>
      An order that only a pixel reported is unverified: it needs a counted click, its value is limited, and a report of
      the advertiser&apos;s server replaces it.
    </p>
  </DocsSection>
);
