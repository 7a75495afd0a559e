import { z } from "zod";

const MAX_UNAVAILABLE_MAX = 1000;

export const UpgradeSpec = z.strictObject({
  target_version: z
    .string()
    .regex(
      /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/,
      "expected a version of up to 64 letters, digits and . + _ -, such as 1.2.0",
    )
    .describe("The version that the nodes are to have, such as 1.2.0"),
  strategy: z
    .enum(["rolling", "blue_green"])
    .default("rolling")
    .describe(
      "rolling: one node after the other; blue_green: the first half of the nodes and, after 5 minutes without a critical event, the other half",
    ),
  max_unavailable: z
    .int()
    .min(1)
    .max(MAX_UNAVAILABLE_MAX)
    .default(1)
    .describe("How many of the nodes may be unavailable at a time; default 1"),
});
export type UpgradeSpec = z.output<typeof UpgradeSpec>;
