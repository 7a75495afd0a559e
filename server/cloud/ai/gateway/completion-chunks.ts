import type { Completion, CompletionChoice } from "./chat-stages";
import { DONE_EVENT, eventOf } from "./event-splitter";

/** As models do: a word and the space before it. */
const PIECE = /\s*\S+|\s+$/g;

/** A complete answer as the events of a stream, ending with `[DONE]`; `usage` adds the event that has it. */
export function* eventsOf(completion: Completion, withUsage: boolean): Generator<Buffer> {
  const { choices, usage = null, object: _, ...head } = completion;
  const chunk = (index: number, delta: object, finishReason: string | null = null) =>
    eventOf({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index, delta, logprobs: null, finish_reason: finishReason }],
      ...(withUsage && { usage: null }),
    });
  for (const choice of choices) {
    yield chunk(choice.index, { role: "assistant", content: choice.message.tool_calls ? null : "" });
    for (const delta of deltasOf(choice)) yield chunk(choice.index, delta);
    yield chunk(choice.index, {}, choice.finish_reason);
  }
  if (withUsage) yield eventOf({ ...head, object: "chat.completion.chunk", choices: [], usage });
  yield DONE_EVENT;
}

function* deltasOf({ message }: CompletionChoice): Generator<object> {
  const { content, tool_calls: calls } = message;
  for (const piece of typeof content === "string" ? (content.match(PIECE) ?? []) : []) yield { content: piece };
  for (const [index, call] of (Array.isArray(calls) ? calls : []).entries()) {
    const { function: called, ...rest } = call as { function: { name: string; arguments: string } };
    yield { tool_calls: [{ index, ...rest, function: { name: called.name, arguments: "" } }] };
    yield { tool_calls: [{ index, function: { arguments: called.arguments } }] };
  }
}
