/** The moments between which a process can die while it passes an invoice on; a test ends the work there. */
export type BillingStep = "invoice.created" | "invoice.finalised";

export type AtBillingStep = (step: BillingStep) => void;

export const noBillingStep: AtBillingStep = () => undefined;
