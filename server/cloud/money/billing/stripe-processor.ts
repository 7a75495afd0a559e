import Stripe from "stripe";
import { ServiceError } from "../../../kernel/errors";
import type { BilledInvoice, PaymentEvent, PaymentOutcome, PaymentProcessor } from "./payment-processor";

const TIMEOUT_MS = 20_000;
const RETRIES = 2;
const DAYS_UNTIL_DUE = 14;
/** The names of svc's ids in the metadata of Stripe's objects. */
const [INVOICE_FIELD, TENANT_FIELD] = ["svc_invoice_id", "svc_tenant_id"];

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Where the API is; by default api.stripe.com. */
  endpoint?: { host: string; port: number; protocol: "http" | "https" } | undefined;
}

/**
 * Stripe's API for invoices. Idempotency keys derive from svc's ids, so that a call that is repeated makes nothing twice.
 * Stripe forgets keys after 24 hours; an invoice is therefore looked up by svc's id before it is created.
 */
export function createStripeProcessor({
  secretKey,
  webhookSecret,
  endpoint = undefined,
}: StripeSettings): PaymentProcessor {
  const stripe = new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...endpoint,
  });
  return {
    name: "stripe",
    createCustomer: async ({ tenantId, name, email }) => {
      const params = { name, metadata: { [TENANT_FIELD]: tenantId }, ...(email !== null && { email }) };
      return (await stripe.customers.create(params, { idempotencyKey: `svc-customer-${tenantId}` })).id;
    },
    createInvoice: (invoice) => createInvoice(stripe, invoice),
    finaliseInvoice: async (id, invoiceId) => {
      const known = await stripe.invoices.retrieve(id);
      const invoice =
        known.status === "draft"
          ? await stripe.invoices.finalizeInvoice(
              id,
              { auto_advance: false },
              { idempotencyKey: `svc-finalise-${invoiceId}` },
            )
          : known;
      return { status: invoice.status === "paid" ? "paid" : "open", paymentUrl: invoice.hosted_invoice_url ?? null };
    },
    verifyEvent: (body, signature) => eventOf(stripe, { body, signature, webhookSecret }),
  };
}

async function createInvoice(
  stripe: Stripe,
  { id, month, currency, customerId, items }: BilledInvoice,
): Promise<string> {
  const found = await existingInvoice(stripe, customerId, id);
  const invoice =
    found ??
    (await stripe.invoices.create(
      {
        customer: customerId,
        currency: currency.toLowerCase(),
        auto_advance: false,
        collection_method: "send_invoice",
        days_until_due: DAYS_UNTIL_DUE,
        pending_invoice_items_behavior: "exclude",
        description: `Usage in ${month}`,
        metadata: { [INVOICE_FIELD]: id },
      },
      { idempotencyKey: `svc-invoice-${id}` },
    ));
  if (invoice.status !== "draft") return invoice.id;
  // An invoice that was left before its items were complete has the first of them.
  const known = found ? await countItems(stripe, found.id) : 0;
  for (const [index, { text, amountMinor }] of items.entries()) {
    if (index < known) continue;
    await stripe.invoiceItems.create(
      {
        customer: customerId,
        invoice: invoice.id,
        currency: currency.toLowerCase(),
        amount: Number(amountMinor),
        description: text,
      },
      { idempotencyKey: `svc-item-${id}-${index + 1}` },
    );
  }
  return invoice.id;
}

/** The invoices of a customer are few: one for each month. */
async function existingInvoice(stripe: Stripe, customer: string, id: string): Promise<Stripe.Invoice | undefined> {
  for await (const invoice of stripe.invoices.list({ customer, limit: 100 }))
    if (invoice.metadata?.[INVOICE_FIELD] === id) return invoice;
  return undefined;
}

async function countItems(stripe: Stripe, invoice: string): Promise<number> {
  let count = 0;
  for await (const _item of stripe.invoiceItems.list({ invoice, limit: 100 })) count++;
  return count;
}

const OUTCOMES: Readonly<Record<string, PaymentOutcome>> = {
  "invoice.paid": "paid",
  "invoice.payment_failed": "failed",
  "invoice.voided": "void",
  "invoice.marked_uncollectible": "uncollectible",
};

interface SignedMessage {
  body: Buffer;
  signature: string;
  webhookSecret: string;
}

function eventOf(stripe: Stripe, { body, signature, webhookSecret }: SignedMessage): PaymentEvent {
  const event = verified(stripe, { body, signature, webhookSecret });
  const { id, type } = event;
  const outcome = OUTCOMES[type];
  if (outcome === undefined) return { id, type, invoice: null };
  const invoice = event.data.object as Stripe.Invoice;
  const text = outcome === "failed" ? "A payment failed; it can be tried again." : null;
  return {
    id,
    type,
    invoice: { processorInvoiceId: invoice.id, id: invoice.metadata?.[INVOICE_FIELD] ?? null, outcome, text },
  };
}

function verified(stripe: Stripe, { body, signature, webhookSecret }: SignedMessage): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(body, signature, webhookSecret);
  } catch {
    throw new ServiceError(
      "invalid_request",
      "Stripe-Signature: the signature does not match the body, or is too old.",
      {
        param: "Stripe-Signature",
      },
    );
  }
}
