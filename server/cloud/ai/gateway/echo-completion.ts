import { sha256 } from "../../../kernel/secrets";
import type { ChatBody, Completion, CompletionChoice } from "./chat-stages";
import { countPrompt, countTokens, textOf } from "./count-tokens";
import { schemaExample } from "./schema-example";

export const ECHO_MODEL = "svc-echo";

/** The time in every answer, so that equal requests have equal answers. */
const CREATED = 1_700_000_000;
/** Longer messages are repeated up to here. */
const CHARS_MAX = 32_768;
/** Where the schema of a tool's arguments is missing. */
const ANY_OBJECT = { type: "object" };

/**
 * The answer of svc's simulated model: it repeats the last message of the user, or calls the tool that the request
 * forces with an example of its arguments. The same request always has the same answer; tokens are counted as real
 * ones.
 */
export async function echoCompletion(body: ChatBody): Promise<Completion> {
  const { model, messages } = body;
  const id = `chatcmpl-${sha256(JSON.stringify([model, messages, body.tools, body.tool_choice])).slice(0, 29)}`;
  const promptTokens = await countPrompt(messages, body.tools);
  const written = await choiceOf(body, id);
  const count = typeof body.n === "number" ? body.n : 1;
  const completionTokens = written.tokens * count;
  return {
    id,
    object: "chat.completion",
    created: CREATED,
    model,
    choices: Array.from({ length: count }, (_, index) => ({ ...written.choice, index })),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
    system_fingerprint: null,
    simulated: true,
  };
}

interface Written {
  /** Of the first answer; the others differ in their index only. */
  choice: CompletionChoice;
  tokens: number;
}

async function choiceOf(body: ChatBody, id: string): Promise<Written> {
  const called = forcedTool(body);
  if (!called) return textChoice(body);
  const text = JSON.stringify(schemaExample(called.parameters ?? ANY_OBJECT));
  const call = { id: `call_${id.slice(-24)}`, type: "function", function: { name: called.name, arguments: text } };
  return {
    choice: {
      index: 0,
      message: { role: "assistant", content: null, refusal: null, tool_calls: [call] },
      logprobs: null,
      finish_reason: "tool_calls",
    },
    tokens: (await countTokens(called.name)) + (await countTokens(text)),
  };
}

async function textChoice(body: ChatBody): Promise<Written> {
  const whole = untilStop(answerText(body), body.stop);
  const { text, tokens, isCut } = await cutTo(whole, body.max_completion_tokens ?? body.max_tokens);
  return {
    choice: {
      index: 0,
      message: { role: "assistant", content: text, refusal: null },
      logprobs: null,
      finish_reason: isCut ? "length" : "stop",
    },
    tokens,
  };
}

/** The last message of the user; an example of the schema where the request asks for JSON. */
function answerText({ messages, response_format: format }: ChatBody): string {
  const last = messages.findLast(({ role }) => role === "user") ?? messages.at(-1);
  const said = textOf(last?.content).slice(0, CHARS_MAX).toWellFormed();
  const { type, json_schema: named } = (format ?? {}) as { type?: unknown; json_schema?: { schema?: unknown } };
  if (type === "json_schema") return JSON.stringify(schemaExample(named?.schema ?? ANY_OBJECT));
  return type === "json_object" ? JSON.stringify({ echo: said }) : said;
}

/** The part before the first stop sequence. */
function untilStop(text: string, stop: unknown): string {
  const stops = (Array.isArray(stop) ? stop : [stop]).filter(
    (one): one is string => typeof one === "string" && one !== "",
  );
  const ends = stops.map((one) => text.indexOf(one)).filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

/** The longest beginning of at most `max` tokens. */
async function cutTo(text: string, max: unknown): Promise<{ text: string; tokens: number; isCut: boolean }> {
  const tokens = await countTokens(text);
  if (typeof max !== "number" || tokens <= max) return { text, tokens, isCut: false };
  const characters = [...text];
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((await countTokens(characters.slice(0, middle).join(""))) <= max) low = middle;
    else high = middle - 1;
  }
  const cut = characters.slice(0, low).join("");
  return { text: cut, tokens: await countTokens(cut), isCut: true };
}

interface Tool {
  name: string;
  parameters?: unknown;
}

/** The tool that the request forces: a named one, or with "required" the first one. It is not called a second time. */
function forcedTool({ tools, tool_choice: choice, messages }: ChatBody): Tool | undefined {
  if (messages.at(-1)?.role === "tool" || !Array.isArray(tools)) return undefined;
  const known = (tools as { function?: Partial<Tool> }[]).flatMap(({ function: one } = {}) =>
    typeof one?.name === "string" ? [one as Tool] : [],
  );
  if (choice === "required") return known[0];
  const named = (choice as { function?: { name?: unknown } } | null | undefined)?.function?.name;
  return known.find(({ name }) => name === named);
}
