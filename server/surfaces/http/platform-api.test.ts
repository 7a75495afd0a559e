import { pino } from "pino";
import { expect, it } from "vitest";
import { z } from "zod";
import type { Actor } from "../../operation/actor";
import type { Caller } from "../../operation/authorize";
import { operationsOf } from "../../operation/operation";
import type { PipelineParts } from "../../operation/pipeline";
import { route } from "../../operation/route";
import { createPlatformApi } from "./platform-api";

const operation = operationsOf<object>("test");
const open = { summary: "Test", access: "public" } as const;
const nothing = { input: z.strictObject({}), example: { input: {}, output: undefined } } as const;

const stopped: string[] = [];
/** Events until the client leaves. */
async function* events(): AsyncGenerator<{ n: number }> {
  try {
    for (let n = 1; ; n++) yield { n };
  } finally {
    stopped.push("events");
  }
}

const replaceThing = operation({
  ...open,
  id: "replaceThing",
  output: z.object({ name: z.string() }),
  input: z.strictObject({ id: z.string(), name: z.string() }),
  example: { input: { id: "t", name: "n" }, output: { name: "n" } },
  run: async (_: object, { name }) => ({ name }),
});
const startThing = operation({
  ...open,
  ...nothing,
  id: "startThing",
  result: "accepted",
  output: z.object({ state: z.string() }),
  example: { input: {}, output: { state: "starting" } },
  run: async () => ({ state: "starting" }),
});
const watchThings = operation({
  ...open,
  ...nothing,
  id: "watchThings",
  streams: "text/event-stream",
  output: z.any(),
  run: async () => events(),
});
const downloadThing = operation({
  ...open,
  ...nothing,
  id: "downloadThing",
  streams: "application/gzip",
  output: z.any(),
  run: async () => ({ body: new Blob(["bytes"]).stream(), filename: "thing é.gz" }),
});
const receiveThing = operation({
  ...open,
  ...nothing,
  id: "receiveThing",
  output: z.object({ waited: z.boolean() }),
  example: { input: {}, output: { waited: true } },
  run: async (_: object, __, { signal } = {}) => {
    await new Promise((resolve) => {
      signal?.addEventListener("abort", resolve);
      stopped.push("receive is waiting");
    });
    stopped.push("receive");
    return { waited: true };
  },
});
const readKeys = operation({
  ...open,
  ...nothing,
  id: "readKeys",
  access: "keys:read",
  output: z.string(),
  example: { input: {}, output: "keys" },
  run: async () => "keys",
});

const counted: (string | undefined)[] = [];
const pipeline: PipelineParts<Caller> = {
  countCall: async (_, __, called) => {
    counted.push(called?.id);
    return [];
  },
  contextOf: () => ({}),
};
const reader = { kind: "key", tenantId: "ten_1", keyId: "key_1", scopes: new Set(["ads:read"]) } as unknown as Actor;
const api = createPlatformApi({
  pipeline,
  authenticate: async (token) => (token === "reader" ? reader : undefined),
  log: pino({ level: "silent" }),
  routes: [
    route("PUT", "/v1/things/{id}", replaceThing),
    route("POST", "/v1/things/start", startThing),
    route("GET", "/v1/things/events", watchThings),
    route("GET", "/v1/things/download", downloadThing),
    route("GET", "/v1/things/receive", receiveThing),
    route("GET", "/v1/keys", readKeys),
  ],
});
const call = (method: string, path: string, init: RequestInit = {}) =>
  api.fetch(new Request(`http://localhost${path}`, { method, ...init }), { address: "203.0.113.9" });
const json = (body: unknown): RequestInit => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

it("replaces by PUT with the path and the body as one input", async () => {
  const response = await call("PUT", "/v1/things/t1", json({ name: "new" }));
  expect([response.status, await response.json()]).toEqual([200, { name: "new" }]);
  const wrong = await call("PUT", "/v1/things/t1", json({ title: "new" }));
  expect([wrong.status, (await wrong.json()).error.param]).toEqual([400, "name"]);
});

it("responds 202 to what goes on after the response", async () => {
  expect((await call("POST", "/v1/things/start")).status).toBe(202);
});

it("streams server-sent events, and stops producing them when the client leaves", async () => {
  const response = await call("GET", "/v1/things/events");
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const stream = response.body?.getReader();
  const first = new TextDecoder().decode((await stream?.read())?.value);
  const second = new TextDecoder().decode((await stream?.read())?.value);
  expect([first, second]).toEqual(['data: {"n":1}\n\n', 'data: {"n":2}\n\n']);
  await stream?.cancel();
  expect(stopped).toContain("events");
});

it("sends raw bytes under a file name of any script", async () => {
  const response = await call("GET", "/v1/things/download");
  expect(response.headers.get("content-type")).toBe("application/gzip");
  expect(response.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''thing%20%C3%A9.gz");
  expect(await response.text()).toBe("bytes");
});

it("ends a long poll when the client disconnects", async () => {
  const client = new AbortController();
  const polled = call("GET", "/v1/things/receive", { signal: client.signal });
  await expect.poll(() => stopped).toContain("receive is waiting");
  client.abort();
  await polled;
  expect(stopped).toContain("receive");
});

it("counts a call before it is denied, and one that no route takes", async () => {
  counted.length = 0;
  const statuses = [
    (await call("GET", "/v1/keys")).status,
    (await call("GET", "/v1/keys", { headers: { authorization: "Bearer reader" } })).status,
    (await call("GET", "/v1/nothing")).status,
    (await call("POST", "/v1/keys")).status,
  ];
  expect(statuses).toEqual([401, 403, 404, 405]);
  expect(counted).toEqual(["readKeys", "readKeys", undefined, undefined]);
});
