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
    accepted: z.int().describe("Lines that were accepted; a repeated id counts each time"),
    rejected: z.int(),
    errors: z.array(LineReport).describe("The first 1,000 errors"),
    warned: z
      .int()
      .optional()
      .describe("Fields that were ignored, in lines that were accepted; absent if there are none"),
    warnings: z
      .array(LineReport)
      .optional()
      .describe("The first 1,000 of these: a GTIN or the dates of a sale that are invalid"),
    errors_truncated: z.boolean().optional().describe("True if there were more errors than `errors` lists"),
  })
  .meta({ id: "FeedResult" });
export type FeedResult = z.infer<typeof FeedResult>;
