import { z } from "zod";
import { listScope } from "../../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../../kernel/page";
import { modeOf } from "../../../operation/actor";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import type { BillingCtx } from "./billing-ctx";
import { modeChoice } from "./billing-fields";
import { INVOICE_STATUSES, Invoice, toInvoice } from "./invoice";
import { invoiceExample } from "./invoice.example";

/** Lists the invoices of a tenant in one mode, newest first. */
export const listInvoices = operation({
  id: "listInvoices",
  summary: "List invoices",
  access: "billing:read",
  input: z.strictObject({
    ...PageQuery.shape,
    status: z.enum(INVOICE_STATUSES).optional().describe("Only invoices with this status"),
    mode: modeChoice,
  }),
  output: pageOf(Invoice),
  example: { input: { status: "open" as const }, output: examplePage(invoiceExample) },
  run: async (ctx: BillingCtx, input) => {
    const { db, actor } = ctx;
    const { status } = input;
    const mode = modeOf(actor, input.mode);
    return fetchPage(listScope(ctx, "invoices", { mode, status }), input, async ({ after, take }) => {
      const rows = await db.invoice.findMany({
        where: {
          tenantId: actor.tenantId,
          mode,
          ...(status && { status }),
          ...(after !== undefined && { id: { lt: after } }),
        },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map(toInvoice);
    });
  },
});
