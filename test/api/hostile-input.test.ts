import { describe, expect, it } from "vitest";
import { signUp } from "../../server/identity/sign-up/sign-up";
import { INPUT_LIMITS } from "../../server/kernel/bounded-input";
import type { Actor } from "../../server/operation/actor";
import { feedBoot, makeChannel } from "../factories/ads";
import { eventually, makeShop, TEST_REQUEST, testApp } from "../factories/app";
import { manage, platformKey, send } from "../factories/calls";
import { PASSWORD } from "../factories/identity";
import { openForFile } from "../factories/open-for-file";

const ORIGIN = "http://localhost:3000";
const JSON_TYPE = { "content-type": "application/json" };
const KIBIBYTE = 1024;

const test = await openForFile(testApp());
const shop = await makeShop(test);
const key = await platformKey(shop.ctx);
const signedUp = await signUp.run(
  { ...test.app.account, request: TEST_REQUEST },
  { email: "attacker@example.com", password: PASSWORD },
);
const cookie = signedUp.cookie.split(";")[0] ?? "";
const ctx = { ...test.app.ads, actor: (await test.app.session(cookie))?.actor as Actor, request: TEST_REQUEST };
/** Of whom the cookie belongs to. */
const ownChannelId = (await makeChannel(ctx)).id;
await eventually(() => test.app.ads.catalog.channelById(ownChannelId) !== undefined);

interface HttpResult {
  status: number;
  error?: { code: string; message: string; param?: string } | undefined;
}

const ofRest = async (answer: Response): Promise<HttpResult> => {
  const text = await answer.text();
  return { status: answer.status, ...(text && (JSON.parse(text) as Pick<HttpResult, "error">)) };
};

async function dashboard(path: string, init: RequestInit): Promise<HttpResult> {
  const headers = { ...JSON_TYPE, origin: ORIGIN, cookie };
  const request = new Request(`${ORIGIN}/api/trpc/${path}`, { ...init, headers });
  const answer = await test.app.trpc.handle(request, { ...TEST_REQUEST, isForwarded: false });
  const parsed = (await answer.json()) as unknown;
  const [first] = [parsed].flat() as { error?: { data: { failure: HttpResult["error"] } } }[];
  return { status: answer.status, error: first?.error?.data.failure };
}

/** A body of the offers API and of explain, around the JSON text of a signal's attributes. */
const body = (attributes: string, more = "") => `{"query":"boots","signals":[{"attributes":${attributes}}]${more}}`;
const withChannel = (attributes: string, channelId = ownChannelId) => body(attributes, `,"channel_id":"${channelId}"`);

/** Everywhere that parses what a stranger sends; each takes the JSON text of the attributes of a signal. */
const SURFACES: [string, (attributes: string) => Promise<HttpResult>][] = [
  [
    "the platform API",
    async (text) =>
      ofRest(
        await manage(test, "/v1/ads/explain", { key, raw: withChannel(text, shop.channel.id), headers: JSON_TYPE }),
      ),
  ],
  [
    "the offers API",
    async (text) =>
      ofRest(await send(test, "/api/v1/offers", { key: shop.serverKey, raw: body(text), headers: JSON_TYPE })),
  ],
  [
    "reported signals",
    async (text) =>
      ofRest(
        await send(test, "/api/v1/signals", {
          key: shop.serverKey,
          raw: `{"user_id":"u1","signals":[{"attributes":${text}}]}`,
          headers: JSON_TYPE,
        }),
      ),
  ],
  [
    "JSON in a query string",
    async (text) =>
      ofRest(
        await send(test, `/api/v1/offers?signals=${encodeURIComponent(`[{"attributes":${text}}]`)}`, {
          key: shop.serverKey,
        }),
      ),
  ],
  ["the dashboard's API", (text) => dashboard("explainOffers", { method: "POST", body: withChannel(text) })],
  [
    "the dashboard's API in a batch",
    (text) => dashboard("explainOffers?batch=1", { method: "POST", body: `{"0":${withChannel(text)}}` }),
  ],
];

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const repeated = (item: string, count: number) => Array(count).fill(item).join(",");
const names = (count: number) => Array.from({ length: count }, (_, i) => `"${i}":1`).join(",");

const REFUSED: [string, string][] = [
  ["nested 40 levels deep", nested(40)],
  ["nested 40,000 levels deep", `{"a":${"[".repeat(40_000)}${"]".repeat(40_000)}}`],
  ["of 80,000 empty lists", `{"a":[${repeated("[]", 80_000)}]}`],
  ["of 20,000 names", `{"a":{${names(20_000)}}}`],
  ["with NUL", '{"a":"x\\u0000"}'],
  ["with half of a surrogate pair", '{"a":"\\ud800"}'],
  ["with NUL in a name", '{"a\\u0000":1}'],
  ["with __proto__", '{"__proto__":{"isAdmin":true}}'],
  ["with a prototype of its constructor", '{"a":{"constructor":{"prototype":{}}}}'],
];

describe.each(SURFACES)("%s", (_surface, ask) => {
  it.each(REFUSED)("refuses an input %s by its field", async (_, attributes) => {
    const { status, error } = await ask(attributes);
    expect([status, error?.code]).toEqual([400, "invalid_request"]);
    expect(error?.param).toMatch(/^signals/);
    expect(error?.message).toMatch(/values|nested|NUL|must not be named/);
  });

  it.each([24, 40])(
    "refuses %i levels of superjson's references as an attribute, like any other object",
    async (levels) => {
      const { status, error } = await ask(superjson(levels));
      expect([status, error?.code, error?.param]).toEqual([400, "invalid_request", "signals[0].attributes.json"]);
    },
  );
});

/** What made one value of 2^levels: each level holds the next one twice. */
function superjson(levels: number): string {
  const json = Object.fromEntries(Array.from({ length: levels + 1 }, (_, i) => [`l${i}`, { a: null, b: null }]));
  const referentialEqualities = Object.fromEntries(
    Array.from({ length: levels }, (_, i) => [`l${i + 1}`, [`l${i}.a`, `l${i}.b`]]),
  );
  return JSON.stringify({ json, meta: { referentialEqualities } });
}

describe("the dashboard's API", () => {
  it.each([24, 40])("refuses %i levels of superjson's references as an input", async (levels) => {
    const { status, error } = await dashboard("explainOffers", { method: "POST", body: superjson(levels) });
    expect([status, error?.code]).toEqual([400, "invalid_request"]);
  });

  it.each([
    ["createChannel", { name: "x\0" }, "name"],
    ["createChannel", { name: "x", origins: ["\ud800"] }, "origins[0]"],
    ["createAdvertiser", { name: "\udc00" }, "name"],
    ["getChannel", { id: "\0" }, "id"],
    ["openBrowserSession", { email: "a\0@example.com", password: PASSWORD }, "email"],
    ["requestPasswordReset", { email: "\ud800@example.com" }, "email"],
    ["verifyEmail", { token: "\0" }, "token"],
    ["getInvitation", { token: "\ud800" }, "token"],
    ["renameTenant", { name: "\0" }, "name"],
    ["listAudit", { actor_id: "\0" }, "actor_id"],
  ])("refuses NUL and broken surrogates in %s as the platform API does", async (procedure, input, param) => {
    const isQuery = ["getChannel", "getInvitation", "listAudit"].includes(procedure);
    const text = JSON.stringify(input);
    const { status, error } = isQuery
      ? await dashboard(`${procedure}?input=${encodeURIComponent(text)}`, {})
      : await dashboard(procedure, { method: "POST", body: text });
    expect([status, error]).toEqual([
      400,
      expect.objectContaining({
        code: "invalid_request",
        param,
        message: "Text must not contain NUL characters or broken surrogate pairs.",
      }),
    ]);
  });

  it("bounds the input of a query as well", async () => {
    const input = encodeURIComponent(`{"limit":1,"a":[${repeated("[]", INPUT_LIMITS.nodes)}]}`);
    expect(await dashboard(`listChannels?input=${input}`, {})).toMatchObject({ status: 400 });
  });
});

it("a query string with a name given thousands of times is refused", async () => {
  const answer = await manage(
    test,
    `/v1/ads/channels?${repeated("limit=1", INPUT_LIMITS.nodes).replaceAll(",", "&")}`,
    {
      key,
    },
  );
  expect((await ofRest(answer)).error).toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("more than"),
  });
});

it("a line of a feed that is over the limits is refused, and its neighbours are taken", async () => {
  const line = (text: string) => JSON.stringify(feedBoot("bad")).replace(/\}$/, `,"custom":${text}}`);
  const lines = [
    JSON.stringify(feedBoot("1")),
    ...[nested(40), `[${repeated("[]", 80_000)}]`, `{${names(20_000)}}`, '"x\\u0000"', '{"__proto__":1}'].map(line),
    JSON.stringify({ ...feedBoot("2"), custom: "x".repeat(600 * KIBIBYTE) }),
  ];
  const answer = await manage(test, `/v1/ads/campaigns/${shop.campaign.id}/products`, {
    key,
    raw: lines.join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  });
  expect(await answer.json()).toMatchObject({ accepted: 2, rejected: 5 });
});
