import { expect, it } from "vitest";
import { AnswerEvents } from "./answer-events";
import { newTurn, withChunk } from "./turn";

const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

it("reads the same chunks wherever the text was cut", () => {
  const sent = `: ping\n\n${chunk("Hé")}${chunk("llo")}data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2},"simulated":true}\n\ndata: [DONE]\n\n`;
  for (const length of [1, 2, 7, 50, sent.length]) {
    const events = new AnswerEvents();
    let turn = newTurn("Hi");
    for (let at = 0; at < sent.length; at += length) {
      for (const each of events.push(sent.slice(at, at + length))) turn = withChunk(turn, each, at);
    }
    expect(turn).toMatchObject({
      answer: "Héllo",
      usage: { prompt_tokens: 3, completion_tokens: 2 },
      isSimulated: true,
    });
  }
});

it("keeps what had arrived when the stream reports an error", () => {
  const partial = withChunk(newTurn("Hi"), { choices: [{ delta: { content: "Hel" } }] }, 5);
  expect(withChunk(partial, { error: { message: "It broke off." } }, 9)).toMatchObject({
    answer: "Hel",
    state: "failed",
    failure: "It broke off.",
    firstMs: 5,
  });
});
