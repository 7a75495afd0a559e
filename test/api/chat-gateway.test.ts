import { writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import OpenAI from "openai";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Network } from "../../server/engines/guarded-fetch";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import { makeTenant, testApp } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { answers, chatUpstream, chunksOf, fails } from "../factories/chat-upstream";
import { fileFolder } from "../factories/file-folder";

/** Names that were looked up. */
const resolved: string[] = [];
const network: Network = {
  resolve: async (hostname) => {
    resolved.push(hostname);
    return ["93.184.216.34", "10.0.0.1"];
  },
  connect: () => new PassThrough(),
};

let [testKey, liveKey, readKey] = ["", "", ""];
const upstream = await chatUpstream();
const dir = fileFolder("svc-chat-");
const file = path.join(dir, "upstreams.json");
const models = [
  { name: "gpt-double", upstream_name: "double-1", input_price: "2.50", output_price: "10" },
  { name: "embed-double", kind: "embeddings", input_price: "0.02" },
];
await writeFile(file, JSON.stringify({ upstreams: [{ id: "main", base_url: upstream.url, models }] }));
const test = await testApp({ env: { CHAT_UPSTREAMS: file }, chatNetwork: network });
const ctx = await makeTenant(test);
await raiseRate(test, ctx.tenantId);
testKey = await platformKey(ctx, { scopes: ["gateway:read", "gateway:write"], mode: "test" });
liveKey = await platformKey(ctx, {
  scopes: ["gateway:read", "gateway:write", "secrets:write", "secrets:reveal"],
  mode: "live",
});
readKey = await platformKey(ctx, { scopes: ["gateway:read"] });
const log = pino({ level: "silent" });
const created = createHttpServer({ tls: undefined, publicUrl: "http://localhost", allowedHosts: [], log });
const server = created.server;
created.serve({
  direct: [{ path: "/v1/", answer: (request, peer) => test.app.platform.fetch(request, peer) }],
  pages: (_, response) => response.end(),
  clientAddress: () => "127.0.0.1",
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const baseURL = `http://localhost:${(server.address() as AddressInfo).port}/v1`;
beforeEach(() => upstream.script(answers()));
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await test.stop();
  await upstream.close();
});

const client = (apiKey: string, options = {}) => new OpenAI({ apiKey, baseURL, maxRetries: 0, ...options });
async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
const SAID = [{ role: "user" as const, content: "Hello there, Ada." }];

describe("openai's client with a test key", () => {
  it("gets an echo", async () => {
    const answer = await client(testKey).chat.completions.create({ model: "svc-echo", messages: SAID });
    expect(answer).toMatchObject({
      object: "chat.completion",
      model: "svc-echo",
      simulated: true,
      choices: [{ index: 0, message: { role: "assistant", content: "Hello there, Ada." }, finish_reason: "stop" }],
    });
    expect(answer.usage?.completion_tokens).toBe(5);
  });

  it("gets an echo as a stream", async () => {
    const stream = await client(testKey).chat.completions.create({
      model: "svc-echo",
      messages: SAID,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await collected(stream);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe("Hello there, Ada.");
    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(5);
  });
});

describe("openai's client with a live key", () => {
  it("gets the upstream's answer", async () => {
    const { data, response } = await client(liveKey)
      .chat.completions.create({ model: "gpt-double", messages: SAID, seed: 7 })
      .withResponse();
    expect(data.choices[0]?.message.content).toBe("Hello there.");
    expect(response.headers.get("x-svc-upstream")).toBe("main");
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(upstream.requests.at(-1)).toMatchObject({
      path: "/v1/chat/completions",
      body: { model: "double-1", messages: SAID, seed: 7 },
    });
  });

  it("gets the upstream's stream, without the usage that it did not ask for", async () => {
    const stream = await client(liveKey).chat.completions.create({ model: "gpt-double", messages: SAID, stream: true });
    const chunks = await collected(stream);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe("Hello there.");
    expect(chunks.some(({ usage }) => usage)).toBe(false);
    expect(upstream.requests.at(-1)?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });
});

describe("openai's client", () => {
  it("lists and gets models", async () => {
    const names = async (key: string) => (await collected(client(key).models.list())).map(({ id }) => id);
    expect(await names(testKey)).toEqual(["embed-double", "gpt-double", "svc-echo", "svc-echo-embedding"]);
    expect(await names(liveKey)).toEqual(["embed-double", "gpt-double"]);
    expect(await client(testKey).models.retrieve("svc-echo")).toMatchObject({ id: "svc-echo", owned_by: "svc" });
  });

  it.each<[string, number, string, () => unknown]>([
    ["AuthenticationError", 401, "invalid_api_key", () => client("svc_live_none").models.list()],
    [
      "PermissionDeniedError",
      403,
      "scope_missing",
      () => client(readKey).embeddings.create({ model: "m", input: "x" }),
    ],
    [
      "NotFoundError",
      404,
      "model_not_found",
      () => client(liveKey).chat.completions.create({ model: "none", messages: SAID }),
    ],
    ["NotFoundError", 404, "model_not_found", () => client(liveKey).models.retrieve("none")],
    [
      "BadRequestError",
      400,
      "invalid_request",
      () => client(testKey).chat.completions.create({ model: "svc-echo", messages: [] }),
    ],
    ["NotFoundError", 404, "not_found", () => client(testKey).get("/chat/nothing")],
    ["APIError", 405, "method_not_allowed", () => client(testKey).delete("/chat/completions")],
    [
      "APIError",
      415,
      "unsupported_media_type",
      () => client(testKey).post("/embeddings", { body: "x", headers: { "content-type": "text/plain" } }),
    ],
  ])("throws %s for %i %s", async (name, ...[status, code, call]) => {
    const failure = await Promise.resolve(call()).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(failure).toMatchObject({ status, code, requestID: expect.stringMatching(/^req_/) });
    expect((failure as Error).constructor.name).toBe(name);
  });

  it.each([
    ["RateLimitError", 429, fails(429, { message: "slow" }, { "retry-after": "60" })],
    ["InternalServerError", 503, fails(401)],
    ["BadRequestError", 400, fails(400, { message: "too long", code: "context_length_exceeded" })],
    ["UnprocessableEntityError", 422, fails(422)],
  ])("throws %s for what an upstream refuses with %i", async (name, status, script) => {
    upstream.script(script);
    const failure = await client(liveKey)
      .chat.completions.create({ model: "gpt-double", messages: SAID })
      .catch((cause: unknown) => cause);
    expect((failure as Error).constructor.name).toBe(name);
    expect(failure).toMatchObject({ status });
  });

  it("throws in the middle of a stream that breaks off", async () => {
    upstream.script(async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      await new Promise((resolve) => response.write(chunksOf("Hello there.").slice(0, 2).join(""), resolve));
      response.destroy();
    });
    const stream = await client(liveKey).chat.completions.create({ model: "gpt-double", messages: SAID, stream: true });
    const texts: (string | null | undefined)[] = [];
    const reading = (async () => {
      for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content);
    })();
    await expect(reading).rejects.toMatchObject({ code: "upstream_failed", type: "server_error" });
    expect(texts).toEqual(["", "Hello"]);
  });

  it("may abort in the middle of a stream", async () => {
    upstream.script((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chunksOf("Hello there.").slice(0, 2).join(""));
    });
    const stream = await client(liveKey).chat.completions.create({ model: "gpt-double", messages: SAID, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) stream.controller.abort();
    upstream.script(answers());
    const answer = await client(liveKey).chat.completions.create({ model: "gpt-double", messages: SAID });
    expect(answer.choices[0]?.message.content).toBe("Hello there.");
  });

  it("may give up before an answer", async () => {
    upstream.script(() => undefined);
    const asked = client(liveKey, { timeout: 300 }).chat.completions.create({ model: "gpt-double", messages: SAID });
    await expect(asked).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
  });

  it("gets simulated vectors, as numbers and as base64, which it asks for by default", async () => {
    const of = async (format?: "float", model = "svc-echo-embedding") => {
      const fields = { model, input: ["a", "b"], dimensions: 8 };
      return (await client(testKey).embeddings.create({ ...fields, ...(format && { encoding_format: format }) })).data;
    };
    const [decoded, floats] = [await of(), await of("float")];
    expect(decoded).toEqual(floats);
    expect(await of(undefined, "svc-echo")).toEqual(decoded);
    expect(decoded[0]?.embedding).not.toEqual(decoded[1]?.embedding);
    for (const { embedding } of decoded) expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
  });

  it("gets an upstream's vectors as they came", async () => {
    const answer = {
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [0.6, 0.8] }],
      model: "double-1",
    };
    upstream.script((_, response) => void response.writeHead(200).end(JSON.stringify(answer)));
    const fields = { model: "embed-double", input: "x", encoding_format: "float" as const };
    expect(await client(liveKey).embeddings.create(fields)).toMatchObject(answer);
    expect(upstream.requests.at(-1)).toMatchObject({
      path: "/v1/embeddings",
      body: { ...fields, model: "embed-double" },
    });
  });

  it("runs a loop with tools", async () => {
    const city = { type: "object", properties: { city: { type: "string" } } };
    const answer = await client(testKey).chat.completions.create({
      model: "svc-echo",
      messages: SAID,
      tool_choice: "required",
      tools: [{ type: "function", function: { name: "weather", parameters: city } }],
    });
    const [call] = answer.choices[0]?.message.tool_calls ?? [];
    expect(call).toMatchObject({ type: "function", function: { name: "weather", arguments: '{"city":"text"}' } });
  });
});

describe("an upstream of a tenant", () => {
  const create = (body: object, key = liveKey) =>
    manage(test, "/v1/gateway/upstreams", {
      key,
      body: { name: "own", base_url: upstream.url, models: [{ name: "own-model" }], ...body },
    });

  it("answers from the next request on with the current value of its secret, before those of the operators", async () => {
    await manage(test, "/v1/secrets", { key: liveKey, body: { name: "model-key", value: "sk-first" } });
    const models = [{ name: "gpt-double", upstream_name: "mine" }];
    const made = await create({ api_key: { secret: "model-key" }, models });
    expect(made.status).toBe(201);
    const { id } = (await made.json()) as { id: string };
    const ask = async () =>
      (await client(liveKey).chat.completions.create({ model: "gpt-double", messages: SAID }).withResponse()).response;
    expect((await ask()).headers.get("x-svc-upstream")).toBe(id);
    expect(upstream.requests.at(-1)).toMatchObject({
      headers: { authorization: "Bearer sk-first" },
      body: { model: "mine" },
    });
    await manage(test, "/v1/secrets/model-key", { key: liveKey, method: "PUT", body: { value: "sk-second" } });
    await ask();
    expect(upstream.requests.at(-1)?.headers.authorization).toBe("Bearer sk-second");
    await manage(test, `/v1/gateway/upstreams/${id}`, { key: liveKey, method: "PATCH", body: { api_key: null } });
    await ask();
    expect(upstream.requests.at(-1)?.headers.authorization).toBeUndefined();
    expect((await manage(test, `/v1/gateway/upstreams/${id}`, { key: liveKey, method: "DELETE" })).status).toBe(204);
    expect((await ask()).headers.get("x-svc-upstream")).toBe("main");
  });

  it.each<[number, string, object]>([
    [400, "not_https", { base_url: "http://models.example/v1" }],
    [400, "address_not_public", { base_url: "https://10.0.0.1/v1" }],
    [400, "address_not_public", { base_url: "https://169.254.169.254/latest" }],
    [422, "no_such_secret", { api_key: { secret: "none" } }],
  ])("is refused with %i %s", async (status, reason, body) => {
    const answer = await create(body);
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: { details: { reason } } }]);
  });

  it("gets a secret only from callers who may read secrets, also when its address changes", async () => {
    const made = await create({ api_key: { secret: "model-key" } }, testKey);
    expect([made.status, await made.json()]).toMatchObject([403, { error: { details: { scope: "secrets:reveal" } } }]);
  });

  it("that only resolves to an internal address is never connected to", async () => {
    const made = await create({ name: "inside", base_url: "https://inside.example/v1", models: [{ name: "inside" }] });
    expect(made.status).toBe(201);
    const asked = client(liveKey).chat.completions.create({ model: "inside", messages: SAID });
    await expect(asked).rejects.toMatchObject({ status: 503, code: "upstream_failed" });
    expect(resolved).toContain("inside.example");
  });
});

it("1,000 streams at once on one process come through whole", async () => {
  const count = 1000;
  let waiting = 0;
  let goOn = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  upstream.script(async ({ body }, response) => {
    const [first = "", ...rest] = chunksOf(`answer to ${JSON.stringify(body.messages)}`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(first);
    if (++waiting === count) goOn();
    await all;
    response.end(`${rest.join("")}data: [DONE]\n\n`);
  });
  const ask = (i: number): Promise<string> => {
    const body = { model: "gpt-double", messages: [{ role: "user", content: `number ${i}` }], stream: true };
    const headers = { "content-type": "application/json", authorization: `Bearer ${liveKey}` };
    return new Promise((resolve, reject) => {
      http
        // A connection of its own: one that was idle may be closed at any moment.
        .request(`${baseURL}/chat/completions`, { method: "POST", headers, agent: false }, (response) =>
          text(response).then(resolve, reject),
        )
        .on("error", reject)
        .end(JSON.stringify(body));
    });
  };
  const asked: Promise<string>[] = [];
  // In waves, because the system queues only so many connections that nobody has accepted yet.
  while (asked.length < count) {
    for (let i = 0; i < 100; i++) asked.push(ask(asked.length));
    await vi.waitUntil(() => waiting === asked.length, { timeout: 30_000 });
  }
  const texts = await Promise.all(asked);
  for (const [i, whole] of texts.entries()) {
    expect(whole.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(whole).toContain(`${i}\\"}]`);
  }
});

it.each([
  [
    "JSON that is nested deeply",
    `{"model":"svc-echo","messages":[{"role":"user","content":"x"}],"x":${"[".repeat(5000)}${"]".repeat(5000)}}`,
    400,
  ],
  [
    "a body over 20 MiB",
    `{"model":"svc-echo","messages":[{"role":"user","content":"${"x".repeat(21 * 2 ** 20)}"}]}`,
    413,
  ],
  ["no JSON", "{", 400],
  ["messages of a wrong type", '{"model":"svc-echo","messages":"x"}', 400],
  ["a model of a wrong type", '{"model":1,"messages":[{"role":"user","content":"x"}]}', 400],
  ["a role that is none", '{"model":"svc-echo","messages":[{"role":"god","content":"x"}]}', 400],
  ["max_tokens below 1", '{"model":"svc-echo","max_tokens":0,"messages":[{"role":"user","content":"x"}]}', 400],
  ["__proto__", '{"model":"svc-echo","messages":[{"role":"user","content":"x"}],"__proto__":{"a":1}}', 400],
])("%s is an error in OpenAI's form", async (_, raw, status) => {
  const headers = { "content-type": "application/json" };
  const answer = await manage(test, "/v1/chat/completions", { key: testKey, raw, headers });
  expect([answer.status, await answer.json()]).toMatchObject([
    status,
    { error: { type: "invalid_request_error", message: expect.any(String), request_id: expect.any(String) } },
  ]);
});

it("a picture of 5 MiB reaches the upstream as it is", async () => {
  const url = `data:image/png;base64,${"A".repeat(5 * 2 ** 20)}`;
  const messages = [{ role: "user" as const, content: [{ type: "image_url" as const, image_url: { url } }] }];
  await client(liveKey).chat.completions.create({ model: "gpt-double", messages });
  expect(upstream.requests.at(-1)?.body.messages).toEqual(messages);
});
