import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import OpenAI from "openai";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import { makeTenant, testApp } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { answers, type ChatScript, chatUpstream, chunksOf, sends } from "../factories/chat-upstream";
import { fileFolder } from "../factories/file-folder";

const upstream = await chatUpstream();
const file = path.join(fileFolder("svc-relay-"), "upstreams.json");
const models = [
  { name: "one", input_price: "1", output_price: "1" },
  { name: "two", input_price: "1", output_price: "1" },
  { name: "vectors", kind: "embeddings", input_price: "1" },
];
await writeFile(file, JSON.stringify({ upstreams: [{ id: "main", base_url: upstream.url, models }] }));
const test = await testApp({ env: { CHAT_UPSTREAMS: file } });
const ctx = await makeTenant(test);
await raiseRate(test, ctx.tenantId);
const key = await platformKey(ctx, { scopes: ["gateway:read", "gateway:write"], mode: "live" });
const created = createHttpServer({
  tls: undefined,
  publicUrl: "http://localhost",
  allowedHosts: [],
  log: pino({ level: "silent" }),
});
created.serve({
  direct: [{ path: "/v1/", answer: (request, peer) => test.app.platform.fetch(request, peer) }],
  pages: (_, response) => response.end(),
  clientAddress: () => "127.0.0.1",
});
await new Promise<void>((resolve) => created.server.listen(0, "127.0.0.1", resolve));
const baseURL = `http://localhost:${(created.server.address() as AddressInfo).port}/v1`;
beforeEach(() => upstream.script(answers()));
afterAll(async () => {
  created.server.closeAllConnections();
  created.server.close();
  await test.stop();
  await upstream.close();
});

const ask = (body: object | string): Promise<Response> =>
  fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "Application/JSON; charset=UTF-8" },
    body: typeof body === "string" ? body : JSON.stringify({ model: "one", messages: SAID, ...body }),
  });
const SAID = [{ role: "user", content: "Hello there, Ada." }];
const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };

interface Billed {
  status: string;
  prompt_tokens: number;
  completion_tokens: number;
}
async function lastBilled(): Promise<Billed> {
  const response = await manage(test, "/v1/gateway/requests?limit=1", { key });
  return ((await response.json()) as { data: Billed[] }).data[0] as Billed;
}

describe("numbers of a request", () => {
  const body = (seed: string) =>
    `{"model":"one","messages":[{"role":"user","content":"seed ${seed.slice(0, 3)}"}],"svc_cache":{"seconds":60.0},"seed":${seed},"temperature":1.0,"max_tokens":1e2,"top_p":0.10,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807,"multipleOf":1.0}}}}}]}`;

  it("arrive at the upstream as they were written", async () => {
    expect((await ask(body("9007199254740993"))).status).toBe(200);
    const { text = "" } = upstream.requests.at(-1) ?? {};
    for (const part of ['"seed":9007199254740993', '"temperature":1.0', '"max_tokens":1e2', '"top_p":0.10'])
      expect(text).toContain(part);
    expect(text).toContain('{"n":{"type":"integer","maximum":9223372036854775807,"multipleOf":1.0}}');
  });

  it("that are near to each other are different requests to the cache", async () => {
    const cached = async (seed: string) => (await ask(body(seed))).headers.get("x-svc-cache");
    expect([await cached("9007199254740993"), await cached("9007199254740992")]).toEqual(["hit", null]);
  });
});

it("numbers of an answer arrive at the client as they were written, also from the cache", async () => {
  const sent =
    '{ "id": "c", "object":"chat.completion","created":1700000000.0,"model":"one","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"logprobs":{"content":[{"token":"Hi","logprob":-1.50e-3}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12} }';
  upstream.script(sends(sent, "application/json"));
  expect(await (await ask({ logprobs: true, svc_cache: true })).text()).toBe(sent);
  const hit = await ask({ logprobs: true, svc_cache: true });
  expect(hit.headers.get("x-svc-cache")).toBe("hit");
  expect(await hit.text()).toContain('"logprob":-1.50e-3');
  const stream = await (await ask({ logprobs: true, svc_cache: true, stream: true })).text();
  expect(stream).toContain('"created":1700000000.0');
  expect(stream).toContain('"logprob":-1.50e-3');
});

describe("parallel calls of tools in a stream", () => {
  const delta = (fields: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "one", choices: [{ index: 0, delta: fields, finish_reason }] })}\n\n`;
  const call = (id: string, [name, text]: string[], index?: number) =>
    delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: text } }] });
  const CALLS = [
    { id: "a", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
    { id: "b", type: "function", function: { name: "get_time", arguments: '{"zone":"CET"}' } },
  ];
  const END = `${delta({}, "tool_calls")}data: [DONE]\n\n`;

  it.each([["one index", 0] as const, ["no index", undefined] as const])(
    "with %s are two calls in the cached answer",
    async (what, index) => {
      const sent = CALLS.map(({ id, function: { name, arguments: text } }) => call(id, [name, text], index));
      upstream.script(sends([...sent, END]));
      const asked = { svc_cache: true, user: what };
      expect(await (await ask({ ...asked, stream: true })).text()).toContain(sent.join(""));
      // It is stored behind the response.
      await expect.poll(async () => (await ask(asked)).headers.get("x-svc-cache")).toBe("hit");
      expect(await (await ask(asked)).json()).toMatchObject({
        choices: [{ message: { content: null, tool_calls: CALLS } }],
      });
    },
  );

  it("that svc does not understand are passed on, billed, and not cached", async () => {
    const sent = [call("a", ["f", '{"a"'], 0), call("b", ["", ":1}"], 0), END];
    upstream.script(sends(sent));
    const asked = { svc_cache: true, user: "unclear" };
    expect(await (await ask({ ...asked, stream: true })).text()).toBe(sent.join(""));
    await expect.poll(lastBilled).toMatchObject({ status: "succeeded" });
    upstream.script(answers());
    expect((await ask(asked)).headers.get("x-svc-cache")).toBeNull();
  });
});

describe("bytes of an answer that are not UTF-8", () => {
  const WHOLE = Buffer.from(
    `{ "id":"c","object":"chat.completion","created":1,"model":"one","choices":[{"index":0,"message":{"role":"assistant","content":"caf\xe9 "},"finish_reason":"stop"}],"usage":${JSON.stringify(USAGE)} }`,
    "latin1",
  );
  const EVENTS = ["caf\xe9", "\xe9\xe9", " s", "\xff"].map((content) =>
    Buffer.from(
      `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"one","choices":[{"index":0,"delta":{"content":"${content}"},"finish_reason":null}]}\n\n`,
      "latin1",
    ),
  );
  const END = Buffer.from(`${chunksOf("", USAGE).slice(1).join("")}data: [DONE]\n\n`);
  const USED = { status: "succeeded", prompt_tokens: 9, completion_tokens: 3 };
  const bytesOf = async (response: Response) => {
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };
  const isHit = async (user: string) => (await ask({ svc_cache: true, user })).headers.get("x-svc-cache");

  it("arrive as they were, are billed, and are not cached: a whole answer", async () => {
    upstream.script(sends([WHOLE], "application/json"));
    expect(await bytesOf(await ask({ svc_cache: true, user: "whole bytes" }))).toEqual(WHOLE);
    await expect.poll(lastBilled).toMatchObject(USED);
    upstream.script(answers());
    expect(await isHit("whole bytes")).toBeNull();
  });

  it("arrive as they were, are billed, and are not cached: a stream", async () => {
    // Divided within the events.
    const sent = Buffer.concat([...EVENTS, END]);
    upstream.script(sends([sent.subarray(0, 130), sent.subarray(130, 131), sent.subarray(131)]));
    const options = { stream_options: { include_usage: true } };
    expect(await bytesOf(await ask({ stream: true, ...options, svc_cache: true, user: "bytes" }))).toEqual(sent);
    await expect.poll(lastBilled).toMatchObject(USED);
    upstream.script(answers());
    expect(await isHit("bytes")).toBeNull();
  });

  it("arrive as they were in what svc writes: a whole answer as a stream, and a stream as a whole answer", async () => {
    upstream.script(sends([WHOLE], "application/json"));
    const streamed = await bytesOf(await ask({ stream: true, svc_cache: true, user: "as stream" }));
    expect(streamed.toString("latin1")).toContain('"content":"caf\xe9 "');
    upstream.script(sends([...EVENTS, END]));
    const whole = await bytesOf(await ask({ svc_cache: true, user: "as whole" }));
    expect(whole.toString("latin1")).toContain('"content":"caf\xe9\xe9\xe9 s\xff"');
    upstream.script(answers());
    expect([await isHit("as stream"), await isHit("as whole")]).toEqual([null, null]);
  });

  it("are U+FFFD in an error, which is JSON of svc", async () => {
    upstream.script((_, response) => {
      response.writeHead(400).end(Buffer.from('{"error":{"message":"No caf\xe9"}}', "latin1"));
    });
    const whole = await ask({});
    expect([whole.status, await whole.json()]).toMatchObject([400, { error: { message: "No caf\ufffd" } }]);
    upstream.script(sends([...EVENTS, Buffer.from('event: error\ndata: {"message":"No caf\xe9"}\n\n', "latin1")]));
    const sent = await bytesOf(await ask({ stream: true }));
    expect(sent.subarray(0, Buffer.concat(EVENTS).length)).toEqual(Buffer.concat(EVENTS));
    expect(sent.toString()).toMatch(/No caf\ufffd\.","type":"server_error"[^\n]*\n\n$/);
  });

  it("arrive as they were beside vectors, also in another format", async () => {
    const sent = Buffer.from(
      '{"object":"list","data":[{"embedding":[1,-2.5,0.25],"note":"\xe9"}],"model":"v"}',
      "latin1",
    );
    upstream.script(sends([sent], "application/json"));
    const embedded = async (format: object) => {
      const response = await fetch(`${baseURL}/embeddings`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "vectors", input: "x", ...format }),
      });
      return (await bytesOf(response)).toString("latin1");
    };
    expect(await embedded({})).toBe(sent.toString("latin1"));
    expect(await embedded({ encoding_format: "base64" })).toContain('"AACAPwAAIMAAAIA+","note":"\xe9"');
  });
});

it.each<[string, ChatScript]>([
  ["CR alone", sends(`${chunksOf("Hi.", USAGE).join("")}data: [DONE]\n\n`.replaceAll("\n", "\r"))],
  ["another case", sends(`${chunksOf("Hi.", USAGE).join("")}data: [DONE]\n\n`, "Text/Event-Stream; charset=UTF-8")],
])("a stream with %s is billed as the upstream reports", async (_, script) => {
  upstream.script(script);
  expect(await (await ask({ stream: true })).text()).toMatch(/Hi\.[\s\S]*\[DONE\]/);
  await expect.poll(lastBilled).toMatchObject({ status: "succeeded", prompt_tokens: 9, completion_tokens: 3 });
});

const client = new OpenAI({ apiKey: key, baseURL, maxRetries: 0 });

describe("openai's client", () => {
  it("reads the whole answer of a model that does not stream as a stream; one that fails leaves the others alone", async () => {
    const whole = answers();
    upstream.script((received, response) => {
      const { model } = received.body;
      if (model === "two") return void response.writeHead(200, { "content-type": "text/html" }).end("<html>");
      return whole({ ...received, body: { ...received.body, stream: false } }, response);
    });
    const stream = (model: string) =>
      client.chat.completions.create({
        model,
        messages: SAID as never,
        stream: true,
        stream_options: { include_usage: true },
      });
    for (let i = 0; i < 4; i++) await expect(stream("two")).rejects.toMatchObject({ status: 503 });
    const chunks = [];
    for await (const chunk of await stream("one")) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe("Hello there.");
    expect(chunks.at(-1)?.usage).toMatchObject(USAGE);
    await expect.poll(lastBilled).toMatchObject({ status: "succeeded", prompt_tokens: 9, completion_tokens: 3 });
  });

  it("reads a stream of an upstream that refuses stream_options", async () => {
    upstream.script((received, response) => {
      if (!("stream_options" in received.body)) return answers({ usage: undefined })(received, response);
      const detail = [
        { type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" },
      ];
      response.writeHead(422, { "content-type": "application/json" }).end(JSON.stringify({ detail }));
    });
    const texts = [];
    for await (const { choices } of await client.chat.completions.create({
      model: "one",
      messages: SAID as never,
      stream: true,
    }))
      texts.push(choices[0]?.delta.content ?? "");
    expect(texts.join("")).toBe("Hello there.");
    await expect.poll(lastBilled).toMatchObject({ status: "succeeded", prompt_tokens: 11, completion_tokens: 3 });
  });

  it.each(["base64", "float"] as const)(
    "gets vectors in the format that it asks for, if the upstream only knows %s",
    async (known) => {
      const vector = [1, -2.5, 0.25];
      const embedding = known === "float" ? vector : "AACAPwAAIMAAAIA+";
      upstream.script((received, response) => {
        if ("encoding_format" in received.body) {
          return void response.writeHead(400).end('{"error":{"message":"Unknown field: encoding_format"}}');
        }
        const data = [{ object: "embedding", index: 0, embedding }];
        response
          .writeHead(200)
          .end(JSON.stringify({ object: "list", data, model: "vectors", usage: { prompt_tokens: 1 } }));
      });
      const fields = { model: "vectors", input: "x" };
      // By default it asks for base64, and reads what comes as such.
      for (const format of [{}, { encoding_format: "float" as const }, { encoding_format: "base64" as const }]) {
        const { data } = await client.embeddings.create({ ...fields, ...format });
        const expected =
          "encoding_format" in format && format.encoding_format === "base64" ? "AACAPwAAIMAAAIA+" : vector;
        expect(data[0]?.embedding).toEqual(expected);
      }
      const wrong = client.embeddings.create({ ...fields, dimensions: 256 });
      await expect(wrong).rejects.toMatchObject({ status: 503, code: "upstream_dimensions", param: "dimensions" });
    },
  );
});
