import { numberOf } from "../../../kernel/relayed-json";
import type { ChatUsage } from "../ledger/chat-ledger";
import type { CompletionUsage } from "./chat-stages";

export const toUsage = ({ promptTokens, completionTokens }: ChatUsage): CompletionUsage => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

/**
 * What an upstream reports; undefined for none and for what are no counts. An explicit 0 stays 0. Vectors have no
 * completion tokens, so these may be left out where the total says as much.
 */
export function reportedUsage(usage: unknown): ChatUsage | undefined {
  const { prompt_tokens, completion_tokens, total_tokens } = (usage ?? {}) as Counts;
  const [prompt, total] = [numberOf(prompt_tokens), numberOf(total_tokens)];
  if (!isCount(prompt)) return undefined;
  const completion = isMissing(completion_tokens) ? isCount(total) && total - prompt : numberOf(completion_tokens);
  if (!isCount(completion)) return undefined;
  return { promptTokens: prompt, completionTokens: completion, isEstimated: false };
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

type Counts = Record<string, unknown>;

/** The usage in an event of a stream, wherever its upstream puts it: OpenAI beside `choices`, others within. */
export function usageIn({ usage, x_groq: groq, choices }: Counts): ChatUsage | undefined {
  const inChoices = Array.isArray(choices) ? choices.map((choice) => (choice as Counts | null)?.usage) : [];
  const places = [usage, (groq as Counts | null | undefined)?.usage, ...inChoices];
  return places.map(reportedUsage).find((one) => one !== undefined);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
