import { z } from "zod";

const LineReport = z.object({
  line: z.int(),
  id: z.string().optional().describe("The product's id, if the line has a readable one"),
  code: z.string(),
  message: z.string(),
});

/** The result of an import. */
export const FeedResult = z
  .object({
    accepted: z
      .int()
      .describe("Products that were accepted; several lines with one id count as one, and the last one is stored"),
    rejected: z.int(),
    errors: z.array(LineReport).describe("The first 1,000 errors"),
    warned: z
      .int()
      .optional()
      .describe("Fields that were ignored in accepted lines, and lines that repeat an id; absent if there are none"),
    warnings: z
      .array(LineReport)
      .optional()
      .describe(
        "The first 1,000 of these: a GTIN or the dates of a sale that are invalid, and ids of earlier lines (`repeated_id`)",
      ),
    errors_truncated: z.boolean().optional().describe("True if there were more errors than `errors` lists"),
  })
  .meta({ id: "FeedResult" });
export type FeedResult = z.infer<typeof FeedResult>;
