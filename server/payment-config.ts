import { z } from "zod";

const PRINTABLE = /^[\x21-\x7e]+$/;
const WEBHOOK_SECRET = /^whsec_[\x21-\x7e]+$/;

/** The variables of the payment processor. */
export const paymentVariables = {
  STRIPE_SECRET_KEY: z.string().regex(PRINTABLE, "expected a secret or restricted key of Stripe").optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(WEBHOOK_SECRET, "expected the signing secret of a webhook endpoint of Stripe, which begins with whsec_")
    .optional(),
};

type Variables = z.output<z.ZodObject<typeof paymentVariables>>;

/** The account at Stripe. Throws an error of one sentence for one variable without the other. */
export function stripeOf({ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret }: Variables) {
  if (secretKey !== undefined && webhookSecret !== undefined) return { secretKey, webhookSecret };
  if (secretKey === undefined && webhookSecret === undefined) return undefined;
  // Without its messages, svc would never learn that an invoice was paid.
  throw new Error(
    "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set them to a secret key of Stripe and to the signing secret of its webhook endpoint for PUBLIC_URL/v1/billing/stripe-webhook, or leave both out.",
  );
}
