import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type TypedLine, typeLine } from "../test/factories/typed-line";
import { createChatClient } from "./chat-client";

const KEY = `svc_test_${"a".repeat(48)}`;
const MESSAGES = [{ role: "user" as const, content: "hi" }];

interface Got {
  path: string;
  key: string | undefined;
  body: { messages?: { role: string; content: string }[]; stream?: boolean } | undefined;
}
const got: Got[] = [];
/** The bodies as they came. */
const texts: string[] = [];
let closed = 0;
let models = ["svc-echo"];
/** What the next completion does. */
let reply: (response: ServerResponse) => void;

const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  const body = text === "" ? undefined : JSON.parse(text);
  texts.push(text);
  got.push({ path: request.url ?? "", key: request.headers.authorization, body });
  response.on("close", () => closed++);
  if (request.url === "/v1/models") return void response.end(JSON.stringify({ data: models.map((id) => ({ id })) }));
  reply(response);
});
afterAll(() => void server.close().closeAllConnections());
beforeEach(() => {
  got.length = 0;
  texts.length = 0;
  closed = 0;
  models = ["svc-echo"];
  reply = (response) => stream(response, ["Hel", "lo"]);
});

const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: "c", model: "svc-echo", simulated: true, choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const USAGE = `data: ${JSON.stringify({ id: "c", model: "svc-echo", choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })}\n\n`;
function stream(response: ServerResponse, pieces: readonly string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "req_9" });
  response.end(`${pieces.map(chunk).join("")}${USAGE}data: [DONE]\n\n`);
}
const fail = (response: ServerResponse, status: number, error: object): void =>
  void response.writeHead(status, { "retry-after": "7" }).end(JSON.stringify({ error, request_id: "req_8" }));

describe("createChatClient", () => {
  const client = () => createChatClient({ baseUrl: `${url}/`, key: KEY });

  it("keeps all digits of numbers, in what it sends and receives", async () => {
    const LARGE = 9007199254740993n;
    reply = (response) => void response.end(`{"id":"c","choices":[],"seed":${LARGE}}`);
    const request = { model: "svc-echo", messages: MESSAGES, seed: LARGE };
    expect(await client().complete(request)).toMatchObject({ seed: LARGE });
    reply = (response) => void response.end(`data: {"choices":[],"seed":${LARGE}}\n\ndata: [DONE]\n\n`);
    for await (const { seed } of client().stream(request)) expect(seed).toBe(LARGE);
    expect(texts.map((text) => text.includes(`"seed":${LARGE}`))).toEqual([true, true]);
    const near = createChatClient({ baseUrl: url, key: KEY, parseJson: JSON.parse });
    for await (const { seed } of near.stream(request)) expect(seed).toBe(2 ** 53);
  });

  it("streams the pieces and the usage", async () => {
    const pieces: unknown[] = [];
    for await (const { choices, usage } of client().stream({ model: "svc-echo", messages: MESSAGES }))
      pieces.push(choices[0]?.delta.content ?? usage?.total_tokens);
    expect(pieces).toEqual(["Hel", "lo", 5]);
    expect(got).toEqual([
      {
        path: "/v1/chat/completions",
        key: `Bearer ${KEY}`,
        body: { model: "svc-echo", messages: MESSAGES, stream: true, stream_options: { include_usage: true } },
      },
    ]);
  });

  it("returns a whole response", async () => {
    reply = (response) => void response.end(JSON.stringify({ choices: [{ message: { content: "Hello" } }] }));
    const { choices } = await client().complete({ model: "svc-echo", messages: MESSAGES });
    expect([choices[0]?.message.content, got[0]?.body?.stream]).toEqual(["Hello", false]);
    expect(await client().models()).toEqual([{ id: "svc-echo" }]);
  });

  it("ends the request when the consumer stops early or aborts", async () => {
    reply = (response) => void response.writeHead(200).write(chunk("a"));
    for await (const _ of client().stream({ model: "m", messages: MESSAGES })) break;
    await expect.poll(() => closed).toBe(1);
    const stop = new AbortController();
    const pieces = client().stream({ model: "m", messages: MESSAGES }, { signal: stop.signal });
    await pieces.next();
    stop.abort(new Error("enough"));
    await expect(pieces.next()).rejects.toThrow("enough");
    await expect.poll(() => closed).toBe(2);
  });

  it.each([
    [429, { message: "Slow down.", type: "rate_limit_error", code: "rate_limited", param: null }, "rate_limited"],
    [400, { message: "No.", type: "invalid_request_error", code: null, param: "messages" }, "invalid_request_error"],
  ])("rejects %i with the gateway's error", async (status, error, code) => {
    reply = (response) => fail(response, status, error);
    const failed = client().complete({ model: "m", messages: MESSAGES });
    await expect(failed).rejects.toMatchObject({
      status,
      code,
      message: error.message,
      requestId: "req_8",
      retry_after: 7,
    });
  });

  it.each([
    [
      "an error within the stream",
      `${chunk("a")}data: {"error":{"message":"Upstream failed.","code":"upstream"}}\n\n`,
      "upstream",
    ],
    ["a stream that ends early", chunk("a"), "network"],
    ["a body that is not of the gateway", "data: <html>\n\n", "unreadable"],
  ])("rejects %s", async (_, text, code) => {
    reply = (response) => void response.end(text);
    const all = async () => {
      for await (const one of client().stream({ model: "m", messages: MESSAGES })) expect(one.id).toBe("c");
    };
    await expect(all()).rejects.toMatchObject({ code });
  });

  it("rejects when svc is not there", async () => {
    const nowhere = createChatClient({ baseUrl: "http://127.0.0.1:1", key: KEY });
    await expect(nowhere.models()).rejects.toMatchObject({ status: 0, code: "network" });
  });
});

describe("svc chat", () => {
  const start = (argv: readonly string[], more: Partial<TypedLine> = {}) =>
    typeLine(["chat", ...argv], { key: KEY, svc: url, ...more });
  async function svc(argv: readonly string[], more: Partial<TypedLine> = {}) {
    const { done, said } = start(argv, more);
    return { code: await done, ...said };
  }

  it("prints one answer as it arrives, and the usage on standard error", async () => {
    const argv = ["--system", "Be brief.", "hi", "--max-tokens", "9", "--temperature", "0"];
    expect(await svc(argv)).toEqual({
      code: 0,
      out: "Hello\n",
      err: "svc-echo (simulated): 3 prompt tokens, 2 completion tokens.\n",
    });
    expect(got.at(-1)?.body).toMatchObject({
      model: "svc-echo",
      max_tokens: 9,
      temperature: 0,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hi" },
      ],
    });
  });

  it("reads the prompt from standard input", async () => {
    expect((await svc([], { input: "from a pipe\n" })).code).toBe(0);
    expect((await svc(["-", "--quiet"], { input: "again" })).err).toBe("");
    expect(got.filter(({ body }) => body).map(({ body }) => body?.messages?.[0]?.content)).toEqual([
      "from a pipe\n",
      "again",
    ]);
    expect(await svc([], { input: " \n" })).toMatchObject({
      code: 2,
      err: expect.stringContaining("The prompt is empty."),
    });
  });

  it("prints the events as lines of JSON with --json", async () => {
    const { out } = await svc(["hi", "--json", "--model", "m"]);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([lines.length, lines[2].usage.total_tokens]).toEqual([3, 5]);
  });

  it("removes what would control the terminal", async () => {
    reply = (response) => stream(response, ["a\u001b[2J\u0007b\r\n\tc\u202e", "\u009b31md"]);
    expect((await svc(["hi"])).out).toBe("a[2Jb\n\tc31md\n");
  });

  it("needs --model where there are several, and SVC_CHAT_MODEL is a default", async () => {
    models = ["a", "b"];
    expect(await svc(["hi"])).toMatchObject({ code: 2, err: expect.stringContaining("it must be one of a, b.") });
    expect((await svc(["hi"], { env: { SVC_CHAT_MODEL: "b" } })).code).toBe(0);
    expect(got.at(-1)?.body).toMatchObject({ model: "b" });
  });

  it("holds a conversation on a terminal, and leaves out an answer that failed", async () => {
    const answers = ["one", "two", "three", ""];
    let turn = 0;
    reply = (response) =>
      ++turn === 2 ? fail(response, 503, { message: "Down.", code: "no_upstream" }) : stream(response, ["ok"]);
    const { code, out, err } = await svc([], { answers });
    expect([code, out]).toEqual([0, "ok\nok\n"]);
    expect(err).toContain("svc: Down.\n");
    expect(got.at(-1)?.body?.messages?.map(({ content }) => content)).toEqual(["one", "ok", "three"]);
  });

  it("stops an answer on Ctrl-C, and ends the request", async () => {
    reply = (response) => void response.writeHead(200).write(chunk("begun"));
    const { said, done, stop } = start(["hi"]);
    await expect.poll(() => said.out).toBe("begun");
    stop.abort();
    expect([await done, said.out, said.err]).toEqual([130, "begun\n", "(stopped)\n"]);
    await expect.poll(() => closed).toBe(2);
  });

  it.each([
    [401, { message: "No key.", code: "unauthorized" }, 3],
    [429, { message: "Slow.", code: "rate_limited" }, 5],
    [503, { message: "None.", code: "no_upstream" }, 4],
    [400, { message: "Bad.", code: "invalid" }, 1],
  ])("exits after %i with the documented status", async (status, error, code) => {
    reply = (response) => fail(response, status, error);
    expect(await svc(["hi"])).toMatchObject({ code, err: expect.stringContaining(`svc: ${error.message}\n`) });
  });
});
