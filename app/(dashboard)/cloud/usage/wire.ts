import type { Outputs } from "../../../trpc/client";

type Billing = Outputs["cloud"]["billing"];

export type Usage = Billing["usage"];
export type UsageRow = Usage["data"][number];
export type Invoice = Billing["invoices"]["data"][number];
export type InvoiceWithLines = Billing["invoice"];
export type InvoiceLine = InvoiceWithLines["lines"][number];
export type Budget = Billing["budget"];
