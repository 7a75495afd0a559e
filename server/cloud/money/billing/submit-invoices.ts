import type { Logger } from "pino";
import type {
  InvoiceLine,
  Invoice as InvoiceRow,
  Prisma,
  PrismaClient,
} from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import type { FinalisedInvoice, Payer, PaymentProcessor } from "./payment-processor";
import { itemsOf } from "./processor-items";
import { simulatedProcessor } from "./simulated-processor";
import type { AtBillingStep } from "./steps";

export interface SubmitParts {
  db: PrismaClient;
  clock: Clock;
  /** undefined: none is configured. */
  processor: PaymentProcessor | undefined;
  log: Pick<Logger, "warn">;
  atStep: AtBillingStep;
}

const NO_PROCESSOR = "No payment processor is configured.";
const NOTHING_DUE = "Nothing is due.";
const PER_RUN = 500;

type Draft = InvoiceRow & { lines: InvoiceLine[] };

/**
 * Passes drafts to their payment processor, oldest first: test mode has a simulated one. One that fails stays a draft for
 * the next run. What a killed process has passed on is found again by the ids of svc, so that nothing is billed twice.
 */
export async function submitInvoices(parts: SubmitParts): Promise<void> {
  const drafts = await parts.db.invoice.findMany({
    where: { status: "draft" },
    orderBy: { id: "asc" },
    take: PER_RUN,
    include: { lines: { orderBy: { number: "asc" } } },
  });
  for (const draft of drafts) {
    await submitInvoice(parts, draft).catch((err: unknown) =>
      parts.log.warn({ err, invoice: draft.id }, "cannot pass an invoice to the payment processor"),
    );
  }
}

async function submitInvoice(parts: SubmitParts, draft: Draft): Promise<void> {
  const { db, clock } = parts;
  const processor = draft.simulated ? simulatedProcessor : parts.processor;
  const now = clock.now();
  if (draft.totalMinor === 0n) return open(db, draft, { status: "paid", now, statusText: NOTHING_DUE });
  if (!processor) return open(db, draft, { status: "open", now, statusText: NO_PROCESSOR });
  const customerId = await customerOf(parts, processor, draft.tenantId);
  const processorInvoiceId = await processor.createInvoice({
    id: draft.id,
    month: draft.month,
    currency: draft.currency,
    customerId,
    items: itemsOf(draft.lines, { total: draft.totalMinor, currency: draft.currency }),
  });
  parts.atStep("invoice.created");
  const finalised = await processor.finaliseInvoice(processorInvoiceId, draft.id);
  parts.atStep("invoice.finalised");
  await open(db, draft, { ...finalised, now, statusText: null, processorInvoiceId, processor: processor.name });
}

interface Opening {
  status: FinalisedInvoice["status"];
  paymentUrl?: FinalisedInvoice["paymentUrl"];
  now: Date;
  statusText: string | null;
  processor?: string;
  processorInvoiceId?: string;
}

/** A message of the processor may have come first: what it said is kept. */
async function open(db: PrismaClient, { id }: Draft, { now, status, ...fields }: Opening): Promise<void> {
  const opened = { openedAt: now, ...(status === "paid" && { paidAt: now }) };
  const { count } = await db.invoice.updateMany({
    where: { id, status: "draft" },
    data: { status, ...opened, ...fields },
  });
  if (count === 1) return;
  const { statusText: _text, ...known } = fields;
  await db.invoice.updateMany({ where: { id, openedAt: null }, data: { openedAt: now, ...known } });
}

async function customerOf({ db, clock }: SubmitParts, processor: PaymentProcessor, tenantId: string): Promise<string> {
  const place = { tenantId_processor: { tenantId, processor: processor.name } };
  const known = await db.processorCustomer.findUnique({ where: place });
  if (known) return known.customerId;
  const customerId = await processor.createCustomer(await payerOf(db, tenantId));
  const data = { tenantId, processor: processor.name, customerId, createdAt: clock.now() };
  await db.processorCustomer.createMany({ data, skipDuplicates: true });
  return (await db.processorCustomer.findUniqueOrThrow({ where: place })).customerId;
}

async function payerOf(db: Prisma.TransactionClient, tenantId: string): Promise<Payer> {
  const { name } = await db.tenant.findUniqueOrThrow({ where: { id: tenantId } });
  const owner = await db.membership.findFirst({
    where: { tenantId, role: "owner" },
    orderBy: { createdAt: "asc" },
    include: { user: true },
  });
  return { tenantId, name, email: owner?.user.email ?? null };
}
