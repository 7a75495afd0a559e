import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { chatScene, eventsIn, recordingLedger, textIn } from "../../../../test/factories/chat-scene";
import { answers, type ChatScript, chunksOf, fails } from "../../../../test/factories/chat-upstream";
import type { ServiceError } from "../../../kernel/errors";
import type { Reply } from "../../../operation/reply";
import { createRedactor } from "../../data/secrets/redactor";
import type { FinalResponse } from "./chat-stages";
import { RedactedChunks } from "./redacted-chunks";

/** Without a beginning that looks like a key. */
const KEY = 'T0k/en+Value"==9';
const FORMS = {
  "as it is": KEY,
  "as in the header": `Bearer ${KEY}`,
  "in base64": Buffer.from(`:${KEY}`).toString("base64"),
  "in hexadecimal digits": Buffer.from(KEY).toString("hex"),
  "in a URL": encodeURIComponent(KEY),
  "as JSON": JSON.stringify({ authorization: KEY }),
};
const NEEDLES = [KEY, JSON.stringify(KEY).slice(1, -1), KEY.replace("/", "\\/")].concat(
  Object.values(FORMS).map((form) => form.replace(/^Bearer /, "")),
  Buffer.from(`:${KEY}`).toString("base64").slice(4, -4),
);
const leaks = (...seen: unknown[]): string[] => {
  const text = seen.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  const read = text.replaceAll('\\"', '"').replaceAll("\\\\", "\\");
  return NEEDLES.filter((needle) => text.includes(needle) || read.includes(needle));
};

type Scene = Awaited<ReturnType<typeof chatScene>>;
let scene: Scene;
const seen: FinalResponse[] = [];
async function open(apiKey: string | undefined = KEY): Promise<Scene> {
  seen.length = 0;
  scene = await chatScene({
    settings: { apiKey },
    ledger: recordingLedger({ storesBodies: true }),
    stages: { answers: [{ name: "see", see: (_, answer) => void seen.push(answer) }] },
  });
  return scene;
}
afterEach(() => scene?.close());

const STREAM = { stream: true };
const finished = async (count = 1) => {
  await expect.poll(() => scene.ledger.finished.length).toBe(count);
  return scene.ledger.finished;
};
const bodyOf = async ({ body }: Reply): Promise<string> =>
  body instanceof ReadableStream ? await new Response(body).text() : body.toString();
/** A stream of events with these deltas, one by one, and of an end. */
const streams =
  (deltas: readonly object[], { first = "", end = "data: [DONE]\n\n" } = {}): ChatScript =>
  (_, response) => {
    const [role = "", word = "", last = ""] = chunksOf("word");
    const events = deltas.map((delta) => word.replace('{"content":"word"}', () => JSON.stringify(delta)));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end([first, role, ...events, last, end].join(""));
  };
const pieces = (text: string, size: number): string[] => text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];

describe("an upstream that shows its key", () => {
  it.each(Object.entries(FORMS))("%s in an error shows it to nobody", async (_, shown) => {
    const { ask, doubles } = await open();
    const error = { message: `No: ${shown}!`, param: shown, code: shown };
    const scripts: ChatScript[] = [
      fails(400, error, { "x-key": Buffer.from(shown).toString("latin1") }),
      fails(422, [shown]),
      fails(401, error),
      (__, response) => void response.writeHead(400).end(`<h1>${shown}</h1>`),
      (__, response) => void response.writeHead(200).end(`<h1>${shown}</h1>`),
      (__, response) =>
        void response.writeHead(302, { location: `http://127.0.0.1:1/${encodeURIComponent(KEY)}` }).end(),
      streams([{ content: "Hi" }], { end: `data: ${JSON.stringify({ error })}\n\n` }),
    ];
    for (const [i, script] of scripts.entries()) {
      doubles[0]?.script(script);
      const failure = await ask(i === scripts.length - 1 ? STREAM : {}).then(bodyOf, (one: ServiceError) => one);
      const all = typeof failure === "string" ? [failure] : withCauses(failure);
      expect(leaks(...all, await finished(i + 1))).toEqual([]);
      expect(all.join("\n").length).toBeGreaterThan(10);
    }
  });

  it.each(Object.entries(FORMS))("%s in an answer shows it to nobody", async (_, shown) => {
    const { ask, doubles } = await open();
    doubles[0]?.script(answers({ text: `It is ${shown}, as you see.` }));
    const reply = await ask();
    expect(JSON.parse(reply.body as string).choices[0].message.content).toMatch(
      /^It is .*\[redacted\].*, as you see\.$/,
    );
    expect(leaks(reply.body, reply.headers, await finished(), seen)).toEqual([]);
    expect(seen[0]?.text).toContain("[redacted]");
  });

  it("in other escapes, names, calls of tools and logprobs shows it to nobody", async () => {
    const { ask, doubles } = await open();
    const escaped = [...KEY].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
    const message = `{"role":"assistant","content":"a ${KEY.replace("/", "\\/").replace('"', '\\"')} b","${escaped}":"${escaped}",
      "tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":${JSON.stringify(JSON.stringify({ KEY }))}}}]}`;
    const logprobs = JSON.stringify({ content: pieces(KEY, 3).map((token) => ({ token })) });
    const choice = `{"index":0,"finish_reason":"stop","message":${message},"logprobs":${logprobs}}`;
    doubles[0]?.script((_, response) => void response.end(`{"id":"${escaped}","created":1,"choices":[${choice}]}`));
    const { body } = await ask();
    expect(leaks(body, JSON.parse(body as string), await finished())).toEqual([]);
    expect(JSON.parse(body as string)).toMatchObject({
      id: "[redacted]",
      created: 1,
      choices: [{ logprobs: null, message: { content: "a [redacted] b" } }],
    });
  });

  it("beside bytes that are not UTF-8 shows it to nobody, and the bytes arrive as they were", async () => {
    const { ask, doubles } = await open();
    const [, word = "", last = ""] = chunksOf("word");
    const said = ["caf\xe9 T", "\xe9", "T0k", `${KEY.slice(3)}\xff`, "T\xe9"];
    const events = said.map((text) => word.replace('"word"', () => JSON.stringify(text)));
    doubles[0]?.script((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(Buffer.from([...events, last, "data: [DONE]\n\n"].join(""), "latin1"));
    });
    const { body } = await ask(STREAM);
    const sent = Buffer.from(await new Response(body).arrayBuffer()).toString("latin1");
    expect((await eventsIn({ body: sent } as never)).map((event) => joinedOf(event, "content")).join("")).toBe(
      "caf\xe9 T\xe9[redacted]\xffT\xe9",
    );
    expect(leaks(sent, await finished())).toEqual([]);
    doubles[0]?.script((_, response) => {
      response.end(Buffer.from(`{"choices":[{"message":{"content":"caf\xe9 ${encodeURIComponent(KEY)}"}}]}`, "latin1"));
    });
    const whole = (await ask()).body as Buffer;
    expect(whole.toString("latin1")).toBe('{"choices":[{"message":{"content":"caf\xe9 [redacted]"}}]}');
  });

  it.each([1, 2, 3, 7, 100])("in a stream, divided into pieces of %s characters, shows it to nobody", async (size) => {
    const { ask, doubles } = await open();
    const said = `It is ${KEY}; in base64 ${Buffer.from(KEY).toString("base64")}.`;
    for (const name of ["content", "refusal", "reasoning_content", "arguments"]) {
      const deltas = pieces(said, size).map((piece) =>
        name === "arguments" ? { tool_calls: [{ index: 0, function: { arguments: piece } }] } : { [name]: piece },
      );
      const before = scene.ledger.finished.length;
      doubles[0]?.script(
        streams(deltas, { first: `: ${KEY}\n\nid: ${KEY}\ndata: {"model":"${encodeURIComponent(KEY)}"}\n\n` }),
      );
      const sent = await bodyOf(await ask(STREAM));
      const events = await eventsIn({ body: sent } as never);
      const joined = events.map((event) => joinedOf(event, name)).join("");
      expect(joined).toBe("It is [redacted]; in base64 [redacted].");
      expect(sent.startsWith(": [redacted]\n\nid: [redacted]\ndata: ")).toBe(true);
      expect(leaks(sent, joined, await finished(before + 1), seen)).toEqual([]);
      expect(events.at(-1)).toBe("[DONE]");
      if (name === "content") expect(seen.at(-1)?.text).toBe(joined);
    }
  });

  it("divided in a stream whose choices never end shows it to nobody, and what looked like it is complete", async () => {
    const { ask, doubles } = await open();
    const half = KEY.slice(0, 8);
    doubles[0]?.script((_, response) => {
      const [, ...words] = chunksOf("word").slice(0, 2);
      const events = [half, " or ", half].map((text) => words.join("").replace('"word"', () => JSON.stringify(text)));
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`${events.join("")}data: [DONE]\n\n`);
    });
    expect(textIn(await eventsIn(await ask(STREAM)))).toBe(`${half} or ${half}`);
    expect((await finished())[0]?.bodies?.response).toContain(`${half} or ${half}`);
  });

  it("in bytes that are no HTTP leaves none of them in the error", async () => {
    const { ask, doubles } = await open();
    doubles[0]?.script((_, response) => void response.socket?.end(`${KEY} is no HTTP\r\n\r\n`));
    const failure = await ask().catch((one: ServiceError) => one);
    expect(JSON.stringify(withCauses(failure))).not.toContain("rawPacket");
    expect(leaks(...withCauses(failure))).toEqual([]);
  });
});

it.each([undefined, KEY])("an answer without the key %s comes as the upstream sent it", async (apiKey) => {
  const { ask, doubles } = await open(apiKey);
  const whole = '{ "id":"1", "choices":[ {"index":0,"message":{"content":"\\u00e4 \\/ T0k"}, "big": 1.50 } ] }';
  doubles[0]?.script((_, response) => void response.end(whole));
  expect((await ask()).body).toBe(whole);
  const events = chunksOf("Nothing looks so.").join("").replaceAll("\n\n", "\r\n\r\n");
  doubles[0]?.script((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(`: hi\n\nevent: x\n${events}data: [DONE]\n\n`);
  });
  expect(await bodyOf(await ask(STREAM))).toBe(`: hi\n\nevent: x\n${events}data: [DONE]\n\n`);
});

it("joined, the chunks of a stream are the redacted text, however it is divided", () => {
  const text = fc.array(
    fc.oneof(fc.constant("abcabcabd"), fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 5 })),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), fc.boolean(), (choices, isFinished) => {
      const redactor = createRedactor(["abcabcabd"]);
      const chunks = new RedactedChunks(redactor);
      const out = choices.map(() => "");
      const read = (chunk: unknown) => {
        const { choices: parts } = chunk as { choices: { index: number; delta: { content?: string } }[] };
        for (const { index, delta } of parts) out[index] += delta.content ?? "";
      };
      for (let i = 0; choices.some((parts) => i < parts.length); i++) {
        const parts = choices.flatMap((one, index) => (i < one.length ? [{ index, delta: { content: one[i] } }] : []));
        read(JSON.parse(chunks.take(JSON.stringify({ choices: parts })).data));
      }
      const ends = choices.map((_, index) => ({ index, delta: {}, finish_reason: "stop" }));
      if (isFinished) read(JSON.parse(chunks.take(JSON.stringify({ choices: ends })).data));
      const held = chunks.end();
      if (isFinished) expect(held).toBeUndefined();
      if (held) read(held);
      expect(out).toEqual(choices.map((parts) => redactor.redact(parts.join(""))));
    }),
  );
});

it("what is held back of a call comes before the next call with its index, and legacy calls are searched too", () => {
  const chunks = new RedactedChunks(createRedactor(["abcabcabd"]));
  const read = (delta: object, finish_reason: string | null = null) => {
    const { data } = chunks.take(JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] }));
    return JSON.parse(data).choices[0].delta;
  };
  const call = (id: string, text: string) => ({
    tool_calls: [{ index: 0, id, function: { name: "f", arguments: text } }],
  });
  expect(read(call("1", "xabcabc"))).toEqual(call("1", "x"));
  expect(read(call("2", "abd"))).toEqual({
    tool_calls: [{ index: 0, function: { arguments: "abcabc" } }, ...call("2", "abd").tool_calls],
  });
  expect(read({ tool_calls: [{ index: 0, function: { arguments: "ef" } }] })).toEqual({
    tool_calls: [{ index: 0, function: { arguments: "ef" } }],
  });
  expect(read({ function_call: { name: "g", arguments: "yabcabc" } })).toEqual({
    function_call: { name: "g", arguments: "y" },
  });
  expect(read({ function_call: { arguments: "abd." } }, "stop")).toEqual({
    function_call: { arguments: "[redacted]." },
  });
});

/** An error with everything of it that a log writes. */
function withCauses(failure: unknown): unknown[] {
  if (!(failure instanceof Error)) return [failure];
  const { message, stack, cause } = failure;
  return [message, stack, { ...failure }, ...(cause === undefined ? [] : withCauses(cause))];
}

function joinedOf(event: unknown, name: string): string {
  const delta = (event as { choices?: { delta?: Record<string, never> }[] }).choices?.[0]?.delta ?? {};
  if (name !== "arguments") return delta[name] ?? "";
  const calls = (delta.tool_calls ?? []) as { function: { arguments: string } }[];
  return calls.map((call) => call.function.arguments).join("");
}
