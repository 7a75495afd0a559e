import { expect, it } from "vitest";
import { eventually, makeTenant, testApp } from "../factories/app";
import { platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { typeLine } from "../factories/typed-line";

const SVC = "http://localhost:3000";

const test = await openForFile(testApp());
const key = await platformKey(await makeTenant(test), { mode: "test", scopes: ["queues:read", "queues:write"] });

const fetch = (url: string, init: RequestInit) =>
  test.app.platform.fetch(new Request(url, init), { address: "127.0.0.1" });

async function type(argv: string[], { input = "", as = key } = {}) {
  const { done, said } = typeLine(["mcp", ...argv], { key: as, svc: SVC, fetch, input });
  return { code: await done, ...said };
}

it("svc mcp tools lists the tools of the key", async () => {
  const { code, out, err } = await type(["tools"]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^svc_queues_acknowledge +\S/);
  expect(out).not.toContain("svc_pods_create");
  const tools = JSON.parse((await type(["tools", "--json"])).out) as { name: string; outputSchema?: object }[];
  expect(tools.find(({ name }) => name === "svc_queues_receive")).toHaveProperty("outputSchema.properties.data");
  const reading = await type(["tools", "--toolsets", "queues,pods", "--read-only"]);
  expect(reading.out).toMatch(/^svc_queues_list +List queues\n$/);
  const unknown = await type(["tools", "--toolsets", "lamps"]);
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringMatching(/expected one or more of ads/)]);
});

it("svc mcp call prints the result, or what the tool rejected", async () => {
  const made = await type(["call", "svc_queues_create", "--arguments", '{"name":"from-cli"}']);
  expect([made.code, made.err]).toEqual([0, ""]);
  expect(JSON.parse(made.out)).toMatchObject({ name: "from-cli" });
  const wrong = await type(["call", "svc_queues_create", "--arguments", '{"name":1}']);
  expect([wrong.code, wrong.out]).toEqual([1, ""]);
  expect(wrong.err).toMatch(/^svc: name: expected/);
  expect(await type(["call", "svc_none"])).toMatchObject({ code: 1, err: expect.stringMatching(/no tool "svc_none"/) });
  const stranger = await type(["tools"], { as: `svc_test_${"a".repeat(48)}` });
  expect([stranger.code, stranger.err]).toEqual([3, expect.stringMatching(/^svc: /)]);
});

it("svc mcp serve answers each line, in either era of the protocol", async () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "svc_queues_list", arguments: {} } },
    { id: "three", method: "tools/list", params: { _meta: meta } },
    { id: 4, method: "tools/call", params: { name: "svc_queues_list", arguments: {}, _meta: meta } },
  ];
  const input = [...messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })), "{"].join("\n");
  const { code, out } = await type(["serve"], { input });
  expect(code).toBe(0);
  const answers = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: unknown; result?: unknown; error?: unknown });
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  expect(byId.get(1)?.result).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "svc" } });
  expect(byId.get(2)?.result).toHaveProperty("structuredContent");
  expect(byId.get("three")?.result).toHaveProperty("tools");
  expect(byId.get(4)?.result).toHaveProperty("structuredContent");
  expect(byId.get(null)?.error).toMatchObject({ code: -32_700 });
  expect(answers).toHaveLength(5);
});

it("svc mcp serve has tasks, in either era of the protocol", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const { done, said } = typeLine(["mcp", "serve"], { key, svc: SVC, fetch, input: readable });
  // biome-ignore lint/suspicious/noExplicitAny: the results of its own requests.
  const answers = (): any[] => said.out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  let requests = 0;
  const ask = async (method: string, params: object) => {
    const id = ++requests;
    await writer.write(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`));
    await eventually(() => answers().some((answer) => answer.id === id));
    return answers().find((answer) => answer.id === id);
  };
  const clientInfo = { name: "test", version: "1" };
  const begun = await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  expect(begun.result.capabilities).toHaveProperty("tasks");
  const called = { name: "svc_queues_receive", arguments: { queue: "none" }, task: {} };
  const { taskId } = (await ask("tools/call", called)).result.task;
  expect((await ask("tasks/result", { taskId })).result).toMatchObject({ isError: true });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  };
  expect((await ask("tasks/get", { taskId, _meta })).result).toMatchObject({ taskId, status: "completed" });
  await writer.close();
  expect(await done).toBe(0);
});
