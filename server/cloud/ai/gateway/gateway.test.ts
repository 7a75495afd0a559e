import { afterEach, describe, expect, it } from "vitest";
import { chatScene, eventsIn, KEY, recordingLedger, textIn } from "../../../../test/factories/chat-scene";
import { answers, type ChatScript, chunksOf, fails } from "../../../../test/factories/chat-upstream";
import { ServiceError } from "../../../kernel/errors";
import type { FinalResponse } from "./chat-stages";

type Scene = Awaited<ReturnType<typeof chatScene>>;
let scene: Scene;
const open = async (options: Parameters<typeof chatScene>[0] = {}) => {
  scene = await chatScene(options);
  return scene;
};
afterEach(() => scene.close());

const STREAM = { stream: true };
const usage = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});
const finishedOf = async (): Promise<Scene["ledger"]["finished"][number]> => {
  await expect.poll(() => scene.ledger.finished.length).toBeGreaterThan(0);
  const [outcome] = scene.ledger.finished;
  if (!outcome) throw new Error("nothing was finished");
  return outcome;
};
const refusalOf = (asked: Promise<unknown>): Promise<ServiceError> =>
  asked.then(
    () => Promise.reject(new Error("it succeeded")),
    (failure: ServiceError) => failure,
  );
const destroys: ChatScript = (_, response) => void response.destroy();
/** Sends the first words of an answer, and then what the test says. */
const begins =
  (then: ChatScript): ChatScript =>
  async (received, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const head = chunksOf("Hello there.").slice(0, 2).join("");
    // What was not handed to the network yet is lost when a connection is destroyed.
    await new Promise((resolve) => response.write(head, resolve));
    await then(received, response);
  };

describe("usage", () => {
  it.each([
    ["what the upstream reports", usage(9, 3), { promptTokens: 9, completionTokens: 3, isEstimated: false }],
    ["0 where it says 0", usage(0, 0), { promptTokens: 0, completionTokens: 0, isEstimated: false }],
    ["its own count where it says nothing", undefined, { promptTokens: 11, completionTokens: 3, isEstimated: true }],
  ])("is %s, of an answer and of a stream", async (_, reported, expected) => {
    const { ask, doubles, ledger } = await open();
    doubles[0]?.script(answers({ usage: reported }));
    await ask();
    expect((await finishedOf()).usage).toEqual(expected);
    const events = await eventsIn(await ask(STREAM));
    expect(textIn(events)).toBe("Hello there.");
    expect(events.some((event) => (event as { usage?: unknown }).usage)).toBe(false);
    expect(events.at(-1)).toBe("[DONE]");
    await expect.poll(() => ledger.finished.length).toBe(2);
    expect(ledger.finished[1]).toMatchObject({ status: "succeeded", usage: expected, tries: 1, httpStatus: 200 });
  });

  it.each([usage(9, 3), undefined])("is in the stream of a client that asks for it (%#)", async (reported) => {
    const { ask, doubles } = await open();
    doubles[0]?.script(answers({ usage: reported }));
    const events = await eventsIn(await ask({ ...STREAM, stream_options: { include_usage: true } }));
    expect(events.at(-2)).toMatchObject({ choices: [], usage: reported ?? usage(11, 3) });
    expect(events.at(-1)).toBe("[DONE]");
  });

  it("is taken from a chunk that has text, too, which is passed on", async () => {
    const { ask, doubles } = await open();
    doubles[0]?.script((_, response) => {
      const [first = "", ...rest] = chunksOf("Hello");
      const last = rest
        .join("")
        .replace(
          '"finish_reason":"stop"}]',
          '"finish_reason":"stop"}],"usage":{"prompt_tokens":4,"completion_tokens":1,"total_tokens":5}',
        );
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`${first}${last}data: [DONE]\n\n`);
    });
    expect(textIn(await eventsIn(await ask(STREAM)))).toBe("Hello");
    expect((await finishedOf()).usage).toEqual({ promptTokens: 4, completionTokens: 1, isEstimated: false });
  });
});

describe("the operator's account", () => {
  it.each([{}, STREAM])(
    "receives no field that costs more, and its counts of cached tokens are not shown (%#)",
    async (mode) => {
      const { ask, doubles } = await open();
      const details = { prompt_tokens_details: { cached_tokens: 8 } };
      doubles[0]?.script(answers({ usage: { ...usage(9, 3), ...details } }));
      const asked = { ...mode, stream_options: { include_usage: true }, top_p: 0.5 };
      const reply = await ask({ ...asked, service_tier: "priority", web_search_options: {}, store: true });
      const text = typeof reply.body === "string" ? reply.body : await new Response(reply.body).text();
      expect(text).toContain('"prompt_tokens":9');
      expect(text).not.toContain("cached_tokens");
      const { messages: _, model: __, stream: ___, ...sent } = doubles[0]?.requests[0]?.body ?? { model: "" };
      expect(sent).toEqual("stream" in mode ? { stream_options: { include_usage: true }, top_p: 0.5 } : { top_p: 0.5 });
    },
  );

  it.each([{}, STREAM])(
    "caches prompts of each tenant apart, and knows no tenant or user by name (%#)",
    async (mode) => {
      const sent = async (settings: object, body: object, tenantId: string) => {
        const { ask, doubles, close } = await chatScene({ settings });
        doubles[0]?.script(answers({ usage: usage(9, 3) }));
        const { body: reply } = await ask({ ...mode, ...body }, { tenantId });
        if (typeof reply !== "string") await new Response(reply).text();
        await close();
        return doubles[0]?.requests[0]?.body as Record<string, unknown>;
      };
      await open();
      for (const cacheField of ["cache_salt", "prompt_cache_key"] as const) {
        const other = cacheField === "cache_salt" ? "prompt_cache_key" : "cache_salt";
        const chosen = { [cacheField]: "of-ten_2", [other]: "of-ten_2" };
        const [first, again, second] = [
          await sent({ cacheField }, chosen, "ten_1"),
          await sent({ cacheField }, {}, "ten_1"),
          await sent({ cacheField }, {}, "ten_2"),
        ];
        expect(first?.[cacheField]).toMatch(/^[0-9a-f]{32}$/);
        expect(again?.[cacheField]).toBe(first?.[cacheField]);
        expect(second?.[cacheField]).not.toBe(first?.[cacheField]);
        expect(first).not.toHaveProperty(other);
      }
      const users = [];
      for (const tenantId of ["ten_1", "ten_1", "ten_2"]) users.push((await sent({}, { user: "ada" }, tenantId)).user);
      expect(users[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(users[1]).toBe(users[0]);
      expect(users[2]).not.toBe(users[0]);
      const plain = await sent({}, { prompt_cache_key: "of-ten_2" }, "ten_1");
      for (const field of ["cache_salt", "prompt_cache_key", "user"]) expect(plain).not.toHaveProperty(field);
    },
  );
});

describe("a stream", () => {
  it("passes on events that arrive in any parts, also within a character", async () => {
    const { ask, doubles } = await open();
    const text = "Grüße, 世界 🙂 zusammen";
    doubles[0]?.script(async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const bytes = Buffer.from(
        `: hello\n\n${chunksOf(text).join("").replaceAll("\n\n", "\r\n\r\n")}data: [DONE]\r\n\r\n`,
      );
      for (let at = 0; at < bytes.length; at += 7) {
        response.write(bytes.subarray(at, at + 7));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const reply = await ask(STREAM);
    const sent = typeof reply.body === "string" ? reply.body : await new Response(reply.body).text();
    expect(sent.startsWith(": hello\n\n")).toBe(true);
    const events = sent.split("\r\n\r\n").filter((event) => event.startsWith("data: {"));
    expect(textIn(events.map((event) => JSON.parse(event.slice(6))))).toBe(text);
    expect(await finishedOf()).toMatchObject({ status: "succeeded", usage: { isEstimated: true } });
  });

  it.each<[string, ChatScript, string]>([
    ["breaks off", destroys, "upstream_failed"],
    ["ends early", (_, response) => void response.end(), "upstream_failed"],
    ["falls silent", () => undefined, "upstream_timeout"],
    [
      "reports an error",
      (_, response) => void response.write(`data: {"error":{"message":"Overloaded with ${KEY}"}}\n\n`),
      "upstream_failed",
    ],
  ])("that %s ends with an error and without [DONE]; nobody else is asked", async (_, then, code) => {
    const { ask, doubles } = await open({ upstreams: 2, settings: { idleMs: 200 } });
    doubles[0]?.script(begins(then));
    const events = await eventsIn(await ask(STREAM));
    expect(textIn(events)).toBe("Hello");
    expect(events.at(-1)).toMatchObject({ error: { code, type: "server_error", request_id: "req_test" } });
    expect(JSON.stringify(events)).not.toContain(KEY);
    expect(doubles[1]?.requests).toEqual([]);
    expect(await finishedOf()).toMatchObject({
      status: "failed",
      errorCode: code,
      usage: { completionTokens: 1, isEstimated: true },
    });
  });

  it("is over where the upstream ends it without [DONE] after the last word", async () => {
    const { ask, doubles } = await open();
    doubles[0]?.script((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(chunksOf("Hi.", usage(2, 1)).join(""));
    });
    expect((await eventsIn(await ask(STREAM))).at(-1)).toBe("[DONE]");
    expect(await finishedOf()).toMatchObject({
      status: "succeeded",
      usage: { completionTokens: 1, isEstimated: false },
    });
  });

  it("whose client leaves is read to its end and billed by its real count", async () => {
    const { ask, doubles } = await open();
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    doubles[0]?.script(
      begins(async (_, response) => {
        await left;
        response.end(`${chunksOf("Hello there.", usage(9, 3)).slice(2).join("")}data: [DONE]\n\n`);
      }),
    );
    const { body } = await ask(STREAM);
    if (!(body instanceof ReadableStream)) throw new Error("no stream");
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    leave();
    expect(await finishedOf()).toMatchObject({
      status: "cancelled",
      usage: { promptTokens: 9, completionTokens: 3, isEstimated: false },
    });
  });

  it.each([{}, STREAM])("whose client left before it began is billed by its real count (%#)", async (mode) => {
    const seen: FinalResponse[] = [];
    const see = (__: unknown, answer: FinalResponse) => void seen.push(answer);
    const { ask, doubles } = await open({ stages: { answers: [{ name: "see", see }] } });
    const gone = new AbortController();
    doubles[0]?.script(async (received, response) => {
      gone.abort();
      await answers()(received, response);
    });
    await ask(mode, { signal: gone.signal }).catch(() => undefined);
    expect(await finishedOf()).toMatchObject({
      status: "cancelled",
      tries: 1,
      usage: { promptTokens: 9, completionTokens: 3, isEstimated: false },
    });
    await expect.poll(() => seen.length).toBe(1);
    expect(seen[0]).toMatchObject({ text: "Hello there.", isDelivered: false });
  });

  it("whose client leaves is billed by an estimate if the upstream never ends it", async () => {
    const { ask, doubles } = await open({ settings: { idleMs: 100 } });
    doubles[0]?.script(begins(() => undefined));
    const { body } = await ask(STREAM);
    if (!(body instanceof ReadableStream)) throw new Error("no stream");
    await body.cancel();
    expect(await finishedOf()).toMatchObject({
      status: "cancelled",
      usage: { completionTokens: 1, isEstimated: true },
    });
    await expect.poll(() => doubles[0]?.aborted).toBe(1);
  });
});

describe("the next upstream", () => {
  it.each<[string, ChatScript]>([
    ["refuses the key", fails(401)],
    ["has too many requests", fails(429, { message: "slow down" }, { "retry-after": "60" })],
    ["fails", fails(500)],
    ["does not know the model", fails(404)],
    ["resets the connection", destroys],
    ["sends no JSON", (_, response) => void response.writeHead(200).end("<html>")],
    ["sends something else", (_, response) => void response.writeHead(200).end('{"ok":true}')],
    ["does not begin in time", () => undefined],
    ["redirects", (_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
  ])("answers at once, as a whole and as a stream, if the first one %s", async (_, script) => {
    const { ask, doubles } = await open({ upstreams: 2, settings: { firstByteMs: 300 } });
    doubles[0]?.script(script);
    expect(JSON.parse((await ask()).body as string)).toMatchObject({
      choices: [{ message: { content: "Hello there." } }],
    });
    expect(textIn(await eventsIn(await ask(STREAM)))).toBe("Hello there.");
    expect((await finishedOf()).upstream).toBe("b");
    expect(scene.ledger.finished[0]).toMatchObject({ status: "succeeded", tries: 2 });
  });

  it("is not asked about what the request itself does wrong", async () => {
    const { ask, doubles } = await open({ upstreams: 2 });
    const error = {
      message: `Bad key ${KEY} or sk-other-key-123456`,
      param: "messages",
      code: "context_length_exceeded",
    };
    doubles[0]?.script(fails(400, error));
    const refusal = await refusalOf(ask());
    expect(refusal).toMatchObject({
      code: "invalid_request",
      message: "Bad key [redacted] or [redacted]",
      param: "messages",
      details: { reason: "context_length_exceeded" },
    });
    expect(doubles[1]?.requests).toEqual([]);
    expect(await finishedOf()).toMatchObject({
      status: "failed",
      usage: undefined,
      errorCode: "context_length_exceeded",
    });
  });
});

describe("a passing failure", () => {
  it.each([500, 502, 503, 429, 408])("%s is retried at the same upstream", async (status) => {
    const { ask, doubles } = await open();
    doubles[0]?.script(fails(status), answers());
    expect((await ask()).headers).toMatchObject({ "x-svc-upstream": "a" });
    expect(doubles[0]?.requests).toHaveLength(2);
    expect(await finishedOf()).toMatchObject({ tries: 2, status: "succeeded" });
  });

  it("that lasts is an error that says so, without the key", async () => {
    const { ask, doubles } = await open();
    doubles[0]?.script(fails(500, { message: `key ${KEY}` }));
    const refusal = await refusalOf(ask(STREAM));
    expect(refusal).toMatchObject({ code: "unavailable", details: { reason: "upstream_failed" } });
    expect(JSON.stringify([refusal, refusal.message, refusal.stack, String(refusal.cause)])).not.toContain(KEY);
    expect(doubles[0]?.requests).toHaveLength(3);
  });

  it("429 with a long Retry-After is passed on at once", async () => {
    const { ask, doubles } = await open();
    doubles[0]?.script(fails(429, { message: "slow" }, { "retry-after": "30" }));
    expect(await refusalOf(ask())).toMatchObject({ code: "rate_limited", retryAfterSeconds: 30 });
    expect(doubles[0]?.requests).toHaveLength(1);
  });
});

it("an upstream that fails three times is left alone for a while, and then tried again", async () => {
  const { ask, doubles, clock } = await open({ upstreams: 2 });
  doubles[0]?.script(fails(500));
  for (let i = 0; i < 5; i++) await ask();
  expect(doubles[0]?.requests).toHaveLength(3);
  doubles[0]?.script(answers());
  clock.advance(1000);
  await ask();
  expect(doubles[0]?.requests).toHaveLength(4);
  expect(scene.ledger.finished.at(-1)?.upstream).toBe("a");
});

describe("svc-echo", () => {
  const TOOL = {
    type: "function",
    function: {
      name: "weather",
      parameters: {
        type: "object",
        properties: { city: { type: "string" }, days: { type: "integer", minimum: 3 }, unit: { enum: ["C", "F"] } },
      },
    },
  };
  it.each([
    ["the last message of the user", {}, { content: "Hello there, Ada." }, "stop"],
    ["so many tokens", { max_tokens: 2 }, { content: "Hello there" }, "length"],
    ["until a stop sequence", { stop: [", "] }, { content: "Hello there" }, "stop"],
    [
      "a call of a forced tool",
      { tools: [TOOL], tool_choice: { type: "function", function: { name: "weather" } } },
      {
        content: null,
        tool_calls: [{ function: { name: "weather", arguments: '{"city":"text","days":3,"unit":"C"}' } }],
      },
      "tool_calls",
    ],
    [
      "an example of a schema",
      {
        response_format: {
          type: "json_schema",
          json_schema: { schema: { type: "object", properties: { ok: { type: "boolean" } } } },
        },
      },
      { content: '{"ok":true}' },
      "stop",
    ],
  ])("answers %s, always the same, whole and as a stream", async (_, body, ...[message, reason]) => {
    const { ask } = await open();
    const asked = () => ask({ model: "svc-echo", n: 2, ...body }, { mode: "test" });
    const [reply, again] = [await asked(), await asked()];
    expect(reply).toEqual(again);
    expect(reply.headers).toEqual({ "x-svc-simulated": "true" });
    const completion = JSON.parse(reply.body as string);
    expect(completion).toMatchObject({
      simulated: true,
      choices: [{ index: 0 }, { index: 1, message, finish_reason: reason }],
    });
    const answer = await new Promise<FinalResponse>((resolve) => {
      void (async () => {
        await scene.close();
        const streamed = await open({ stages: { answers: [{ name: "see", see: (__, seen) => resolve(seen) }] } });
        await eventsIn(await streamed.ask({ model: "svc-echo", n: 2, ...STREAM, ...body }, { mode: "test" }));
      })();
    });
    expect(answer.completion.choices[1]).toMatchObject({ message, finish_reason: reason });
    expect(completion.usage.completion_tokens).toBe(answer.usage.completionTokens);
  });

  it("answers the operators' models in test mode, and reaches no upstream", async () => {
    const { ask, doubles } = await open();
    expect(JSON.parse((await ask({}, { mode: "test" })).body as string)).toMatchObject({ model: "m", simulated: true });
    expect(doubles[0]?.requests).toEqual([]);
    expect(await finishedOf()).toMatchObject({ isSimulated: true, upstream: undefined });
  });
});

describe("stages", () => {
  it("may refuse, change the messages, answer themselves, and see the answer", async () => {
    const seen: FinalResponse[] = [];
    const { ask, doubles } = await open({
      stages: {
        guards: [
          {
            name: "words",
            check: ({ body }) => (body.user === "mallory" ? new ServiceError("forbidden", "Not you.") : undefined),
          },
        ],
        prompts: [
          {
            name: "offers",
            prepare: (call) => {
              if (call.body.user === "cached") return { completion: JSON.parse(CACHED) };
              call.body = { ...call.body, messages: [{ role: "system", content: "Be kind." }, ...call.body.messages] };
              return undefined;
            },
          },
        ],
        answers: [{ name: "see", see: (_, answer) => void seen.push(answer) }],
      },
    });
    const CACHED = JSON.stringify({
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      usage: usage(1, 1),
      choices: [{ index: 0, message: { role: "assistant", content: "From the cache" }, finish_reason: "stop" }],
    });
    expect(await refusalOf(ask({ user: "mallory" }))).toMatchObject({ code: "forbidden" });
    expect(scene.ledger.begun).toEqual([]);
    await ask();
    expect(doubles[0]?.requests[0]?.body.messages).toMatchObject([{ content: "Be kind." }, { role: "user" }]);
    expect(textIn(await eventsIn(await ask({ user: "cached", ...STREAM })))).toBe("From the cache");
    await eventsIn(await ask(STREAM));
    await expect.poll(() => seen.length).toBe(3);
    expect(seen.map(({ text, isCached, isComplete }) => [text, isCached, isComplete])).toEqual([
      ["Hello there.", false, true],
      ["From the cache", true, true],
      ["Hello there.", false, true],
    ]);
    expect(doubles[0]?.requests).toHaveLength(2);
  });
});

it("asks nobody when the budget is used up, and stores bodies only where that is on", async () => {
  const refusal = new ServiceError("quota_exceeded", "Over.", { details: { reason: "budget_exceeded" } });
  const first = await open({ ledger: recordingLedger({ refusal }) });
  expect(await refusalOf(first.ask())).toBe(refusal);
  expect(first.doubles[0]?.requests).toEqual([]);
  await first.close();
  await open({ ledger: recordingLedger({ storesBodies: true }) });
  await scene.ask();
  const { bodies } = await finishedOf();
  expect([bodies?.request, bodies?.response]).toEqual([
    expect.stringContaining("Hello there, Ada."),
    expect.stringContaining("Hello there."),
  ]);
});

it("a model that nobody serves is 404, and without any upstream 503", async () => {
  const { ask } = await open();
  expect(await refusalOf(ask({ model: "x" }))).toMatchObject({
    code: "not_found",
    details: { reason: "model_not_found" },
  });
  await scene.close();
  await open({ upstreams: 0 });
  expect(await refusalOf(scene.ask())).toMatchObject({ code: "unavailable", details: { reason: "no_upstream" } });
});

it("keeps connections open between requests", async () => {
  const { ask, doubles } = await open();
  for (let i = 0; i < 5; i++) await eventsIn(await ask(STREAM));
  for (let i = 0; i < 5; i++) await ask();
  // The end of a stream may still be on its way when the next request begins.
  expect(doubles[0]?.connections).toBeLessThan(5);
});
