import type { InvoiceStatus } from "../../../engines/postgres/generated/client";

/** Whom an invoice is for. */
export interface Payer {
  tenantId: string;
  name: string;
  /** The address of an owner. */
  email: string | null;
}

/** An invoice as it is passed on: items in the smallest unit of the currency, which add up to its total. */
export interface BilledInvoice {
  id: string;
  month: string;
  currency: string;
  customerId: string;
  items: readonly { text: string; amountMinor: bigint }[];
}

/** What a processor says about an invoice after it was finalised. */
export interface FinalisedInvoice {
  status: Extract<InvoiceStatus, "open" | "paid">;
  paymentUrl: string | null;
}

/** What happened to an invoice, from a verified message of the processor. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** Null: the event concerns no invoice of svc. */
  invoice: {
    processorInvoiceId: string;
    /** The id that svc gave it. */
    id: string | null;
    outcome: PaymentOutcome;
    /** Why a payment failed, as a sentence. */
    text: string | null;
  } | null;
}

export type PaymentOutcome = "paid" | "failed" | "void" | "uncollectible";

/**
 * Collects the money of invoices. Each call may be repeated after a crash, with the same arguments, and then returns what
 * the first one made.
 */
export interface PaymentProcessor {
  readonly name: string;
  createCustomer(payer: Payer): Promise<string>;
  /** Creates a draft invoice, which is not sent to the customer; returns the processor's id. */
  createInvoice(invoice: BilledInvoice): Promise<string>;
  finaliseInvoice(processorInvoiceId: string, invoiceId: string): Promise<FinalisedInvoice>;
  /** Throws `invalid_request` if the message is not from the processor. */
  verifyEvent(body: Buffer, signature: string): PaymentEvent;
}
