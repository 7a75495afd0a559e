import type { Part } from "../../../identity/part";
import { billingRoutes } from "./billing.routes";
import { billingTools } from "./billing.tools";
import { billingBudgetEventKinds } from "./budget.events";
import type { PaymentMessage } from "./receive-payment-event";
import { type StartBilling, startBilling } from "./start-billing";
import type { StripeSettings } from "./stripe-processor";

interface Needs extends Omit<StartBilling, "stripe" | "atStep"> {
  config: {
    /** undefined: invoices are not passed to a payment processor. */
    stripe: Pick<StripeSettings, "secretKey" | "webhookSecret"> | undefined;
  };
}

interface Gives {
  /** Applies a message of the payment processor. */
  receivePaymentEvent: (
    message: PaymentMessage,
  ) => ReturnType<Awaited<ReturnType<typeof startBilling>>["receivePaymentEvent"]>;
}

/** Usage, invoices and budgets. */
export const billingPart: Part<Needs, Gives, typeof billingRoutes> = {
  name: "billing",
  routes: [billingRoutes],
  tools: billingTools,
  eventKinds: billingBudgetEventKinds,
  start: async (needs) => {
    const { tasks, crontab, everyMinute, receivePaymentEvent } = await startBilling({
      ...needs,
      stripe: needs.config.stripe,
    });
    return { gives: { receivePaymentEvent }, tasks, crontab: [crontab], everyMinute };
  },
};
