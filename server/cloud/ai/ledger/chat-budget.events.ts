import { z } from "zod";
import { type EventKind, eventKind, eventsOf } from "../../../operation/event-kind";
import { exampleId } from "../../../operation/example";

const Change = z.object({
  budget_id: z.string(),
  name: z.string(),
  key_id: z.string().nullable(),
  amount_micros: z.int().nullable(),
  tokens: z.int().nullable(),
  window: z.enum(["day", "month"]),
  action: z.enum(["block", "notify"]),
});

const example = {
  budget_id: exampleId("bdg"),
  name: "Support bot",
  key_id: null,
  amount_micros: 50_000_000,
  tokens: null,
  window: "month" as const,
  action: "block" as const,
};

const eventOf = eventsOf(Change, example);

export const budgetCreated = eventOf("gateway.budget.created", "A budget of chat requests was created.");

export const budgetUpdated = eventKind({
  type: "gateway.budget.updated",
  description: "A budget of chat requests was changed.",
  data: Change.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...example, changed: ["amount_micros"] },
});

export const budgetDeleted = eventOf("gateway.budget.deleted", "A budget of chat requests was deleted.");

export const budgetReached = eventKind({
  type: "gateway.budget.reached",
  description:
    "Chat requests have spent 80 % or 100 % of a budget, each at most once per window. What is left after 80 % may be too little for a request: when one is refused, that counts as 100 %.",
  data: Change.extend({
    percent: z.union([z.literal(80), z.literal(100)]),
    spent_micros: z.number(),
    spent_tokens: z.int(),
    currency: z.string(),
    window_start: z.iso.datetime(),
    resets_at: z.iso.datetime(),
  }),
  example: {
    ...example,
    percent: 80,
    spent_micros: 40_012_500,
    spent_tokens: 13_337_500,
    currency: "USD",
    window_start: "2026-11-01T00:00:00.000Z",
    resets_at: "2026-12-01T00:00:00.000Z",
  },
});

export const chatBudgetEventKinds: readonly EventKind[] = [budgetCreated, budgetUpdated, budgetDeleted, budgetReached];
