import { ReceiptText } from "lucide-react";
import { Section } from "../../../components/ui/card";
import { Link } from "../../../components/ui/link";
import { formatMonth } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import type { Columns } from "../../components/data-table";
import { PagedList } from "../../components/paged-list";
import { PAGES } from "../../components/pages";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { InvoiceStatus } from "./invoice-status";
import { microsOf } from "./usage-view";
import type { Invoice } from "./wire";

const PAGE_ROWS = 24;

const COLUMNS: Columns<Invoice> = [
  {
    label: "Month",
    className: "whitespace-nowrap",
    cell: ({ id, month }) => (
      <Link href={`/cloud/usage/invoices/${id}`} className={ROW_LINK_STYLE}>
        {formatMonth(month)}
      </Link>
    ),
  },
  { label: "Total", numeric: true, cell: ({ total, currency }) => formatMoney(microsOf(total), currency) },
  { label: "Status", cell: (invoice) => <InvoiceStatus invoice={invoice} /> },
  { label: "Remark", className: "text-muted-foreground", cell: ({ status_reason }) => status_reason },
];

/** The invoices of past months, newest first. */
export const InvoiceList = () => (
  <Section title="Invoices" description="The invoice of a month is created about 6 hours after its end.">
    <PagedList
      noun="invoice"
      icon={ReceiptText}
      about="A month with usage that has a price gets one invoice."
      scopes="billing"
      caption="Invoices by month"
      pages={({ trpc, mode }) => trpc.listInvoices.infiniteQueryOptions({ mode, limit: PAGE_ROWS }, PAGES)}
      columns={COLUMNS}
    />
  </Section>
);
