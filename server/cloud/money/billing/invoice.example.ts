import { exampleId } from "../../../operation/example";
import type { Invoice, InvoiceWithLines } from "./invoice";

export const invoiceExample: Invoice = {
  id: exampleId("ivc"),
  mode: "live",
  month: "2026-11",
  currency: "USD",
  status: "open",
  status_reason: null,
  simulated: false,
  exact: "214.0504",
  total: "214.05",
  payment_processor: "stripe",
  payment_url: "https://invoice.stripe.com/i/acct_1/live_1",
  created_at: "2026-12-01T06:23:00.000Z",
  opened_at: "2026-12-01T06:23:02.000Z",
  paid_at: null,
  closed_at: null,
};

export const invoiceWithLinesExample: InvoiceWithLines = {
  ...invoiceExample,
  lines: [
    {
      service: "pods",
      sku: "h100",
      purchase: "on_demand",
      quantity: "270000",
      unit: "second",
      unit_price: "2.854",
      price_quantity: 3600,
      amount: "214.05",
    },
    {
      service: "queues",
      sku: "operations",
      purchase: null,
      quantity: "1000",
      unit: "operation",
      unit_price: "0.40",
      price_quantity: 1_000_000,
      amount: "0.0004",
    },
  ],
};
