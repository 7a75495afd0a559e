import { type Change, inProject, to } from "./change";

export const changes: readonly Change[] = [
  {
    operation: "createChatBudget",
    actions: ["chat_budget.created"],
    events: ["gateway.budget.created"],
    prepare: (s) => inProject(s, { name: s.unique("budget"), tokens: 100, window: "day" }),
  },
  {
    operation: "updateChatBudget",
    actions: ["chat_budget.updated"],
    events: ["gateway.budget.updated"],
    prepare: async (s) => to(await s.budget(), { tokens: 200 }, "budget"),
  },
  {
    operation: "deleteChatBudget",
    actions: ["chat_budget.deleted"],
    events: ["gateway.budget.deleted"],
    prepare: async (s) => to(await s.budget(), {}, "budget"),
  },
  {
    operation: "updateChatSettings",
    actions: ["chat_settings.updated"],
    events: ["gateway.settings.updated"],
    prepare: (s) => inProject(s, { cache_seconds: 60 }),
  },
  {
    operation: "createChatUpstream",
    actions: ["chat_upstream.created"],
    events: ["chat_upstream.created"],
    prepare: (s) =>
      inProject(s, { name: s.unique("upstream"), base_url: "https://api.example/v1", models: [{ name: "m" }] }),
  },
  {
    operation: "updateChatUpstream",
    actions: ["chat_upstream.updated"],
    events: ["chat_upstream.updated"],
    prepare: async (s) => to(await s.chatUpstream(), { weight: 9 }),
  },
  {
    operation: "deleteChatUpstream",
    actions: ["chat_upstream.deleted"],
    events: ["chat_upstream.deleted"],
    prepare: async (s) => to(await s.chatUpstream()),
  },
];
