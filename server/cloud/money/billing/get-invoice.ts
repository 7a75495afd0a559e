import { z } from "zod";
import { IdText } from "../../../identity/wire-text";
import { notFound } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import type { BillingCtx } from "./billing-ctx";
import { InvoiceWithLines, toInvoice, toInvoiceLine } from "./invoice";
import { invoiceWithLinesExample } from "./invoice.example";
import { invoiceCsv } from "./invoice-csv";

/** Returns an invoice with its lines, of the mode of a key. Throws `not_found`. */
export const getInvoice = operation({
  id: "getInvoice",
  summary: "Get an invoice with its lines",
  access: "billing:read",
  input: z.strictObject({
    id: IdText.min(1).describe("The id of the invoice"),
    format: z
      .enum(["json", "csv"])
      .default("json")
      .describe("`csv` returns the lines as text/csv, in UTF-8 with a byte order mark"),
  }),
  output: InvoiceWithLines,
  example: {
    input: { id: invoiceWithLinesExample.id },
    output: invoiceWithLinesExample,
    csv: invoiceCsv(invoiceWithLinesExample),
  },
  csv: invoiceCsv,
  run: async ({ db, actor }: BillingCtx, { id }) => {
    const row = await db.invoice.findFirst({
      where: { id, tenantId: actor.tenantId, ...(actor.kind === "key" && { mode: actor.mode }) },
      include: { lines: { orderBy: { number: "asc" } } },
    });
    if (!row) throw notFound("invoice", id);
    return { ...toInvoice(row), lines: row.lines.map(toInvoiceLine) };
  },
});
