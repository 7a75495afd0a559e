import { z } from "zod";
import type { InvoiceLine as InvoiceLineRow, Invoice as InvoiceRow } from "../../../engines/postgres/generated/client";
import { ModeName } from "../../../identity/wire-text";
import { decimalOf } from "../../../kernel/money";
import { toWire } from "../../../kernel/to-wire";
import type { Purchase } from "../../core/prices/pod-prices";
import { Amount, MonthText, meteredFields, SIMULATED } from "./billing-fields";
import { minorText } from "./money";
import { type Metered, meterOf, quantityText, type Service } from "./services";

export const INVOICE_ID_PREFIX = "ivc";
export const INVOICE_STATUSES = ["draft", "open", "paid", "void", "uncollectible"] as const;

export const InvoiceLine = z.object({
  ...meteredFields,
  unit_price: Amount.describe("The price of `price_quantity` units: for pods of one hour of the whole pod"),
  amount: Amount,
});

/** What an invoice has in a list. */
export const Invoice = z
  .object({
    id: z.string(),
    mode: ModeName,
    month: MonthText,
    currency: z.string(),
    status: z
      .enum(INVOICE_STATUSES)
      .describe(
        "`draft` until it is passed to the payment processor, then `open`; `paid`, `void` and `uncollectible` as the processor reports",
      ),
    status_reason: z.string().nullable().describe("What keeps it from being paid, as a sentence"),
    simulated: z.boolean().describe(SIMULATED),
    exact: Amount.describe("The exact sum of the lines"),
    total: z.string().describe("`exact`, rounded half up to the smallest unit of the currency"),
    payment_processor: z.string().nullable(),
    payment_url: z.string().nullable().describe("Where it can be paid"),
    created_at: z.iso.datetime(),
    opened_at: z.iso.datetime().nullable(),
    paid_at: z.iso.datetime().nullable(),
    closed_at: z.iso.datetime().nullable().describe("When it became void or uncollectible"),
  })
  .meta({ id: "Invoice" });
export type Invoice = z.infer<typeof Invoice>;

export const InvoiceWithLines = Invoice.extend({
  lines: z.array(InvoiceLine).describe("By service, SKU, purchase mode and price"),
}).meta({ id: "InvoiceWithLines" });
export type InvoiceWithLines = z.infer<typeof InvoiceWithLines>;

export const toInvoice = (row: InvoiceRow): Invoice =>
  toWire(Invoice, row, {
    status_reason: row.statusText,
    exact: decimalOf(row.exactNanos),
    total: minorText(row.totalMinor, row.currency),
    payment_processor: row.processor,
  });

/** A line without its place in an invoice. */
export type LineColumns = Omit<InvoiceLineRow, "invoiceId" | "number">;

export const toInvoiceLine = (row: LineColumns): z.infer<typeof InvoiceLine> => ({
  service: row.service as Service,
  sku: row.sku,
  purchase: row.purchase as Purchase | null,
  quantity: quantityText(row as LineColumns & Metered, row.quantity),
  unit: row.unit,
  unit_price: decimalOf(row.priceNanos),
  price_quantity: row.priceQuantity,
  amount: decimalOf(row.amountNanos),
});

/** The unit of a SKU, for lines. */
export const unitOf = (metered: Metered) => {
  const { unit, priceQuantity } = meterOf(metered);
  return { unit, priceQuantity };
};
