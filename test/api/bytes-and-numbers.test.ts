import { describe, expect, it } from "vitest";
import type { Scope } from "../../server/operation/actor";
import { makeTenant, TEST_REQUEST, testApp } from "../factories/app";
import { manage, platformKey, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const SCOPES: Scope[] = [
  "queues:read",
  "queues:write",
  "functions:read",
  "functions:write",
  "secrets:write",
  "projects:write",
  "edge:read",
  "edge:write",
];
const ADDRESS = { address: "127.0.0.1" };
const JSON_TYPE = { "content-type": "application/json" };

const test = await openForFile(testApp());
const tenant = await makeTenant(test);
const key = await platformKey(tenant, { mode: "test", scopes: SCOPES });
const post = (path: string, raw: BodyInit) => manage(test, path, { key, raw });
/** A character for each byte. */
const latin1 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "latin1"));
const refused = (offset: number) => ({ code: "invalid_request", details: { reason: "not_utf8", offset } });

const mcpHeaders = { authorization: `Bearer ${key}`, ...JSON_TYPE, accept: "application/json, text/event-stream" };
async function mcp(raw: BodyInit) {
  const request = new Request("http://localhost:3000/v1/mcp", { method: "POST", headers: mcpHeaders, body: raw });
  const response = await test.app.platform.fetch(request, ADDRESS);
  return { status: response.status, text: await response.text() };
}
const toolCall = (name: string, args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

await post("/v1/queues", '{"name":"q"}');

describe("bytes that are not UTF-8", () => {
  it.each([
    ["/v1/queues/q/send", '{"body":"caf\xe9"}', 12],
    ["/v1/secrets", '{"name":"TOKEN","value":"\xff\xfe"}', 25],
    ["/v1/projects", '{"name":"h\xc3', 10],
    ["/v1/nodes/join", '{"token":"\xc0\xaf"}', 10],
  ])("of a body are refused by their offset: %s", async (path, body, offset) => {
    const response = await post(path, latin1(body));
    expect([response.status, await response.json()]).toMatchObject([400, { error: refused(offset) }]);
  });

  it("are refused by the offers API, the dashboard and MCP in their own forms", async () => {
    const report = await send(test, "/api/v1/impressions/batch", { raw: latin1('{"ids":["\xe9"]}') });
    expect([report.status, await report.json()]).toMatchObject([400, { error: refused(9) }]);
    const call = new Request("http://localhost:3000/api/trpc/openBrowserSession", {
      method: "POST",
      headers: { ...JSON_TYPE, origin: "http://localhost:3000" },
      body: latin1('{"email":"\xe9"}'),
    });
    const page = await test.app.trpc.handle(call, { ...TEST_REQUEST, isForwarded: false });
    expect([page.status, await page.json()]).toMatchObject([400, { error: { data: { failure: refused(10) } } }]);
    const { status, text } = await mcp(latin1(toolCall("svc_secrets_put", '{"name":"A","value":"\xe9"}')));
    const error = { code: -32_000, data: refused(114) };
    expect([status, JSON.parse(text)]).toMatchObject([400, { jsonrpc: "2.0", error }]);
  });

  it.each(["/v1/queues/caf%E9", "/v1/queues/q/messages?limit=1&cursor=%C3%28", "/v1/edge/kv/cache/keys/%FF"])(
    "of a path or query are refused: %s",
    async (path) => {
      const response = await manage(test, path, { key });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: { code: "invalid_request", details: { reason: "not_utf8" } } },
      ]);
    },
  );

  it.each<[string, string?]>([
    ["GET /v1/queues/a%00b"],
    ["GET /v1/queues?cursor=%00"],
    ["POST /v1/projects", '{"name":"a\\u0000b"}'],
    ["POST /v1/projects", '{"name":"a\\ud800"}'],
    ["POST /v1/queues/q/send", '{"body":{"\\udc00":1}}'],
  ])("NUL and half of a surrogate pair are refused too: %s %s", async (asked, raw) => {
    const [method = "", path = ""] = asked.split(" ");
    const response = await manage(test, path, { key, method, ...(raw !== undefined && { raw }) });
    expect([response.status, (await response.json()).error.code]).toEqual([400, "invalid_request"]);
  });
});

describe("numbers that a double would change", () => {
  const number = '{"id":9007199254740993,"more":[-9223372036854775808,0.1000000000000000055511151231257827,1e400,1.5]}';

  it("keep their digits in messages of queues, from REST and from MCP", async () => {
    expect((await post("/v1/queues/q/send", `{"body":${number}}`)).status).toBe(200);
    const sent = await mcp(toolCall("svc_queues_send", `{"queue":"q","body":${number}}`));
    expect(sent.text).not.toContain("isError");
    const received = await (await manage(test, "/v1/queues/q/messages", { key })).text();
    expect(received.split(`"body":${number}`)).toHaveLength(3);
  });

  it("are refused by their path in a payload for JavaScript", async () => {
    await post("/v1/functions", '{"name":"echo"}');
    const invoked = await post("/v1/functions/echo/invoke", '{"payload":{"a":[1,{"id":9007199254740993}]}}');
    const message = "payload.a[1].id: JavaScript reads 9007199254740993 as another number; send it as text.";
    expect([invoked.status, await invoked.json()]).toMatchObject([
      400,
      { error: { param: "payload.a[1].id", message } },
    ]);
    const called = await mcp(toolCall("svc_functions_invoke", '{"function_id":"echo","payload":{"id":1e400}}'));
    expect(called.text).toContain("payload.id: JavaScript reads 1e400 as another number; send it as text.");
    const schedule = '{"schedule":{"cron":"0 6 * * *","payload":{"id":9007199254740993}}}';
    const scheduled = await manage(test, "/v1/functions/echo", { key, method: "PATCH", raw: schedule });
    expect([scheduled.status, await scheduled.json()]).toMatchObject([
      400,
      { error: { param: "schedule.payload.id" } },
    ]);
  });

  it("are refused in what a response of MCP has to repeat", async () => {
    const ping = '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}';
    for (const [body, param] of [
      [ping, "id"],
      [`[{"jsonrpc":"2.0","id":1,"method":"ping"},${ping}]`, "[1].id"],
    ] as const) {
      const { status, text } = await mcp(body);
      expect([status, JSON.parse(text)]).toMatchObject([400, { error: { data: { param } } }]);
    }
  });

  it("are refused by their field where a number is expected", async () => {
    const response = await post("/v1/queues/q/send", '{"body":"x","delay_seconds":9007199254740993}');
    const message = "delay_seconds: expected a number from -9007199254740991 to 9007199254740991.";
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { param: "delay_seconds", message } },
    ]);
  });
});
