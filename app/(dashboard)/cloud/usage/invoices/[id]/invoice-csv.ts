import type { InvoiceWithLines } from "../../wire";

const COLUMNS = ["service", "sku", "purchase", "quantity", "unit", "unit_price", "price_quantity", "amount"] as const;

/** The lines of an invoice as the API returns them with `format=csv`. */
export function invoiceCsv({ id, month, currency, lines }: InvoiceWithLines): string {
  const heading = ["invoice", "month", ...COLUMNS, "currency"];
  const rows = lines.map((line) => [id, month, ...COLUMNS.map((column) => line[column] ?? ""), currency]);
  return [heading, ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}
