import { z } from "zod";
import { NETWORK_BLOCKS } from "../network/network-blocks";

/** Problems that prevent offers or earnings. */
export const ATTENTION_KINDS = [
  "total_budget_spent",
  "daily_budget_spent",
  "past_end",
  "nothing_to_serve",
  ...NETWORK_BLOCKS,
  "quiet_channel",
  "unused_channel",
  "invalid_traffic",
] as const;

export const Attention = z.object({
  kind: z.enum(ATTENTION_KINDS),
  noun: z.enum(["campaign", "channel"]),
  id: z.string(),
  name: z.string(),
  share: z.number().nullable().describe("The share of events that do not count, 0 to 1; null for every other kind"),
});

export type Attention = z.infer<typeof Attention>;
