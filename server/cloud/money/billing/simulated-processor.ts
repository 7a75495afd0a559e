import { ServiceError } from "../../../kernel/errors";
import type { PaymentProcessor } from "./payment-processor";

/** Marks every invoice of test mode as paid; no money moves, and nothing leaves svc. */
export const simulatedProcessor: PaymentProcessor = {
  name: "simulated",
  createCustomer: async ({ tenantId }) => `simulated_${tenantId}`,
  createInvoice: async ({ id }) => `simulated_${id}`,
  finaliseInvoice: async () => ({ status: "paid", paymentUrl: null }),
  verifyEvent: () => {
    throw new ServiceError("invalid_request", "The simulated processor sends no messages.");
  },
};
