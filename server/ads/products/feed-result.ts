import { z } from "zod";

/** What became of a feed. */
export const FeedResult = z
  .object({
    accepted: z.int().describe("Lines that were taken; a repeated id counts each time"),
    rejected: z.int(),
    errors: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })).describe("The first 1,000"),
    errors_truncated: z.boolean().optional().describe("There were more than `errors` shows"),
  })
  .meta({ id: "FeedResult" });
export type FeedResult = z.infer<typeof FeedResult>;
