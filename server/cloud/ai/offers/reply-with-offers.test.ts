import { expect, it } from "vitest";
import { Reply } from "../../../operation/reply";
import { replyWithOffers } from "./reply-with-offers";

const OFFERS = [{ id: "off_1", clickUrl: "https://svc.test/c/1", title: "Boots for winter" }];
const SHOWN = '"svc_offers":[{"id":"off_1","click_url":"https://svc.test/c/1","mentioned":true}]';
const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

it.each(["\n", "\r", "\r\n"])("a stream whose lines end with %j has its offers before [DONE]", async (end) => {
  const events = `${event("Try Boots ")}${event("for winter")}`.replaceAll("\n", end);
  // The gateway ends every stream itself.
  const bytes = Buffer.from(`${events}data: [DONE]\n\n`);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.subarray(at, at + 7));
      controller.close();
    },
  });
  const { body: sent } = replyWithOffers(new Reply(body), OFFERS);
  expect(await new Response(sent).text()).toBe(
    `${events}data: {"object":"svc.offers","choices":[],${SHOWN}}\n\ndata: [DONE]\n\n`,
  );
});

it("a whole answer keeps its numbers as they were written", () => {
  const answer = '{"created":1.0,"choices":[{"message":{"content":"Boots for winter"}}],"seed":9007199254740993}';
  const { body } = replyWithOffers(new Reply(answer), OFFERS);
  expect(body).toBe(`${answer.slice(0, -1)},${SHOWN}}`);
});

it("a whole answer keeps bytes that are not UTF-8", () => {
  const answer = '{"choices":[{"message":{"content":"Boots for winter \xe9"}}]}';
  const { body } = replyWithOffers(new Reply(Buffer.from(answer, "latin1")), OFFERS);
  expect((body as Buffer).toString("latin1")).toBe(`${answer.slice(0, -1)},${SHOWN}}`);
});
