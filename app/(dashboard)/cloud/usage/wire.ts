import type { Outputs } from "../../../trpc/client";

export type Usage = Outputs["getUsage"];
export type UsageRow = Usage["data"][number];
export type Invoice = Outputs["listInvoices"]["data"][number];
export type InvoiceWithLines = Outputs["getInvoice"];
export type InvoiceLine = InvoiceWithLines["lines"][number];
export type Budget = Outputs["getBillingBudget"];
