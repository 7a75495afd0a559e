import { z } from "zod";

/** An offer in the API response. Field names follow the specification. */
export const Offer = z.object({
  id: z.uuid(),
  title: z.string(),
  content: z.string().describe("Descriptive text"),
  cta: z.string().describe("Call-to-action label"),
  clickUrl: z.url().describe("Tracks the click, then redirects to the advertiser's landing page"),
  source: z.string(),
  ad_type: z.string().describe("The requested placement type"),
  brand: z.object({ name: z.string(), url: z.url().optional(), iconUrl: z.url().optional() }),
  product: z
    .object({ title: z.string(), category: z.string().optional().describe("Levels separated by >") })
    .optional(),
  price: z
    .object({
      amount: z.number(),
      currency: z.string(),
      originalPrice: z.number().optional(),
      discount: z.int().optional().describe("Whole-number percentage off originalPrice"),
    })
    .optional(),
  rating: z.object({ value: z.number(), scale: z.number(), count: z.int() }).optional(),
});

export const OffersResponse = z.object({
  offers: z.array(Offer),
  reason: z
    .literal("frequency_cap")
    .optional()
    .describe("Too many requests for this user_id, or frequency caps removed every match"),
});

export type Offer = z.output<typeof Offer>;
export type OffersResponse = z.output<typeof OffersResponse>;
