import type { Metadata } from "next";
import { Call } from "../call";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";

export const metadata: Metadata = { title: "Balance and statements" };

export default function StatementsPage() {
  return (
    <DocsPage title="Balance and statements" lead="What you earned and spent, by month, from the ledger.">
      <EarningsSection />
      <DocsSection id="spend" title="For advertisers: prepaid balance and spend">
        <p>
          Live campaigns with <Code>{'reach: "network"'}</Code> spend a prepaid balance on channels of other tenants; an
          operator adds credit. Events on your own channels are charged to a campaign&apos;s budgets, but they are not
          paid: statements list them separately as <Code>own_channels</Code>. When an operator reverses charges, the
          balance gets them back.
        </p>
      </DocsSection>
      <StatementsSection />
    </DocsPage>
  );
}

const EarningsSection = () => (
  <DocsSection id="earnings" title="For publishers: earnings">
    <p>
      Your channels earn a share of what campaigns of other tenants pay for counted events. House offers, your own
      campaigns and test mode earn nothing. An earning is pending until 30 full UTC days after the day of its event; an
      operator can claw it back, for example after invalid traffic. <DocsLink href="/offers/balance">Balance</DocsLink>{" "}
      in the dashboard shows what is available, pending and clawed back, by day and by month.
    </p>
  </DocsSection>
);

const StatementsSection = () => (
  <DocsSection id="statements" title="Statements">
    <p>
      A statement lists a month&apos;s amounts by channel or by campaign, with totals that equal the sum of their lines.
      Months and days are in UTC. An event counts on the day on which it happened, and so does its reversal: a reversal
      changes the statement of the event&apos;s month.
    </p>
    <Definitions
      label="States of a statement"
      rows={[
        ["open", "The month is not over."],
        ["pending", "The month is over, and some of its earnings are still pending."],
        ["final", "No earnings of the month are pending. An operator can still reverse events if necessary."],
      ]}
    />
    <p>
      The dashboard saves a statement as CSV: one row per channel or campaign with its name and ID, then the total.
      Amounts are exact, in units of the currency in the last column, with a decimal point and up to nine decimals.
    </p>
    <p>Use a live key for the examples: test mode has no money, so a test key gets an empty list.</p>
    <KeyField kind="platform" />
    <Call title="List months" call="GET /v1/ads/statements?limit=12" saveAs={["data.0.month", "month"]} />
    <Call title="Get the earnings of a month" call="GET /v1/ads/statements/<month>/earnings" />
    <Call title="Get the spend of a month" call="GET /v1/ads/statements/<month>/spend" />
    <p>
      Amounts in the list are in micros and rounded once; those in a statement are exact decimal strings, because the
      price of one impression can be less than a micro.
    </p>
  </DocsSection>
);
