import { relayedText } from "../../../kernel/relayed-json";
import type { ChatMessage } from "./chat-stages";

/** Longer texts are counted at their beginning, and the rest in proportion. */
const COUNTED_CHARS_MAX = 200_000;
/** OpenAI's cookbook: tokens that frame each message, and those that begin the answer. */
const [TOKENS_PER_MESSAGE, TOKENS_PER_ANSWER] = [3, 3];
/** A high-resolution picture costs about this much. */
const TOKENS_PER_PICTURE = 765;
/** English text has about this many bytes per token. */
const BYTES_PER_TOKEN = 4;

type Count = (text: string) => number;

let loading: Promise<Count> | undefined;

/** The tokens of a text in o200k_base. The encoding takes megabytes of memory and is loaded at its first use. */
export async function countTokens(text: string): Promise<number> {
  loading ??= import("gpt-tokenizer/encoding/o200k_base").then(
    ({ countTokens: count }) =>
      (counted) =>
        count(counted, { disallowedSpecial: new Set() }),
  );
  const count = await loading;
  if (text.length <= COUNTED_CHARS_MAX) return count(text);
  return Math.ceil((count(text.slice(0, COUNTED_CHARS_MAX)) * text.length) / COUNTED_CHARS_MAX);
}

/** The tokens of a conversation, counted in the way of OpenAI's cookbook; tools are counted as their JSON. */
export async function countPrompt(messages: readonly ChatMessage[], tools?: unknown): Promise<number> {
  const { texts, pictures } = partsOf(messages, tools);
  const tokens = await countTokens(texts.join("\n"));
  return tokens + messages.length * TOKENS_PER_MESSAGE + TOKENS_PER_ANSWER + pictures * TOKENS_PER_PICTURE;
}

/** About as many tokens, from the length of the texts, in microseconds. */
export function estimatePrompt(messages: readonly ChatMessage[], tools?: unknown): number {
  const { texts, pictures } = partsOf(messages, tools);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN);
  return tokens + messages.length * TOKENS_PER_MESSAGE + TOKENS_PER_ANSWER + pictures * TOKENS_PER_PICTURE;
}

/** The same for the text of an answer. */
export const estimateTokens = (chars: number): number => Math.ceil(chars / BYTES_PER_TOKEN);

function partsOf(messages: readonly ChatMessage[], tools: unknown) {
  const texts: string[] = [];
  let pictures = 0;
  for (const { content, tool_calls: calls, name } of messages) {
    if (typeof content === "string") texts.push(content);
    else if (Array.isArray(content)) {
      for (const part of content as unknown[]) {
        const text = textOfPart(part);
        if (text === undefined) pictures++;
        else texts.push(text);
      }
    }
    if (typeof name === "string") texts.push(name);
    if (Array.isArray(calls)) texts.push(relayedText(calls));
  }
  if (Array.isArray(tools)) texts.push(relayedText(tools));
  return { texts, pictures };
}

/** The text of a part of a message; undefined for pictures, sounds and files. */
function textOfPart(part: unknown): string | undefined {
  if (typeof part === "string") return part;
  const { text, refusal } = (part ?? {}) as { text?: unknown; refusal?: unknown };
  if (typeof text === "string") return text;
  return typeof refusal === "string" ? refusal : undefined;
}

/** The text of a message's content, its parts joined. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as unknown[]).map((part) => textOfPart(part) ?? "").join("");
}
