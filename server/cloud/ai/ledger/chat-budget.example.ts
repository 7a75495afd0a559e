import { EXAMPLE_TIMES, exampleId } from "../../../operation/example";
import type { ChatBudget } from "./chat-budget";

export const chatBudgetExample: ChatBudget = {
  id: exampleId("bdg"),
  project_id: exampleId("prj"),
  mode: "live",
  key_id: null,
  name: "Support bot",
  currency: "USD",
  amount_micros: 50_000_000,
  tokens: null,
  window: "month",
  action: "block",
  spent: { amount_micros: 12_345_678.5, tokens: 4_115_226 },
  reserved: { amount_micros: 3072, tokens: 1024 },
  remaining: { amount_micros: 37_654_321.5, tokens: null },
  resets_at: "2026-12-01T00:00:00.000Z",
  simulated: false,
  ...EXAMPLE_TIMES,
};
