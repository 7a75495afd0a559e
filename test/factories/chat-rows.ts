import type { ChatOutcome, ChatStart } from "../../server/cloud/ai/ledger/chat-ledger";
import { newId } from "../../server/kernel/ids";
import type { TestDatabase } from "./postgres";

export const NOON = new Date("2026-11-20T12:00:00Z");

/** A request that costs 10,000 nanos and 19 tokens at most. */
export const startIn = (projectId: string, more: Partial<ChatStart> = {}): ChatStart => ({
  tenantId: "ten_1",
  projectId,
  mode: "live",
  keyId: "key_1",
  requestId: "req_1",
  endpoint: "chat",
  model: "m",
  price: { inputNanos: 100, outputNanos: 1000 },
  promptTokens: 10,
  completionTokensMax: 9,
  isStream: false,
  ...more,
});

/** Costs 1,000 nanos, and 1,000 for each token of the answer. */
export const outcomeOf = (completionTokens: number, more: Partial<ChatOutcome> = {}): ChatOutcome => ({
  status: "succeeded",
  httpStatus: 200,
  upstream: "u",
  tries: 1,
  isCached: false,
  isSimulated: false,
  usage: { promptTokens: 10, completionTokens, isEstimated: false },
  firstByteMs: 5,
  totalMs: 9,
  errorCode: undefined,
  ...more,
});

interface BudgetFields {
  nanos?: number;
  tokens?: number;
  keyId?: string;
  action?: "notify";
}

/** What the chat ledger stores, as rows. */
export function chatRows(database: () => TestDatabase) {
  const rowsWhere = async (condition: string, value: string) =>
    (await database().sql.query(`SELECT * FROM ${condition} = $1`, [value])).rows;
  return {
    budget: async (projectId: string, fields: BudgetFields): Promise<string> => {
      const id = newId("bdg", Date.now());
      await database().db.chatBudget.create({
        data: {
          id,
          tenantId: "ten_1",
          projectId,
          mode: "live",
          keyId: fields.keyId ?? null,
          name: "b",
          amountMicros: fields.nanos === undefined ? null : BigInt(fields.nanos) / 1000n,
          tokens: fields.tokens === undefined ? null : BigInt(fields.tokens),
          window: "day",
          action: fields.action ?? "block",
          createdAt: NOON,
          updatedAt: NOON,
        },
      });
      return id;
    },
    spendOf: (id: string) => rowsWhere("chat_budget_spend WHERE budget_id", id),
    rowsOf: async (projectId: string) =>
      (await rowsWhere("chat_requests WHERE project_id", projectId)).sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}
