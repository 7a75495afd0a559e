/** The steps between which a crash must neither lose nor duplicate deliveries; tests stop the process at each. */
export type WebhookStep = "events.dispatched" | "delivery.claimed" | "delivery.attempted" | "delivery.stored";

/** Called at each step; does nothing in production. */
export type AtWebhookStep = (step: WebhookStep) => void;

export const noWebhookStep: AtWebhookStep = () => undefined;
