"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ReceiptText } from "lucide-react";
import { Section } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatMonth } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { useTRPC } from "../../../trpc/client";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useMode } from "../../components/shell/mode";
import { InvoiceStatus } from "./invoice-status";
import { microsOf } from "./usage-view";

const PAGE = 24;
const COLUMNS = [{ label: "Month" }, { label: "Total", numeric: true }, { label: "Status" }, { label: "Remark" }];

/** The invoices of past months, newest first. */
export function InvoiceList() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const query = useInfiniteQuery(
    trpc.listInvoices.infiniteQueryOptions({ mode, limit: PAGE }, { getNextPageParam: nextCursor }),
  );
  return (
    <Section title="Invoices" description="The invoice of a month is created about 6 hours after its end.">
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={ReceiptText} title={`No invoices in ${mode} mode yet`}>
            A month with usage that has a price gets one invoice.
          </EmptyState>
        }
      >
        {(invoices) => (
          <Table caption="Invoices by month" columns={COLUMNS}>
            {invoices.map((invoice) => (
              <Row key={invoice.id}>
                <RowHeading className="whitespace-nowrap">
                  <Link href={`/cloud/usage/invoices/${invoice.id}`} className={ROW_LINK_STYLE}>
                    {formatMonth(invoice.month)}
                  </Link>
                </RowHeading>
                <Cell numeric>{formatMoney(microsOf(invoice.total), invoice.currency)}</Cell>
                <Cell>
                  <InvoiceStatus invoice={invoice} />
                </Cell>
                <Cell className="text-muted-foreground">{invoice.status_reason}</Cell>
              </Row>
            ))}
          </Table>
        )}
      </PagedContent>
    </Section>
  );
}
