import type { Pool } from "pg";
import { idFloor } from "../../kernel/ids";
import type { Mode } from "../../operation/actor";
import { microsOf } from "./chat-budget";
import { sumUsage } from "./chat-log.sql";
import { CHAT_REQUEST_ID_PREFIX } from "./create-chat-ledger";

interface ChatPeriod {
  tenantId: string;
  projectId: string | undefined;
  mode: Mode;
  from: Date;
  to: Date;
}

/** Sums over the chat requests that began in the period and have ended. */
export async function sumChatUsage(sql: Pool, { from, to, ...place }: ChatPeriod) {
  const [fromId = "", toId = ""] = [from, to].map((at) => idFloor(CHAT_REQUEST_ID_PREFIX, at.getTime()));
  const [sums] = await sumUsage(sql, { ...place, fromId, toId, groups: [], take: 1 });
  return {
    ...{ requests: Number(sums?.requests ?? 0), errors: Number(sums?.errors ?? 0) },
    prompt_tokens: Number(sums?.prompt_tokens ?? 0),
    completion_tokens: Number(sums?.completion_tokens ?? 0),
    cost_micros: microsOf(BigInt(sums?.cost_nanos ?? 0)),
    latency_ms: { p50: sums?.total_p50 ?? null, p95: sums?.total_p95 ?? null },
  };
}
