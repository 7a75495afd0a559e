import type { Logger } from "pino";
import type { MinuteTasks, Tasks } from "../../../engines/jobs/start-jobs";
import { type BudgetParts, checkBudgets } from "./check-budgets";
import { closeMonths } from "./close-months";
import { measureUsage } from "./measure-usage";
import { type PaymentMessage, receivePaymentEvent } from "./receive-payment-event";
import { type AtBillingStep, noBillingStep } from "./steps";
import type { StripeSettings } from "./stripe-processor";
import { submitInvoices } from "./submit-invoices";

const MEASURE_USAGE = "measure_usage";
const CLOSE_MONTHS = "close_months";
const CHECK_BUDGETS = "check_billing_budgets";
const DAY_MS = 86_400_000;
/** Stripe repeats a message for at most 3 days. */
const EVENTS_KEPT_MS = 30 * DAY_MS;

export interface StartBilling extends BudgetParts {
  log: Pick<Logger, "info" | "warn">;
  /** undefined: no payment processor. */
  stripe: StripeSettings | undefined;
  atStep?: AtBillingStep | undefined;
}

/** The tasks that measure usage, create invoices and check budgets, and what receives messages of the payment processor. */
export async function startBilling({ stripe, atStep = noBillingStep, ...parts }: StartBilling) {
  const { db, clock } = parts;
  // Stripe's library is 220 files, which an installation without it need not read.
  const processor = stripe && (await import("./stripe-processor")).createStripeProcessor(stripe);
  const tasks: Tasks = {
    [MEASURE_USAGE]: () => measureUsage(parts),
    [CLOSE_MONTHS]: async () => {
      // So that queues are measured to the end of the month.
      await measureUsage(parts);
      await closeMonths(parts);
      await submitInvoices({ ...parts, processor, atStep });
      const before = new Date(clock.now().getTime() - EVENTS_KEPT_MS);
      await db.processorEvent.deleteMany({ where: { receivedAt: { lt: before } } });
    },
    [CHECK_BUDGETS]: () => checkBudgets(parts),
  };
  return {
    tasks,
    /** In graphile-worker's crontab format. */
    crontab: [`*/10 * * * * ${MEASURE_USAGE}`, `23 * * * * ${CLOSE_MONTHS}`].join("\n"),
    everyMinute: { [CHECK_BUDGETS]: "SELECT FROM billing_budgets" } satisfies MinuteTasks,
    receivePaymentEvent: (message: PaymentMessage) => receivePaymentEvent({ db, clock, processor }, message),
  };
}
