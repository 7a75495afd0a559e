import { z } from "zod";
import { SIGNAL_BYTES_MAX, SIGNALS_MAX } from "../limits";

const ATTRIBUTES_MAX = 50;
const ATTRIBUTE_ITEMS_MAX = 20;
const TEXT_MAX = 500;

const Scalar = z.union([z.string().max(TEXT_MAX), z.number(), z.boolean(), z.null()]);
const AttributeValue = z.union([Scalar, z.array(Scalar).max(ATTRIBUTE_ITEMS_MAX)], {
  error: `expected a string of at most ${TEXT_MAX} characters, a number, a boolean, null, or an array of at most ${ATTRIBUTE_ITEMS_MAX} of these`,
});

/** The size of a signal as JSON in bytes, which is its cost for storage and cache. */
export const signalBytes = (signal: object): number => Buffer.byteLength(JSON.stringify(signal));

/** A typed hint about what a visitor wants. Unknown categories are stored but have no effect. */
export const Signal = z
  .object({
    category: z.string().max(100).optional().describe("purchase_intent, price_sensitivity, …"),
    confidence: z.number().min(0).max(1).optional(),
    subject: z.string().max(TEXT_MAX).optional().describe("What the signal is about"),
    attributes: z
      .record(z.string().max(100), AttributeValue)
      .refine((value) => Object.keys(value).length <= ATTRIBUTES_MAX, `at most ${ATTRIBUTES_MAX} attributes`)
      .optional()
      .describe("Custom key-value attributes, for example a budget"),
    iab: z
      .object({
        type: z.string().max(50).optional(),
        version: z.string().max(20).optional(),
        ids: z.array(z.string().max(50)).max(50).optional(),
      })
      .optional(),
  })
  .refine((signal) => signalBytes(signal) <= SIGNAL_BYTES_MAX, `expected at most ${SIGNAL_BYTES_MAX} bytes as JSON`);

export type Signal = z.output<typeof Signal>;

/** Those of one request. */
export const Signals = z.array(Signal).max(SIGNALS_MAX);
