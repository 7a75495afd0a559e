import { numberOf } from "../../../kernel/relayed-json";
import type { ChatUsage } from "../ledger/chat-ledger";
import type { Completion, CompletionChoice } from "./chat-stages";
import { toUsage } from "./reported-usage";
import { type CallPart, isIndex, type StreamedCall, StreamedCalls } from "./streamed-calls";

/** Of longer answers only the beginning is kept. */
const CHARS_MAX = 1024 * 1024;
const CHOICES_MAX = 128;

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
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Chunk) : undefined;

type Fields = Record<string, unknown>;

/** Texts of a message that a client joins. Two names of one thing: upstreams send one of them or both. */
const TEXTS = ["content", "refusal", "reasoning_content", "reasoning"] as const;
type TextName = (typeof TEXTS)[number];

/** Fields of chunks, choices and deltas that are kept, or that say nothing about the answer. */
const KNOWN = {
  chunk: new Set([
    "id",
    "object",
    "created",
    "model",
    "choices",
    "usage",
    "error",
    "system_fingerprint",
    "service_tier",
    "obfuscation",
    "provider",
    "simulated",
    "x_groq",
    "timings",
    "prompt_filter_results",
  ]),
  choice: new Set([
    "index",
    "delta",
    "message",
    "logprobs",
    "usage",
    "finish_reason",
    "native_finish_reason",
    "stop_reason",
    "matched_stop",
    "content_filter_results",
    "content_filter_offset",
  ]),
  delta: new Set([...TEXTS, "role", "tool_calls", "function_call"]),
};

interface Choice {
  texts: Record<TextName, string>;
  calls: StreamedCalls;
  /** The only call of a request with `functions`, which OpenAI has replaced by tools. */
  called: StreamedCalls;
  logprobs: Record<string, unknown[] | null> | null;
  finishReason: string | null;
}

/** Puts an answer together from the chunks of a stream. */
export class CompletionParts {
  readonly #choices = new Map<number, Choice>();
  #head: Pick<Completion, "id" | "created" | "model"> | undefined;
  #chars = 0;
  #isUnderstood = true;
  /** Characters of all that is kept. */
  #held = 0;
  readonly #charsMax: number;
  /** Whether the answer is too long to be kept. */
  isCut = false;

  constructor(charsMax = CHARS_MAX) {
    this.#charsMax = charsMax;
  }

  add(chunk: Chunk): void {
    const { id, created, model, choices } = chunk;
    this.#head ??= {
      id: typeof id === "string" ? id : "",
      created: numberOf(created) ?? 0,
      model: typeof model === "string" ? model : "",
    };
    this.#understand(hasOnly(chunk, KNOWN.chunk));
    this.#understand(isEmpty(choices) || Array.isArray(choices));
    const entries = (Array.isArray(choices) ? choices : []) as (Fields | null)[];
    // Two choices without a number in one event could be the same one or not.
    this.#understand(entries.filter((entry) => isEmpty(entry?.index)).length < 2);
    for (const entry of entries) {
      const choice = this.#choice(entry?.index);
      if (entry && choice) this.#addTo(choice, entry);
    }
  }

  /** Adds an event that is no chunk. */
  addUnknown(): void {
    this.#isUnderstood = false;
  }

  /** Characters so far, of all choices. */
  get chars(): number {
    return this.#chars;
  }

  /** Whether every choice that began has ended. */
  get isFinished(): boolean {
    return this.#choices.size > 0 && [...this.#choices.values()].every(({ finishReason }) => finishReason !== null);
  }

  /** Whether `completion` has everything that was in the stream, so that it can be cached in its place. */
  get isUnderstood(): boolean {
    return (
      this.#isUnderstood &&
      !this.isCut &&
      [...this.#choices.values()].every(({ calls, called }) => calls.isClear && called.isClear)
    );
  }

  /** Everything that the model wrote, for counting its tokens. */
  get written(): string {
    return [...this.#choices.values()]
      .map(({ texts, calls, called }) =>
        [
          texts.reasoning.length > texts.reasoning_content.length ? texts.reasoning : texts.reasoning_content,
          texts.content,
          texts.refusal,
          ...[...calls.all, ...called.all].map((call) => call.name + call.text),
        ].join(""),
      )
      .join("\n");
  }

  completion(model: string, usage: ChatUsage): Completion {
    const choices = [...this.#choices].sort(([a], [b]) => a - b).map(([index, choice]) => toChoice(index, choice));
    const { id = "", created = 0, model: named } = this.#head ?? {};
    return { id, object: "chat.completion", created, model: named || model, choices, usage: toUsage(usage) };
  }

  #choice(index: unknown): Choice | undefined {
    const number = numberOf(index);
    const at = isIndex(number) ? number : 0;
    this.#understand(isIndex(number) || isEmpty(index));
    const known = this.#choices.get(at);
    if (known) return known;
    if (this.#choices.size >= CHOICES_MAX) {
      this.isCut = true;
      return undefined;
    }
    const choice: Choice = {
      texts: { content: "", refusal: "", reasoning_content: "", reasoning: "" },
      calls: new StreamedCalls(),
      called: new StreamedCalls(),
      logprobs: null,
      finishReason: null,
    };
    this.#choices.set(at, choice);
    return choice;
  }

  #addTo(choice: Choice, entry: Fields): void {
    this.#understand(hasOnly(entry, KNOWN.choice));
    const { finish_reason: end, delta, message, logprobs } = entry;
    if (typeof end === "string") choice.finishReason = end;
    // A whole message instead of a part of one: its calls have no index, and each is another one.
    const part = delta ?? message;
    // Some repeat the whole message behind or beside its parts.
    const isRepeated = !isEmpty(message) && (part !== message || isBegun(choice));
    if (isRepeated) this.#understand(false);
    if (typeof part === "object" && part !== null && (part !== message || !isRepeated)) {
      this.#addDelta(choice, part as Fields, part === message);
    }
    if (!isEmpty(logprobs)) this.#addLogprobs(choice, logprobs);
  }

  #addDelta(choice: Choice, delta: Fields, isMessage: boolean): void {
    this.#understand(hasOnly(delta, KNOWN.delta) && (isEmpty(delta.role) || delta.role === "assistant"));
    for (const name of TEXTS) {
      const text = delta[name];
      if (typeof text === "string") choice.texts[name] += this.#kept(text);
      else if (!isEmpty(text)) {
        this.#understand(false);
        choice.texts[name] += this.#kept(JSON.stringify(text));
      }
    }
    const { tool_calls: calls, function_call: called } = delta;
    this.#understand(isEmpty(calls) || Array.isArray(calls));
    for (const [at, part] of (Array.isArray(calls) ? calls : []).entries()) {
      this.#call(choice.calls, isMessage ? { index: at, ...(part as CallPart) } : part);
    }
    if (!isEmpty(called)) this.#call(choice.called, { index: 0, function: called as object });
  }

  #call(calls: StreamedCalls, part: unknown): void {
    if (typeof part !== "object" || part === null || !calls.add(part, (text) => this.#kept(text)))
      this.#understand(false);
  }

  /** `{ content: [...], refusal: [...] }`, each with an entry per token. */
  #addLogprobs(choice: Choice, logprobs: unknown): void {
    this.#understand(typeof logprobs === "object");
    choice.logprobs ??= {};
    for (const [name, tokens] of Object.entries(logprobs as object)) {
      choice.logprobs[name] ??= null;
      if (!Array.isArray(tokens)) this.#understand(tokens === null);
      else if (this.#hasRoomFor(JSON.stringify(tokens))) {
        choice.logprobs[name] ??= [];
        for (const token of tokens) choice.logprobs[name].push(token);
      }
    }
  }

  #understand(isUnderstood: boolean): void {
    this.#isUnderstood &&= isUnderstood;
  }

  #kept(text: string): string {
    this.#chars += text.length;
    return this.#hasRoomFor(text) ? text : "";
  }

  #hasRoomFor({ length }: string): boolean {
    this.#held += length;
    this.isCut ||= this.#held > this.#charsMax;
    return this.#held <= this.#charsMax;
  }
}

const isBegun = ({ texts, calls, called }: Choice): boolean =>
  TEXTS.some((name) => texts[name] !== "") || calls.all.length + called.all.length > 0;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

const hasOnly = (value: object, known: ReadonlySet<string>): boolean =>
  Object.entries(value).every(([name, one]) => known.has(name) || isEmpty(one));

function toChoice(index: number, { texts, calls, called, logprobs, finishReason }: Choice): CompletionChoice {
  const toolCalls = calls.all.map(toCall);
  const [only] = called.all;
  const isCall = toolCalls.length > 0 || only !== undefined;
  const message = {
    role: "assistant",
    content: texts.content === "" && isCall ? null : texts.content,
    refusal: texts.refusal || null,
    ...(texts.reasoning_content !== "" && { reasoning_content: texts.reasoning_content }),
    ...(texts.reasoning !== "" && { reasoning: texts.reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    ...(only && { function_call: { name: only.name, arguments: only.text } }),
  };
  return { index, message, logprobs, finish_reason: finishReason };
}

const toCall = ({ id, type, name, text }: StreamedCall) => ({
  ...(id !== "" && { id }),
  type,
  ...(type === "custom" ? { custom: { name, input: text } } : { function: { name, arguments: text } }),
});

/** Everything that the model wrote in an answer that is no stream. */
export function writtenIn(completion: Pick<Completion, "choices">): string {
  const parts = new CompletionParts(Number.POSITIVE_INFINITY);
  parts.add({ choices: completion.choices });
  return parts.written;
}
