import { expect, it } from "vitest";
import type { Completion } from "./chat-stages";
import { eventsOf } from "./completion-chunks";
import { CompletionParts } from "./completion-parts";
import { dataOf } from "./event-splitter";
import { reportedUsage, toUsage } from "./reported-usage";

const call = (id: string) => ({ id, type: "function", function: { name: `f_${id}`, arguments: '{"a":1}' } });
const message = (fields: object) => ({ role: "assistant", content: "", refusal: null, ...fields });
const USAGE = { promptTokens: 1, completionTokens: 2, isEstimated: false };

it.each<[string, object, object]>([
  ["text", { content: "Hello there,  Ada.\n" }, {}],
  ["a refusal", { refusal: "I cannot do that." }, {}],
  ["reasoning", { content: "Hi", reasoning_content: "Let me see." }, {}],
  ["calls of tools", { content: null, tool_calls: [call("a"), call("b")] }, { finish_reason: "tool_calls" }],
  [
    "a custom tool",
    { content: null, tool_calls: [{ id: "a", type: "custom", custom: { name: "sql", input: "x" } }] },
    {},
  ],
  ["a legacy call", { content: null, function_call: { name: "f", arguments: "{}" } }, {}],
  ["logprobs", { content: "Hi there" }, { logprobs: { content: [{ token: "Hi", logprob: -0.5 }] } }],
])("an answer with %s is the same after it was sent as a stream", (_, fields, more) => {
  const choice = (index: number) => ({
    index,
    message: message(fields),
    logprobs: null,
    finish_reason: "stop",
    ...more,
  });
  const head = { id: "c", object: "chat.completion" as const, created: 1, model: "m" };
  const completion: Completion = { ...head, choices: [choice(0), choice(1)], usage: toUsage(USAGE) };
  const parts = new CompletionParts();
  const data = [...eventsOf(completion, false)].map(dataOf);
  expect(data.pop()).toBe("[DONE]");
  for (const chunk of data) parts.add(JSON.parse(chunk ?? ""));
  expect([parts.isFinished, parts.isUnderstood]).toEqual([true, true]);
  expect(parts.completion("m", USAGE)).toEqual(completion);
});

it.each([
  [{ prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 }, 0],
  [{ prompt_tokens: 1, total_tokens: 3 }, 2],
  [{ prompt_tokens: 1, completion_tokens: null, total_tokens: 3 }, 2],
  [{ prompt_tokens: 1 }, undefined],
  [{ prompt_tokens: 3, total_tokens: 1 }, undefined],
  [{ prompt_tokens: 1, completion_tokens: -1 }, undefined],
  [{ prompt_tokens: 1, completion_tokens: "2" }, undefined],
  [undefined, undefined],
])("of %j the completion tokens are %j", (usage, completionTokens) => {
  expect(reportedUsage(usage)?.completionTokens).toBe(completionTokens);
});
