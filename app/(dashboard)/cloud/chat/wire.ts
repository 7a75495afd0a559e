import type { Outputs } from "../../../trpc/client";

type Gateway = Outputs["cloud"]["gateway"];

export type ChatRequest = Gateway["requests"]["list"]["data"][number];
export type ChatRequestWithBodies = Gateway["requests"]["get"];
export type ChatBudget = Gateway["budgets"]["list"]["data"][number];
export type ChatUsage = Gateway["usage"];
export type ChatUpstream = Gateway["upstreams"]["list"]["data"][number];
export type ChatSettings = Gateway["settings"]["get"];
