import { afterEach, describe, expect, it } from "vitest";
import { chatScene, eventsIn, textIn } from "../../../../test/factories/chat-scene";
import { answers, type ChatScript, chunksOf, fails, sends } from "../../../../test/factories/chat-upstream";
import { relayedJson } from "../../../kernel/relayed-json";
import type { Reply } from "../../../operation/reply";
import type { ChatBody, FinalResponse } from "./chat-stages";

type Scene = Awaited<ReturnType<typeof chatScene>>;
let scene: Scene;
const seen: FinalResponse[] = [];
const open = async (options: Parameters<typeof chatScene>[0] = {}) => {
  seen.length = 0;
  const answers = [{ name: "see", see: (_: unknown, answer: FinalResponse) => void seen.push(answer) }];
  scene = await chatScene({ stages: { answers }, ...options });
  return scene;
};
afterEach(() => scene.close());

const STREAM = { stream: true };
const WITH_USAGE = { ...STREAM, stream_options: { include_usage: true } };
const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
const textOf = async ({ body }: Reply): Promise<string> =>
  typeof body === "string" ? body : await new Response(body).text();
const event = (value: unknown): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const deltas = (choices: readonly object[], more: object = {}): string =>
  event({ id: "c", object: "chat.completion.chunk", created: 1, model: "double-1", choices, ...more });
const delta = (fields: object, more: object = {}): string =>
  deltas([{ index: 0, delta: fields, finish_reason: null, ...more }]);
const DONE = event("[DONE]");
const seenAnswer = async (): Promise<FinalResponse> => {
  await expect.poll(() => seen.length).toBe(1);
  return seen[0] as FinalResponse;
};

describe("numbers", () => {
  const REQUEST =
    '{"model":"m","messages":[{"role":"user","content":"1.0","n":1.50}],"seed":9007199254740993,"temperature":1.0,"max_tokens":1e2,"top_p":0.10,"tools":[{"type":"function","function":{"name":"f","parameters":{"maximum":9223372036854775807,"multipleOf":1e-2}}}]}';

  it("of a client arrive at the upstream as they were written", async () => {
    const { ask, doubles } = await open();
    await ask(relayedJson(REQUEST) as ChatBody);
    const { text = "" } = doubles[0]?.requests[0] ?? {};
    for (const part of ['"seed":9007199254740993,', '"temperature":1.0,', '"max_tokens":1e2,', '"top_p":0.10,'])
      expect(text).toContain(part);
    expect(text).toContain('"parameters":{"maximum":9223372036854775807,"multipleOf":1e-2}');
    expect(scene.ledger.begun[0]?.completionTokensMax).toBe(100);
  });

  it.each([
    [
      "an answer",
      {},
      `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"logprobs":{"content":[{"logprob":-0.30}]},"finish_reason":"stop"}],"created":1.0,"other":1,"usage":{"prompt_tokens":9.0,"completion_tokens":3}}`,
    ],
    [
      "a stream",
      STREAM,
      `${event('{"id":"c","other":1,"created":9007199254740993,"choices":[{"index":0,"delta":{"content":"Hi"},"logprobs":{"content":[{"logprob":-0.30}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":9.0,"completion_tokens":3}}')}${DONE}`,
    ],
  ])("of %s that is rewritten arrive at the client as they were written", async (_, mode, sent) => {
    const { ask, doubles } = await open();
    doubles[0]?.script(sends(sent, "stream" in mode ? "text/event-stream" : "application/json"));
    const text = await textOf(await ask(mode));
    expect(text).not.toContain('"other"');
    expect(text).toContain('"logprob":-0.30}');
    expect(text).toMatch(/"created":(?:1\.0|9007199254740993),/);
    expect(scene.ledger.finished[0]?.usage).toEqual({ promptTokens: 9, completionTokens: 3, isEstimated: false });
  });
});

describe("the answer that is put together from a stream", () => {
  const call = (index: number | undefined, id: string, [name, text]: [string, string]) =>
    delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: text } }] });
  const END = delta({}, { finish_reason: "tool_calls" });

  it.each([
    ["one index", 0, 0],
    ["no index", undefined, undefined],
    ["indexes that jump", 2, 5],
  ])("has parallel calls of tools with %s apart", async (_, first, second) => {
    const { ask, doubles } = await open();
    const parts = [call(first, "a", ["get_weather", '{"city":"Rome"}']), call(second, "b", ["get_time", "{}"])];
    doubles[0]?.script(sends([...parts, END, deltas([], { usage: USAGE }), DONE]));
    const text = await textOf(await ask(STREAM));
    for (const part of parts) expect(text).toContain(part);
    const { completion, isComplete } = await seenAnswer();
    expect(isComplete).toBe(true);
    expect(completion.choices).toMatchObject([
      {
        finish_reason: "tool_calls",
        message: {
          content: null,
          tool_calls: [
            { id: "a", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
            { id: "b", type: "function", function: { name: "get_time", arguments: "{}" } },
          ],
        },
      },
    ]);
  });

  it("has reasoning, a refusal, a legacy call, logprobs and every choice", async () => {
    const { ask, doubles } = await open();
    const logprob = (token: string) => ({ content: [{ token, logprob: -1 }] });
    doubles[0]?.script(
      sends([
        delta({ role: "assistant", content: "", reasoning_content: "Let me" }),
        delta({ reasoning_content: " see.", content: null }),
        delta({ content: "Hel" }, { logprobs: logprob("Hel") }),
        deltas([
          { index: 0, delta: { content: "lo" }, logprobs: logprob("lo"), finish_reason: "stop" },
          { index: 2, delta: { refusal: "I can" } },
          { index: 1, delta: { function_call: { name: "f", arguments: '{"a"' } } },
        ]),
        deltas([
          { index: 1, delta: { function_call: { arguments: ":1}" } }, finish_reason: "function_call" },
          { index: 2, delta: { refusal: "not." }, finish_reason: "stop" },
        ]),
        DONE,
      ]),
    );
    await textOf(await ask({ ...STREAM, n: 3 }));
    const { completion, isComplete } = await seenAnswer();
    expect(isComplete).toBe(true);
    expect(completion.choices).toMatchObject([
      {
        message: { content: "Hello", reasoning_content: "Let me see." },
        logprobs: { content: [{ token: "Hel" }, { token: "lo" }] },
      },
      { message: { function_call: { name: "f", arguments: '{"a":1}' }, content: null } },
      { message: { content: "", refusal: "I cannot." } },
    ]);
  });

  it.each([
    ["sound", delta({ audio: { id: "a", data: "AAAA" } })],
    ["parts of content", delta({ content: [{ type: "text", text: "Hi" }] })],
    ["a field that svc does not know", delta({ content: "Hi", annotations: [{ type: "url_citation" }] })],
    ["an event that is no JSON", event("pong")],
    ["a call without a name", call(0, "a", ["", "{}"])],
    ["another id for each part", call(0, "a", ["f", '{"a"']) + call(0, "b", ["", ":1}"])],
    ["two choices without an index", deltas([{ delta: { content: "a" } }, { delta: { content: "b" } }])],
  ])("is not used again if it has %s, which the client gets", async (_, part) => {
    const { ask, doubles } = await open();
    doubles[0]?.script(sends([part, delta({ content: "." }, { finish_reason: "stop" }), DONE]));
    expect(await textOf(await ask(STREAM))).toContain(part);
    expect((await seenAnswer()).isComplete).toBe(false);
    expect(scene.ledger.finished[0]?.status).toBe("succeeded");
  });

  it.each([
    [
      "beside the last text",
      [delta({ content: "Hi" }), deltas([{ index: 0, delta: {}, finish_reason: "stop" }], { usage: USAGE })],
    ],
    ["in the choice", [delta({ content: "Hi" }), delta({}, { finish_reason: "stop", usage: USAGE })]],
    ["without choices", [delta({ content: "Hi" }, { finish_reason: "stop" }), event({ id: "c", usage: USAGE })]],
    [
      "in each event",
      [
        deltas([{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }], {
          usage: { ...USAGE, completion_tokens: 1 },
        }),
        deltas([], { usage: USAGE }),
      ],
    ],
    [
      "only as a total",
      [
        delta({ content: "Hi" }, { finish_reason: "stop" }),
        deltas([], { usage: { prompt_tokens: 9, total_tokens: 12 } }),
      ],
    ],
  ])("is billed by the usage that comes %s", async (_, parts) => {
    const { ask, doubles } = await open();
    doubles[0]?.script(sends([...parts, DONE]));
    await textOf(await ask(STREAM));
    expect(scene.ledger.finished[0]?.usage).toEqual({ promptTokens: 9, completionTokens: 3, isEstimated: false });
  });
});

describe("a stream of events", () => {
  const PLAIN = `${chunksOf("Hello there.", USAGE).join("")}${DONE}`;
  const LINES = `: hi\n\nevent: message\nid: 1\n${PLAIN}`;

  it.each<[string, (string | Buffer)[], string?]>([
    ["with lines that end with CR alone", [LINES.replaceAll("\n", "\r")]],
    ["with CR alone, in bytes", [...Buffer.from(LINES.replaceAll("\n", "\r"))].map((byte) => Buffer.from([byte]))],
    ["with CRLF, divided between both", LINES.replaceAll("\n", "\r\n").split(/(?<=\r)/)],
    ["with a byte order mark", [`\ufeff${LINES}`]],
    ["without a space behind the colon", [LINES.replaceAll("data: ", "data:")]],
    ["with data of several lines", [LINES.replaceAll('"choices":', '\ndata: "choices":')]],
    ["whose last event has no empty line", [LINES.trimEnd()]],
    ["without [DONE] and an empty line", [LINES.slice(0, LINES.indexOf(DONE)).trimEnd()]],
    ["of another case", [LINES], "Text/Event-Stream; charset=UTF-8"],
    ["without a right type", [LINES], "application/octet-stream"],
  ])("%s is billed and passed on as it is", async (_, parts, type) => {
    const { ask, doubles } = await open();
    doubles[0]?.script(sends(parts, type));
    const text = (await textOf(await ask(WITH_USAGE))).replaceAll("\r\n", "\n").replaceAll("\r", "\n");
    const joined = text.replaceAll('\ndata: "choices":', '"choices":').replaceAll("data:{", "data: {");
    const events = joined.split("\n\n").flatMap((one) => one.match(/^data: ?(\{.*)/m)?.[1] ?? []);
    expect(textIn(events.map((one) => JSON.parse(one)))).toBe("Hello there.");
    expect(text.trimEnd().endsWith("[DONE]")).toBe(true);
    expect(scene.ledger.finished).toMatchObject([
      { status: "succeeded", usage: { promptTokens: 9, completionTokens: 3, isEstimated: false } },
    ]);
  });

  it("with an event that is named error ends with an error", async () => {
    const { ask, doubles } = await open();
    doubles[0]?.script(sends([delta({ content: "Hi" }), 'event: error\ndata: {"message":"Out of memory"}\n\n']));
    const last = (await eventsIn(await ask(STREAM))).at(-1);
    expect(last).toMatchObject({
      error: { code: "upstream_failed", message: expect.stringContaining("Out of memory") },
    });
    expect(scene.ledger.finished[0]?.status).toBe("failed");
  });
});

describe("a model that does not stream", () => {
  const message = {
    role: "assistant",
    content: "Hello there.",
    tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
  };
  const whole = (usage: object | undefined): object => ({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "double-1",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    ...(usage && { usage }),
  });

  it.each<[string, ChatScript]>([
    ["as JSON", sends(JSON.stringify(whole(USAGE)), "application/json")],
    [
      "as JSON in packets",
      sends(
        [" \n", JSON.stringify(whole(USAGE)).slice(0, 50), JSON.stringify(whole(USAGE)).slice(50)],
        "Application/JSON",
      ),
    ],
    ["as JSON with the type of a stream", sends(JSON.stringify(whole(USAGE)))],
    ["as one event", sends([event(whole(USAGE)), DONE])],
  ])("answers %s, which the client gets as a stream of one event", async (_, script) => {
    const { ask, doubles } = await open();
    doubles[0]?.script(script);
    const reply = await ask(WITH_USAGE);
    const events = await eventsIn(reply);
    const {
      tool_calls: [call],
      ...rest
    } = message;
    expect(events).toMatchObject([
      {
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta: { ...rest, tool_calls: [{ index: 0, ...call }] }, finish_reason: "stop" }],
      },
      { object: "chat.completion.chunk", choices: [], usage: USAGE },
      "[DONE]",
    ]);
    expect(JSON.stringify(events[0])).not.toMatch(/"message"|"usage":\{/);
    expect(scene.ledger.finished).toMatchObject([
      { status: "succeeded", usage: { promptTokens: 9, completionTokens: 3, isEstimated: false } },
    ]);
    expect((await seenAnswer()).isComplete).toBe(true);
  });

  it.each<[string, boolean, object | undefined]>([
    ["usage", true, USAGE],
    ["no usage", false, undefined],
  ])("but always streams answers as a whole, with %s", async (_, isReported, usage) => {
    const { ask, doubles } = await open();
    doubles[0]?.script(sends([...chunksOf("Hello there.", isReported ? USAGE : undefined), DONE]));
    expect(JSON.parse(await textOf(await ask()))).toMatchObject({
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello there." }, finish_reason: "stop" }],
      usage: usage ?? null,
    });
    expect(scene.ledger.finished[0]?.usage?.isEstimated).toBe(!isReported);
    doubles[0]?.script(sends([delta({ content: "Hel" })]));
    await expect(ask()).rejects.toMatchObject({ details: { reason: "upstream_failed" } });
  });

  it("and reports no usage is billed by an estimate, which is marked", async () => {
    const { ask, doubles } = await open();
    doubles[0]?.script(sends(JSON.stringify(whole(undefined)), "application/json"));
    const [, counted, done] = await eventsIn(await ask(WITH_USAGE));
    expect([counted, done]).toMatchObject([{ choices: [], usage: { prompt_tokens: 11, estimated: true } }, "[DONE]"]);
    expect(scene.ledger.finished[0]?.usage?.isEstimated).toBe(true);
  });

  it("but sends something else pauses neither its upstream nor its whole answers", async () => {
    const { ask, doubles } = await open();
    doubles[0]?.script((received, response) =>
      received.body.stream
        ? void response.writeHead(200, { "content-type": "text/html" }).end("<html>")
        : answers()(received, response),
    );
    await expect(ask(STREAM)).rejects.toMatchObject({ details: { reason: "upstream_failed" } });
    await expect(ask(STREAM)).rejects.toMatchObject({ details: { reason: "upstream_paused" } });
    expect(await textOf(await ask())).toContain("Hello there.");
  });
});

describe("an upstream that refuses stream_options", () => {
  const unprocessable: ChatScript = (_, response) => {
    const detail = [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }];
    response.writeHead(422, { "content-type": "application/json" }).end(JSON.stringify({ detail }));
  };
  const refusing =
    (refusal: ChatScript): ChatScript =>
    (received, response) =>
      received.body.stream_options ? refusal(received, response) : answers({ usage: undefined })(received, response);

  it.each<[string, ChatScript]>([
    ["422 of FastAPI", unprocessable],
    ["400 with the parameter", fails(400, { message: "Unknown parameter.", param: "stream_options" })],
    ["400 that names include_usage", fails(400, { message: "include_usage is not supported" })],
  ])("with %s is asked without them, also the next time, and the usage is an estimate", async (_, refusal) => {
    const { ask, doubles, clock } = await open();
    doubles[0]?.script(refusing(refusal));
    for (const mode of [STREAM, WITH_USAGE]) {
      const events = await eventsIn(await ask(mode));
      expect(textIn(events)).toBe("Hello there.");
      if (mode === WITH_USAGE)
        expect(events.at(-2)).toMatchObject({ usage: { completion_tokens: 3, estimated: true } });
    }
    const sent = () => doubles[0]?.requests.map(({ body }) => "stream_options" in body);
    expect(sent()).toEqual([true, false, false]);
    expect(scene.ledger.finished).toMatchObject([
      { status: "succeeded", tries: 1, usage: { promptTokens: 11, completionTokens: 3, isEstimated: true } },
      { usage: { isEstimated: true } },
    ]);
    clock.advance(25 * 3600 * 1000);
    await eventsIn(await ask(STREAM));
    expect(sent()?.slice(3)).toEqual([true, false]);
  });

  it("is not taken for one by what a client has in its request", async () => {
    const { ask, doubles } = await open();
    doubles[0]?.script(fails(400, { message: 'no tool "stream_options"' }));
    await expect(ask(STREAM)).rejects.toMatchObject({ code: "invalid_request" });
    doubles[0]?.script(answers());
    await eventsIn(await ask(STREAM));
    expect(doubles[0]?.requests.map(({ body }) => "stream_options" in body)).toEqual([true, false, true]);
  });

  it("but the field that separates tenants is not left out", async () => {
    const { ask, doubles } = await open({ settings: { cacheField: "cache_salt" } });
    doubles[0]?.script(fails(422, { message: "Unknown field: cache_salt" }));
    await expect(ask()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("prompt_cache_field"),
    });
    expect(doubles[0]?.requests).toHaveLength(1);
  });
});
