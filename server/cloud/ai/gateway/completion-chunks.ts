import type { Completion, CompletionChoice } from "./chat-stages";
import { DONE_EVENT, eventOf } from "./event-splitter";

/** As models do: a word and the space before it. */
const PIECE = /\s*\S+|\s+$/g;

type Fields = Readonly<Record<string, unknown>>;

/** A complete answer as the events of a stream, ending with `[DONE]`; `usage` adds the event that has it. */
export function* eventsOf(completion: Completion, withUsage: boolean): Generator<Buffer> {
  const { choices, usage = null, object: _, ...head } = completion;
  const chunk = (index: number, delta: object, more: Fields = {}) =>
    eventOf({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index, delta, logprobs: null, finish_reason: null, ...more }],
      ...(withUsage && { usage: null }),
    });
  for (const choice of choices) {
    const { message, index, logprobs, finish_reason } = choice;
    const { content, role: _role, refusal: _refusal, tool_calls: calls, ...others } = message;
    yield chunk(index, { role: "assistant", content: calls || message.function_call ? null : "" });
    if (hasValue(others)) yield chunk(index, others);
    // The tokens of `logprobs` are not the words below, so they come with the whole text.
    if (logprobs) yield chunk(index, textsOf(message), { logprobs });
    else for (const delta of deltasOf(choice)) yield chunk(index, delta);
    for (const delta of callsOf(choice)) yield chunk(index, delta);
    yield chunk(index, {}, { finish_reason });
  }
  if (withUsage) yield eventOf({ ...head, object: "chat.completion.chunk", choices: [], usage });
  yield DONE_EVENT;
}

const hasValue = (fields: Fields): boolean =>
  Object.values(fields).some((value) => value !== undefined && value !== null);

function textsOf({ content, refusal }: Fields): object {
  return { ...(content ? { content } : {}), ...(refusal ? { refusal } : {}) };
}

function* deltasOf({ message: { content, refusal } }: CompletionChoice): Generator<object> {
  for (const piece of typeof content === "string" ? (content.match(PIECE) ?? []) : []) yield { content: piece };
  if (content && typeof content !== "string") yield { content };
  if (refusal) yield { refusal };
}

function* callsOf({ message: { tool_calls: calls } }: CompletionChoice): Generator<object> {
  for (const [index, call] of (Array.isArray(calls) ? (calls as Fields[]) : []).entries()) {
    const called = call.function as { name: string; arguments: string } | undefined;
    if (!called) {
      yield { tool_calls: [{ index, ...call }] };
      continue;
    }
    yield { tool_calls: [{ index, ...call, function: { ...called, arguments: "" } }] };
    yield { tool_calls: [{ index, function: { arguments: called.arguments } }] };
  }
}

interface Whole {
  choices?: unknown;
  usage?: unknown;
}

/** Whether an event has whole messages instead of parts of them, as an answer that is no stream has. */
export const isWhole = ({ choices }: Whole): boolean =>
  Array.isArray(choices) &&
  choices.length > 0 &&
  choices.every((choice: Fields | null) => isObject(choice?.message) && !isObject(choice?.delta));

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** An answer that is no stream as one event, and one with its usage if that is wanted. */
export function* eventsOfWhole(whole: Whole, withUsage: boolean): Generator<Buffer> {
  const { choices, usage, ...head } = whole;
  const parts = (choices as Fields[]).map(({ message, ...rest }, at) => ({
    index: at,
    ...rest,
    delta: deltaOf(message as Fields),
  }));
  yield eventOf({ ...head, object: "chat.completion.chunk", choices: parts });
  if (withUsage && usage) yield eventOf({ ...head, object: "chat.completion.chunk", choices: [], usage });
}

/** Calls of tools have numbers in a stream, and none in a whole message. */
const deltaOf = ({ tool_calls: calls, ...message }: Fields): Fields => ({
  ...message,
  ...(Array.isArray(calls) && { tool_calls: calls.map((call: Fields, index) => ({ index, ...call })) }),
});
