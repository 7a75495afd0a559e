"use client";

import { Download, ExternalLink } from "lucide-react";
import { saveCsv } from "../../../../../components/save-csv";
import { Alert } from "../../../../../components/ui/alert";
import { Button } from "../../../../../components/ui/button";
import { Section } from "../../../../../components/ui/card";
import { formatDateTime, formatMonth } from "../../../../../format/dates";
import { formatMoney } from "../../../../../format/money";
import { Fact, Facts } from "../../../../components/facts";
import { NounPage } from "../../../../components/noun-page";
import { InvoiceStatus } from "../../invoice-status";
import { UsageTable } from "../../usage-table";
import { microsOf } from "../../usage-view";
import type { InvoiceWithLines } from "../../wire";
import { invoiceCsv } from "./invoice-csv";

export const InvoicePage = ({ id }: { id: string }) => (
  <NounPage
    id={id}
    noun="Invoice"
    list={{ href: "/cloud/usage", label: "Usage and invoices" }}
    scope="billing:read"
    what="invoices"
    query={(trpc) => trpc.getInvoice.queryOptions({ id })}
    titleOf={({ month }) => `Invoice of ${formatMonth(month)}`}
    actions={(invoice) => <Actions invoice={invoice} />}
  >
    {(invoice) => <Parts invoice={invoice} />}
  </NounPage>
);

const Actions = ({ invoice }: { invoice: InvoiceWithLines }) => (
  <>
    <InvoiceStatus invoice={invoice} />
    <Button
      variant="outline"
      onClick={() => saveCsv(invoiceCsv(invoice), `svc-invoice-${invoice.month}.csv`)}
      icon={Download}
    >
      CSV
    </Button>
    {invoice.status === "open" && invoice.payment_url !== null && (
      <Button asChild>
        <a href={invoice.payment_url} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden />
          Pay
        </a>
      </Button>
    )}
  </>
);

const Parts = ({ invoice }: { invoice: InvoiceWithLines }) => (
  <div className="space-y-6">
    {invoice.simulated && <Alert tone="warn">This invoice is simulated: nothing is charged in test mode.</Alert>}
    {invoice.status_reason !== null && <Alert>{invoice.status_reason}</Alert>}
    <Section title={formatMoney(microsOf(invoice.total), invoice.currency)}>
      <Facts className="grid-cols-2 sm:grid-cols-4">
        <Fact name="Exact sum">
          {invoice.exact} {invoice.currency}
        </Fact>
        <Fact name="Created">{formatDateTime(invoice.created_at)}</Fact>
        <Fact name="Paid">{invoice.paid_at === null ? "–" : formatDateTime(invoice.paid_at)}</Fact>
        <Fact name="Payment processor">{invoice.payment_processor ?? "none"}</Fact>
      </Facts>
    </Section>
    <Section title="Lines" description="The lines add up to the exact sum, which is rounded once.">
      <UsageTable rows={invoice.lines} currency={invoice.currency} />
    </Section>
  </div>
);
