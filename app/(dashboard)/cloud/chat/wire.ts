import type { Outputs } from "../../../trpc/client";

export type ChatRequest = Outputs["listChatRequests"]["data"][number];
export type ChatRequestWithBodies = Outputs["getChatRequest"];
export type ChatBudget = Outputs["listChatBudgets"]["data"][number];
export type ChatUsage = Outputs["getChatUsage"];
export type ChatUpstream = Outputs["listChatUpstreams"]["data"][number];
export type ChatSettings = Outputs["getChatSettings"];
