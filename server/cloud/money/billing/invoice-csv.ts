import type { InvoiceWithLines } from "./invoice";

const COLUMNS = ["service", "sku", "purchase", "quantity", "unit", "unit_price", "price_quantity", "amount"] as const;

/** The lines as CSV (RFC 4180), with the invoice and its currency in each; no value contains commas or quotes. */
export function invoiceCsv({ id, month, currency, lines }: InvoiceWithLines): string {
  const heading = ["invoice", "month", ...COLUMNS, "currency"];
  const rows = lines.map((line) => [id, month, ...COLUMNS.map((column) => line[column] ?? ""), currency]);
  return [heading, ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}
