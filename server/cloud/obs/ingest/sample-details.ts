import { z } from "zod";

/** A double; JSON has no number for three of them. */
export const Double = z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"])]);
export type Double = z.infer<typeof Double>;

const Counts = z.object({ offset: z.int(), counts: z.array(z.string()) });

/** What only some data points have. */
export const SampleDetails = z.object({
  no_recorded_value: z.literal(true).optional().describe("Of a point that says that there is no value"),
  value_int: z.string().optional().describe("Of an integer of more than 53 bits: all its digits, which `value` lacks"),
  min: Double.optional().describe("Of a histogram"),
  max: Double.optional(),
  exponential: z
    .object({ scale: z.int(), zero_count: z.string(), zero_threshold: Double, positive: Counts, negative: Counts })
    .optional()
    .describe(
      "Of an exponential histogram: its buckets; the bounds of bucket `i` are `2^(2^-scale)` to the power `i` and `i + 1`",
    ),
  quantiles: z
    .array(z.object({ quantile: Double, value: Double }))
    .optional()
    .describe("Of a summary"),
});
export type SampleDetails = z.infer<typeof SampleDetails>;

/** As they are stored: also that the point has no value, or no sum. */
export type StoredDetails = SampleDetails & { no_value?: true };
