import type { Invoice as InvoiceRow, Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { nextInvoiceStatus } from "./invoice-status";
import type { PaymentEvent, PaymentProcessor } from "./payment-processor";

interface ReceivingParts {
  db: PrismaClient;
  clock: Clock;
  processor: PaymentProcessor | undefined;
}

/** A message of a payment processor as it came. */
export interface PaymentMessage {
  body: Buffer;
  signature: string;
}

/**
 * Applies a message of the payment processor to its invoice, once however often it comes. Throws `invalid_request` for a
 * wrong signature, and `unavailable` without a processor.
 */
export async function receivePaymentEvent(
  { db, clock, processor }: ReceivingParts,
  { body, signature }: PaymentMessage,
): Promise<void> {
  if (!processor) {
    throw new ServiceError(
      "unavailable",
      "No payment processor is configured: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.",
      { details: { reason: "no_payment_processor" } },
    );
  }
  const event = processor.verifyEvent(body, signature);
  const now = clock.now();
  await db.$transaction(async (tx) => {
    const { count } = await tx.processorEvent.createMany({
      data: { id: event.id, type: event.type, receivedAt: now },
      skipDuplicates: true,
    });
    if (count === 1 && event.invoice) await applyTo(tx, event.invoice, { now, processor: processor.name });
  });
}

async function applyTo(
  tx: Prisma.TransactionClient,
  { id, processorInvoiceId, outcome, text }: NonNullable<PaymentEvent["invoice"]>,
  { now, processor }: { now: Date; processor: string },
): Promise<void> {
  const [invoice] = await tx.$queryRaw<Pick<InvoiceRow, "id" | "status">[]>`
    SELECT id, status FROM invoices WHERE id = ${id} OR processor_invoice_id = ${processorInvoiceId} FOR NO KEY UPDATE`;
  if (!invoice) return;
  const status = nextInvoiceStatus(invoice.status, outcome);
  const isOpen = invoice.status === "draft" || invoice.status === "open";
  if (!status && !(outcome === "failed" && isOpen)) return;
  await tx.invoice.update({
    where: { id: invoice.id },
    data: {
      processor,
      processorInvoiceId,
      statusText: text,
      ...(status && { status, ...(status === "paid" ? { paidAt: now, closedAt: null } : { closedAt: now }) }),
    },
  });
}
