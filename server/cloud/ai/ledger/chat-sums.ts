import type { Pool } from "pg";
import { z } from "zod";
import { idFloor } from "../../../kernel/ids";
import type { Mode } from "../../../operation/actor";
import { CHAT_REQUEST_ID_PREFIX } from "./begun-row";
import { microsOf } from "./chat-budget";
import { sumUsage, type UsageGroup, type UsageRow } from "./chat-log.sql";

const Quantiles = z.object({ p50: z.int().nullable(), p95: z.int().nullable() });

/** What is summed over chat requests that have ended. */
export const ChatSums = z.object({
  requests: z.int().describe("Requests that have ended, refused ones included"),
  errors: z.int(),
  cached: z.int().describe("Answered from the cache"),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cost_micros: z.number(),
  latency_ms: Quantiles.describe("To the end of successful answers that did not come from the cache"),
  first_byte_ms: Quantiles.describe("The same to the first byte"),
});
export type ChatSums = z.output<typeof ChatSums>;

export interface ChatPeriod {
  tenantId: string;
  /** Undefined: all. */
  projectId: string | undefined;
  mode: Mode;
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** Rows of the requests that began in the period and have ended, by group, at most `take`. Without groups it is one row. */
export function sumChatRequests(
  sql: Pool,
  { from, to, ...owner }: ChatPeriod,
  { groups, take }: { groups: readonly UsageGroup[]; take: number },
): Promise<UsageRow[]> {
  const [fromId = "", toId = ""] = [from, to].map((at) => idFloor(CHAT_REQUEST_ID_PREFIX, at.getTime()));
  return sumUsage(sql, { ...owner, fromId, toId, groups, take });
}

export const toChatSums = (row: UsageRow): ChatSums => ({
  requests: Number(row.requests),
  errors: Number(row.errors),
  cached: Number(row.cached),
  prompt_tokens: Number(row.prompt_tokens),
  completion_tokens: Number(row.completion_tokens),
  cost_micros: microsOf(BigInt(row.cost_nanos)),
  latency_ms: { p50: row.total_p50, p95: row.total_p95 },
  first_byte_ms: { p50: row.first_p50, p95: row.first_p95 },
});
