import type { InvoiceStatus } from "../../../engines/postgres/generated/client";
import type { PaymentOutcome } from "./payment-processor";

/** From which statuses an outcome changes an invoice: messages may come late, twice and in any order. */
const FROM: Readonly<Record<Exclude<PaymentOutcome, "failed">, readonly InvoiceStatus[]>> = {
  paid: ["draft", "open", "uncollectible", "void"],
  void: ["draft", "open", "uncollectible"],
  uncollectible: ["draft", "open"],
};

/** The status after a message; undefined if it changes nothing. Money that arrived is never undone by a later message. */
export function nextInvoiceStatus(status: InvoiceStatus, outcome: PaymentOutcome): InvoiceStatus | undefined {
  if (outcome === "failed") return undefined;
  return FROM[outcome].includes(status) ? outcome : undefined;
}
