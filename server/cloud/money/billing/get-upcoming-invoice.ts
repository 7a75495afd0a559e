import { z } from "zod";
import { decimalOf } from "../../../kernel/money";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import type { BillingCtx } from "./billing-ctx";
import { modeChoice } from "./billing-fields";
import { InvoiceWithLines, toInvoiceLine } from "./invoice";
import { invoiceWithLinesExample } from "./invoice.example";
import { linesOf } from "./invoice-lines";
import { minorOf, minorText } from "./money";
import { CLOSES_AFTER_MS, monthOf, periodOf } from "./months";
import { readUsage, sumNanos } from "./usage";

export const UpcomingInvoice = InvoiceWithLines.pick({
  mode: true,
  month: true,
  currency: true,
  simulated: true,
  exact: true,
  total: true,
  lines: true,
})
  .extend({
    from: z.iso.datetime(),
    to: z.iso.datetime().describe("Until when usage is counted: now"),
    closes_at: z.iso.datetime().describe("When the invoice of the month is created, at the earliest"),
  })
  .meta({ id: "UpcomingInvoice" });

const { id: _id, status: _status, status_reason: _reason, ...shown } = invoiceWithLinesExample;
const { payment_processor: _processor, payment_url: _url, created_at: _created, ...dated } = shown;
const { opened_at: _opened, paid_at: _paid, closed_at: _closed, ...example } = dated;

/** Returns what the invoice of the current month would have if the month ended now. */
export const getUpcomingInvoice = operation({
  id: "getUpcomingInvoice",
  summary: "Preview the invoice of the current month",
  access: "billing:read",
  cost: "report",
  input: z.strictObject({ mode: modeChoice }),
  output: UpcomingInvoice,
  example: {
    input: {},
    output: {
      ...example,
      from: "2026-11-01T00:00:00.000Z",
      to: "2026-11-20T09:00:00.000Z",
      closes_at: "2026-12-01T06:00:00.000Z",
    },
  },
  run: async ({ sql, actor, clock, currency }: BillingCtx, input) => {
    const now = clock.now();
    const mode = modeOf(actor, input.mode);
    const month = monthOf(now);
    const { from, to: end } = periodOf(month);
    const asked = { tenantId: actor.tenantId, mode, from, to: now, now, byDay: false, byProject: false };
    const lines = linesOf(await readUsage(sql, asked));
    const exactNanos = sumNanos(lines);
    return {
      mode,
      month,
      currency,
      simulated: mode === "test",
      exact: decimalOf(exactNanos),
      total: minorText(minorOf(exactNanos, currency), currency),
      lines: lines.map(toInvoiceLine),
      from: from.toISOString(),
      to: now.toISOString(),
      closes_at: new Date(end.getTime() + CLOSES_AFTER_MS).toISOString(),
    };
  },
});
