import type { ChatUsage } from "../ledger/chat-ledger";
import type { Completion, CompletionChoice, CompletionUsage } from "./chat-stages";

/** Of longer answers only the beginning is kept. */
const CHARS_MAX = 1024 * 1024;
const CHOICES_MAX = 128;
const CALLS_MAX = 128;

/** One event of a stream. */
export interface Chunk {
  id?: unknown;
  created?: unknown;
  model?: unknown;
  choices?: unknown;
  usage?: unknown;
  error?: unknown;
  [field: string]: unknown;
}

export const chunkOf = (value: unknown): Chunk | undefined =>
  typeof value === "object" && value !== null ? (value as Chunk) : undefined;

interface Delta {
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  tool_calls?: unknown;
}

interface CallPart {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown };
}

interface Choice {
  content: string;
  refusal: string;
  /** Reasoning is billed, but is no part of the answer. */
  reasoning: string;
  calls: Map<number, { id: string; name: string; arguments: string }>;
  finishReason: string | null;
}

/** Puts an answer together from the chunks of a stream. */
export class CompletionParts {
  readonly #choices = new Map<number, Choice>();
  #head: Pick<Completion, "id" | "created" | "model"> | undefined;
  #chars = 0;
  /** Whether the answer is too long to be kept. */
  isCut = false;

  add({ id, created, model, choices }: Chunk): void {
    this.#head ??= {
      id: typeof id === "string" ? id : "",
      created: typeof created === "number" ? created : 0,
      model: typeof model === "string" ? model : "",
    };
    if (!Array.isArray(choices)) return;
    for (const entry of choices as { index?: unknown; delta?: Delta | null; finish_reason?: unknown }[]) {
      const choice = this.#choice(entry?.index);
      if (!choice) continue;
      if (typeof entry.finish_reason === "string") choice.finishReason = entry.finish_reason;
      if (entry.delta) this.#addDelta(choice, entry.delta);
    }
  }

  /** Characters so far, of all choices. */
  get chars(): number {
    return this.#chars;
  }

  /** Whether every choice that began has ended. */
  get isFinished(): boolean {
    return this.#choices.size > 0 && [...this.#choices.values()].every(({ finishReason }) => finishReason !== null);
  }

  /** Everything that the model wrote, for counting its tokens. */
  get written(): string {
    return [...this.#choices.values()]
      .map(({ content, refusal, reasoning, calls }) =>
        [reasoning, content, refusal, ...[...calls.values()].map((call) => call.name + call.arguments)].join(""),
      )
      .join("\n");
  }

  completion(model: string, usage: ChatUsage): Completion {
    const choices = [...this.#choices].sort(([a], [b]) => a - b).map(([index, choice]) => toChoice(index, choice));
    const { id = "", created = 0, model: named } = this.#head ?? {};
    return { id, object: "chat.completion", created, model: named || model, choices, usage: toUsage(usage) };
  }

  #choice(index: unknown): Choice | undefined {
    const at = typeof index === "number" ? index : 0;
    const known = this.#choices.get(at);
    if (known || this.#choices.size >= CHOICES_MAX) return known;
    const choice: Choice = { content: "", refusal: "", reasoning: "", calls: new Map(), finishReason: null };
    this.#choices.set(at, choice);
    return choice;
  }

  #addDelta(choice: Choice, { content, refusal, reasoning_content: reasoning, tool_calls: calls }: Delta): void {
    if (typeof content === "string") choice.content += this.#counted(content);
    if (typeof refusal === "string") choice.refusal += this.#counted(refusal);
    if (typeof reasoning === "string") choice.reasoning += this.#counted(reasoning);
    if (!Array.isArray(calls)) return;
    for (const { index, id, function: called } of calls as CallPart[]) {
      const at = typeof index === "number" ? index : 0;
      const call = choice.calls.get(at) ?? { id: "", name: "", arguments: "" };
      if (choice.calls.size < CALLS_MAX) choice.calls.set(at, call);
      if (typeof id === "string") call.id = id.slice(0, 200);
      if (typeof called?.name === "string") call.name += this.#counted(called.name);
      if (typeof called?.arguments === "string") call.arguments += this.#counted(called.arguments);
    }
  }

  #counted(text: string): string {
    this.#chars += text.length;
    if (this.#chars <= CHARS_MAX) return text;
    this.isCut = true;
    return "";
  }
}

function toChoice(index: number, { content, refusal, calls, finishReason }: Choice): CompletionChoice {
  const toolCalls = [...calls]
    .sort(([a], [b]) => a - b)
    .map(([, { id, name, arguments: text }]) => ({
      id,
      type: "function",
      function: { name, arguments: text },
    }));
  const message = {
    role: "assistant",
    content: content === "" && toolCalls.length > 0 ? null : content,
    refusal: refusal || null,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
  return { index, message, logprobs: null, finish_reason: finishReason };
}

export const toUsage = ({ promptTokens, completionTokens }: ChatUsage): CompletionUsage => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

/** What an upstream reports; undefined for none and for what are no counts. An explicit 0 stays 0. */
export function reportedUsage(usage: unknown): ChatUsage | undefined {
  const { prompt_tokens: prompt, completion_tokens: completion = 0 } = (usage ?? {}) as Record<string, unknown>;
  if (!isCount(prompt) || !isCount(completion)) return undefined;
  return { promptTokens: prompt, completionTokens: completion, isEstimated: false };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Everything that the model wrote in an answer that is no stream. */
export function writtenIn({ choices }: Pick<Completion, "choices">): string {
  const messages = (Array.isArray(choices) ? choices : []).map(({ message } = {} as CompletionChoice) => message ?? {});
  return messages
    .flatMap(({ content, tool_calls: calls }) => [
      typeof content === "string" ? content : "",
      Array.isArray(calls) ? JSON.stringify(calls) : "",
    ])
    .join("\n");
}
