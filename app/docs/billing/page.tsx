import type { Metadata } from "next";
import { Call } from "../call";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";

export const metadata: Metadata = { title: "Usage and invoices" };

export default function BillingPage() {
  return (
    <DocsPage
      title="Usage and invoices"
      lead="What the Cloud products used, what it costs, and how a month becomes an invoice."
    >
      <UsageSection />
      <RoundingSection />
      <InvoicesSection />
      <BudgetsSection />
      <StripeSection />
    </DocsPage>
  );
}

const UsageSection = () => (
  <DocsSection id="usage" title="Usage">
    <p>
      <Code>GET /v1/usage</Code> returns what all projects of the tenant used in one mode, by default in the current
      month; it needs the scope <Code>billing:read</Code>, which covers all projects, because the bill is the
      tenant&apos;s. The page <DocsLink href="/cloud/usage">Usage and invoices</DocsLink> shows the same.
    </p>
    <Definitions
      label="What is metered"
      rows={[
        [
          "pods",
          "Each second of a run that has begun, at the price of the whole pod for one hour. The SKU is the GPU model, or cpu. Pods that run are counted up to now, and their rows are not final.",
        ],
        ["sandboxes", "Each second in which a sandbox runs, as pods with the SKU cpu."],
        ["workspaces", "Each second in which a workspace runs, as pods with the SKU cpu."],
        [
          "reservations",
          "Each second of the term from its start, used or not, at the price of all its GPUs for one hour.",
        ],
        [
          "volumes",
          "Each second of a shared volume until it is deleted, full or not: 0.073 for a GiB of its capacity in 730 hours. A row has the price of its capacity for one hour.",
        ],
        [
          "functions",
          "Each run as an invocation, 0.20 per million, and its duration with 128 MiB of memory, 16.00 per million GiB-seconds. Counted every 10 minutes, whether a request, a client that does not wait, or a schedule caused it. Instead of the duration of those in Node and Python, the seconds of their pods, as those of sandboxes.",
        ],
        [
          "queues",
          "Messages that are sent, received and acknowledged: 0.40 per million. Counted every 10 minutes; a process that is killed loses the counts of its last seconds.",
        ],
        ["storage", "GB-months: 10⁹ bytes for 730 hours, measured hourly. Not charged."],
        ["chat", "Tokens of prompts and completions. Not charged here; the chat pages show what requests cost."],
      ]}
    />
    <p>
      The purchase mode of a pod is on_demand, spot or reserved; a reserved pod pays for cores and memory only. In test
      mode nothing is charged: records say simulated.
    </p>
    <KeyField kind="platform" />
    <Call title="Usage of the month" call="GET /v1/usage" />
    <Call title="The last 7 days by day and service" call="GET /v1/usage?days=7&group_by=day,service" />
    <p>
      <Code>GET /v1/metrics/summary</Code> returns what runs, not what it costs: sums over the last hours and what there
      is now, of pods, chat, queues, storage and webhooks. A key reads its own project and mode.
    </p>
    <Call title="What ran in the last hour" call="GET /v1/metrics/summary?window_hours=1" />
  </DocsSection>
);

const RoundingSection = () => (
  <DocsSection id="rounding" title="Rounding and the ends of months">
    <p>
      What a run has cost up to a time is its seconds until then times the price of an hour, divided by 3,600 and
      rounded down to 10⁻⁹ of the currency. Amounts are exact from there on: rows add up to the total, however they are
      grouped. Only the total of an invoice is rounded, once, half up to the smallest unit of the currency.
    </p>
    <p>
      A second belongs to the month, and to the day, in which it begins, in UTC. A run that crosses the end of a month
      is on both invoices, and their seconds and amounts add up to those of the run.
    </p>
  </DocsSection>
);

const InvoicesSection = () => (
  <DocsSection id="invoices" title="Invoices">
    <p>
      About 6 hours after the end of a month each tenant gets one invoice for each mode with usage that has a price. It
      waits while a pod of the month may yet have ended in it, because its node does not report. Months that were missed
      while svc did not run follow. <Code>GET /v1/invoices/upcoming</Code> is a preview.
    </p>
    <Definitions
      label="States of an invoice"
      rows={[
        ["draft", "It is being passed to the payment processor."],
        ["open", "It can be paid at payment_url, or there is no payment processor, which status_reason says."],
        ["paid", "The processor has the money. In test mode that is simulated."],
        ["void, uncollectible", "As the processor reports."],
      ]}
    />
    <Call title="List invoices" call="GET /v1/invoices?limit=12" />
    <Call title="Preview the current month" call="GET /v1/invoices/upcoming" />
    <p>
      <Code>GET /v1/invoices/&#123;id&#125;?format=csv</Code> returns the lines as CSV.
    </p>
  </DocsSection>
);

const BudgetsSection = () => (
  <DocsSection id="budgets" title="Budgets">
    <p>
      <Code>PUT /v1/billing/budget</Code> sets what a month may cost, with the scope <Code>billing:write</Code>. Within
      about a minute after the usage of the month, pods that run included, has reached one of the percentages, owners
      get an email and webhooks the event <Code>budget.threshold_crossed</Code>: once per month and percentage. Nothing
      is stopped.
    </p>
    <Call title="Get the budget" call="GET /v1/billing/budget" />
  </DocsSection>
);

const StripeSection = () => (
  <DocsSection id="stripe" title="For operators: Stripe">
    <p>
      With <Code>STRIPE_SECRET_KEY</Code> and <Code>STRIPE_WEBHOOK_SECRET</Code> invoices of live mode are created and
      finalised at Stripe, with 14 days to pay. Add a webhook endpoint in Stripe with the URL{" "}
      <Code>/v1/billing/stripe-webhook</Code> below PUBLIC_URL and the events invoice.paid, invoice.payment_failed,
      invoice.voided and invoice.marked_uncollectible. svc was tested with a double of Stripe&apos;s API on loopback,
      not with Stripe itself. Items at Stripe are whole cents that add up to the total.
    </p>
  </DocsSection>
);
