import { z } from "zod";

const ATTRIBUTES_MAX = 50;
const TEXT_MAX = 500;

/** A typed hint about what a visitor wants. Categories we do not know are kept and harmless. */
export const Signal = z.object({
  category: z.string().max(100).optional().describe("purchase_intent, price_sensitivity, …"),
  confidence: z.number().min(0).max(1).optional(),
  subject: z.string().max(TEXT_MAX).optional().describe("What the signal is about"),
  attributes: z
    .record(z.string().max(100), z.unknown())
    .refine((value) => Object.keys(value).length <= ATTRIBUTES_MAX, `at most ${ATTRIBUTES_MAX} attributes`)
    .optional()
    .describe("Free key-value attributes, for example a budget"),
  iab: z
    .object({
      type: z.string().max(50).optional(),
      version: z.string().max(20).optional(),
      ids: z.array(z.string().max(50)).max(50).optional(),
    })
    .optional(),
});

export type Signal = z.output<typeof Signal>;
