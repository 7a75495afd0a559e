import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { sweepExpired } from "../../server/identity/expired/sweep-expired";
import type { Scope } from "../../server/operation/actor";
import type { AgentHandlers } from "../../server/surfaces/mcp/exchange";
import { coreMessage, type Message, modernMessage, type Rpc, rpcIn } from "../factories/agent-messages";
import { eventually, makeTenant, testApp } from "../factories/app";
import { manage, newProject, platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const QUEUES: Scope[] = ["queues:read", "queues:write"];
const NO_TASK = /^There is no task "[^"]+", or it has expired\.$/;

/** Calls that end when a test says so. */
class HeldCalls {
  readonly begun: { given: unknown; signal: AbortSignal; end: (result: unknown) => void; fail: () => void }[] = [];
  readonly handlers = (own: AgentHandlers): AgentHandlers => ({
    ...own,
    mayBeTask: (name) => name === "test_held" || own.mayBeTask(name),
    callTool: (params, context) => {
      if (params.name !== "test_held") return own.callTool(params, context);
      const { signal } = context.mcpReq;
      return new Promise((resolve, reject) => {
        const fail = () => reject(new Error("a secret of the server"));
        this.begun.push({ given: params.arguments, signal, end: resolve as never, fail });
        // An operation that cannot be cancelled says so in its arguments.
        if (params.arguments?.stays !== true) signal.addEventListener("abort", fail);
      });
    },
  });

  last() {
    const last = this.begun.at(-1);
    if (!last) throw new Error("no call has begun");
    return last;
  }
}

const held = new HeldCalls();
const test = await openForFile(testApp({ agentHandlers: held.handlers }));
const tenant = await makeTenant(test);
const done = (words: string) => ({ content: [{ type: "text", text: words }], structuredContent: { words } });

let key: string;
let queue: string;
beforeEach(async () => {
  key = await platformKey(tenant, { scopes: QUEUES, mode: "test" });
  queue = `q-${randomUUID().slice(0, 8)}`;
  await core("tools/call", { name: "svc_queues_create", arguments: { name: queue } });
});

const post = async ({ headers, body }: Message, as = key): Promise<Rpc> =>
  rpcIn(await manage(test, "/v1/mcp", { key: as, body, headers }));
const core = (method: string, params: object = {}, as = key) => post(coreMessage(method, params), as);
const modern = (method: string, params: Record<string, unknown> = {}, as = key) =>
  post(modernMessage(method, params), as);

/** A call that waits for a message of the queue. */
const receive = () => ({ name: "svc_queues_receive", arguments: { queue, wait_seconds: 20 } });
const sendMessage = (body: string) => core("tools/call", { name: "svc_queues_send", arguments: { queue, body } });

async function beginCore(called: object = receive(), task: object = {}): Promise<string> {
  const { result, error } = await core("tools/call", { ...called, task });
  expect(error).toBeUndefined();
  return result.task.taskId;
}

async function beginModern(called: Record<string, unknown> = receive()): Promise<string> {
  const { result } = await modern("tools/call", called);
  expect(result).toMatchObject({ resultType: "task", status: "working" });
  return result.taskId;
}

const coreStatus = async (taskId: string) => (await core("tasks/get", { taskId })).result?.status;
const endsAs = (taskId: string, status: string) => eventually(async () => (await coreStatus(taskId)) === status);

describe("the revision 2025-11-25", () => {
  it("says which tools can run as a task", async () => {
    const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const { result } = await core("initialize", initialize);
    expect(result.capabilities.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    expect(result.capabilities).not.toHaveProperty("extensions");
    const { tools } = (await core("tools/list")).result as { tools: { name: string; execution?: unknown }[] };
    const marked = tools.filter(({ execution }) => execution).map(({ name, execution }) => [name, execution]);
    expect(marked).toEqual([["svc_queues_receive", { taskSupport: "optional" }]]);
  });

  it("runs a call in the background, and gives its result once it has ended", async () => {
    const { result } = await core("tools/call", { ...receive(), task: { ttl: 2 * MINUTE_MS } });
    const { taskId, createdAt } = result.task;
    expect(result).toEqual({
      task: {
        taskId: expect.stringMatching(/^task_[0-9a-z]{26}$/),
        status: "working",
        statusMessage: "svc_queues_receive runs.",
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        lastUpdatedAt: createdAt,
        ttl: 2 * MINUTE_MS,
        pollInterval: 2000,
      },
    });
    expect((await core("tasks/get", { taskId })).result).toEqual(result.task);
    const waited = core("tasks/result", { taskId });
    await sendMessage("the work");
    const ended = await waited;
    expect(ended.result).toMatchObject({
      structuredContent: { data: [{ body: "the work" }] },
      _meta: { "io.modelcontextprotocol/related-task": { taskId } },
    });
    expect(JSON.parse(ended.result.content[0].text)).toEqual(ended.result.structuredContent);
    expect(await core("tasks/result", { taskId })).toEqual(ended);
    const after = (await core("tasks/get", { taskId })).result;
    expect(after).toMatchObject({ taskId, status: "completed", statusMessage: "svc_queues_receive has ended." });
    expect((await core("tasks/list")).result).toEqual({ tasks: [after] });
    const { error } = await core("tasks/cancel", { taskId });
    expect(error).toMatchObject({ code: -32_602, message: `The task "${taskId}" has ended: it is completed.` });
  });

  it("has failed with the tool's error, which is its result", async () => {
    const taskId = await beginCore({ name: "svc_queues_receive", arguments: { queue: "none" } });
    const { result } = await core("tasks/result", { taskId });
    expect(result).toMatchObject({ isError: true, _meta: { "svc/error": { code: "not_found" } } });
    const task = (await core("tasks/get", { taskId })).result;
    expect(task).toMatchObject({ status: "failed", statusMessage: "svc_queues_receive ended with an error." });
  });

  it("has failed with an error of the protocol that tells nothing of the server", async () => {
    const taskId = await beginCore({ name: "test_held", arguments: {} });
    held.last().fail();
    const { error } = await core("tasks/result", { taskId });
    expect(error).toEqual({ code: -32_603, message: "The call failed inside of svc." });
    expect(await coreStatus(taskId)).toBe("failed");
  });

  it("cancels a call at once and permanently", async () => {
    const taskId = await beginCore();
    const waiting = core("tasks/result", { taskId });
    const { result } = await core("tasks/cancel", { taskId });
    expect(result).toMatchObject({ taskId, status: "cancelled", statusMessage: "svc_queues_receive was cancelled." });
    expect((await waiting).error).toEqual({ code: -32_000, message: `The task "${taskId}" was cancelled.` });
    await sendMessage("for another one");
    const { result: next } = await core("tools/call", receive());
    expect(next.structuredContent).toMatchObject({ data: [{ body: "for another one" }] });
    expect((await core("tasks/cancel", { taskId })).error).toMatchObject({ code: -32_602 });
  });

  it("stays cancelled though its operation goes on to its end", async () => {
    const taskId = await beginCore({ name: "test_held", arguments: { stays: true } });
    const { signal, end } = held.last();
    await core("tasks/cancel", { taskId });
    expect(signal.aborted).toBe(true);
    end(done("too late"));
    await test.settle();
    expect(await coreStatus(taskId)).toBe("cancelled");
  });

  it.each([
    {
      what: "a tool without support",
      name: "svc_queues_list",
      code: -32_601,
      message: /^svc_queues_list cannot run as a/,
    },
    { what: "an unknown tool", name: "svc_none", code: -32_602, message: /^There is no tool "svc_none"/ },
    { what: "a tool without its scope", name: "svc_pods_exec", code: -32_602, message: /scope pods:write/ },
  ])("refuses a task of $what", async ({ name, code, message }) => {
    const { error } = await core("tools/call", { name, arguments: {}, task: {} });
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("refuses ids and cursors of nothing", async () => {
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
      expect((await core(method, { taskId: "task_none" })).error, method).toMatchObject({
        code: -32_602,
        message: expect.stringMatching(NO_TASK),
      });
    expect((await core("tasks/list", { cursor: "cur_none" })).error).toMatchObject({ code: -32_602 });
    expect((await core("tasks/get", {})).error).toMatchObject({ code: -32_602 });
  });

  it("lists the newest first, in pages", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 53; i++) {
      ids.unshift(await beginCore({ name: "test_held", arguments: {} }));
      held.last().end(done(String(i)));
      // Ids of the same millisecond have no order.
      test.clock.advance(1);
    }
    const first = (await core("tasks/list")).result;
    expect(first.tasks.map(({ taskId }: { taskId: string }) => taskId)).toEqual(ids.slice(0, 50));
    const second = (await core("tasks/list", { cursor: first.nextCursor })).result;
    expect(second.tasks.map(({ taskId }: { taskId: string }) => taskId)).toEqual(ids.slice(50));
    expect(second).not.toHaveProperty("nextCursor");
  });
});

describe("older revisions", () => {
  it.each(["2025-06-18", "2025-03-26"])("have no tasks: %s", async (revision) => {
    const as = (method: string, params: object = {}) => post(coreMessage(method, params, revision));
    const clientInfo = { name: "t", version: "1" };
    const { result } = await as("initialize", { protocolVersion: revision, capabilities: {}, clientInfo });
    expect(result).toMatchObject({ protocolVersion: revision });
    expect(result.capabilities).not.toHaveProperty("tasks");
    expect(JSON.stringify((await as("tools/list")).result)).not.toContain("taskSupport");
    await sendMessage("at once");
    const called = await as("tools/call", { ...receive(), task: { ttl: 1000 } });
    expect(called.result.structuredContent).toMatchObject({ data: [{ body: "at once" }] });
    for (const method of ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"])
      expect((await as(method, { taskId: "task_none" })).error, method).toMatchObject({ code: -32_601 });
  });
});

describe("the extension of 2026-07-28", () => {
  it("is declared, and needed by the client", async () => {
    const { capabilities } = (await modern("server/discover")).result;
    expect(capabilities.extensions).toEqual({ "io.modelcontextprotocol/tasks": {} });
    expect(capabilities).not.toHaveProperty("tasks");
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const message = modernMessage(method, { taskId: "task_none", inputResponses: {} }, { knowsTasks: false });
      expect(await post(message), method).toMatchObject({
        status: 400,
        error: {
          code: -32_021,
          data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
        },
      });
    }
    const notifications = { taskIds: ["task_none"] };
    const listened = await post(modernMessage("subscriptions/listen", { notifications }, { knowsTasks: false }));
    expect(listened).toMatchObject({ status: 400, error: { code: -32_021 } });
    for (const method of ["tasks/result", "tasks/list"])
      expect((await modern(method, { taskId: "task_none" })).error, method).toMatchObject({ code: -32_601 });
  });

  it("answers a call that ends within a second with its result, and one of another client in any case", async () => {
    await sendMessage("first");
    const { result } = await modern("tools/call", { ...receive(), task: { ttl: 1000 } });
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { data: [{ body: "first" }] } });
    const plain = post(modernMessage("tools/call", { name: "test_held", arguments: { n: 1 } }, { knowsTasks: false }));
    await eventually(() => held.begun.some(({ given }) => (given as { n?: number }).n === 1));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    held.last().end(done("at last"));
    expect((await plain).result).toMatchObject({ resultType: "complete", structuredContent: { words: "at last" } });
    expect((await core("tasks/list")).result).toEqual({ tasks: [] });
  });

  it("gives a task for a longer one, whose result is in it", async () => {
    const taskId = await beginModern();
    const working = (await modern("tasks/get", { taskId })).result;
    expect(working).toEqual({
      resultType: "complete",
      taskId,
      status: "working",
      statusMessage: "svc_queues_receive runs.",
      createdAt: working.createdAt,
      lastUpdatedAt: working.createdAt,
      ttlMs: HOUR_MS,
      pollIntervalMs: 2000,
      _meta: expect.anything(),
    });
    const { _meta, ...acknowledged } = (await modern("tasks/update", { taskId, inputResponses: { a: {} } })).result;
    expect(acknowledged).toEqual({ resultType: "complete" });
    await sendMessage("a result");
    await endsAs(taskId, "completed");
    const { result } = await modern("tasks/get", { taskId });
    expect(result).toMatchObject({
      resultType: "complete",
      status: "completed",
      result: { structuredContent: { data: [{ body: "a result" }] } },
    });
    expect(JSON.stringify(result.result)).not.toContain("related-task");
  });

  it("has completed with an error of the tool, and failed with one of the protocol", async () => {
    const failed = await beginModern({ name: "test_held", arguments: {} });
    held.last().fail();
    await endsAs(failed, "failed");
    const message = "The call failed inside of svc.";
    expect((await modern("tasks/get", { taskId: failed })).result).toMatchObject({
      status: "failed",
      statusMessage: message,
      error: { code: -32_603, message },
    });
    const completed = await beginModern({ name: "test_held", arguments: {} });
    held.last().end({ isError: true, content: [{ type: "text", text: "no" }] });
    await endsAs(completed, "failed");
    const { result } = await modern("tasks/get", { taskId: completed });
    expect(result).toMatchObject({ status: "completed", result: { isError: true } });
    expect(result).not.toHaveProperty("error");
  });

  it("acknowledges each cancellation", async () => {
    const taskId = await beginModern();
    for (let i = 0; i < 2; i++) {
      const { _meta, ...acknowledged } = (await modern("tasks/cancel", { taskId })).result;
      expect(acknowledged).toEqual({ resultType: "complete" });
    }
    const { result } = await modern("tasks/get", { taskId });
    expect(result).toMatchObject({ status: "cancelled", statusMessage: "svc_queues_receive was cancelled." });
    expect(result).not.toHaveProperty("result");
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
      expect((await modern(method, { taskId: "task_none" })).error, method).toMatchObject({ code: -32_602 });
  });

  it("refuses a header that names another task", async () => {
    const message = modernMessage("tasks/get", { taskId: "task_a" }, { name: "task_b" });
    expect(await post(message)).toMatchObject({ status: 400, error: { code: -32_020 } });
  });
});

describe("a task", () => {
  it("does not exist for others, and for keys that cannot call its tool", async () => {
    const project = await newProject(tenant);
    const keyOf = (scopes: Scope[], mode: "test" | "live" = "test") => platformKey(tenant, { scopes, mode, project });
    const owner = await keyOf(QUEUES);
    const called = { name: "svc_queues_receive", arguments: { queue: "none" } };
    const { taskId } = (await core("tools/call", { ...called, task: {} }, owner)).result.task;
    const listed = async (as: string) => (await core("tasks/list", {}, as)).result.tasks.length;
    const colleague = await keyOf(QUEUES);
    expect((await core("tasks/result", { taskId }, colleague)).result).toMatchObject({ isError: true });
    expect(await listed(colleague)).toBe(1);
    const strangers = {
      tenant: await platformKey(await makeTenant(test), { scopes: QUEUES, mode: "test" }),
      project: await platformKey(tenant, { scopes: QUEUES, mode: "test" }),
      mode: await keyOf(QUEUES, "live"),
      scope: await keyOf(["queues:read"]),
    };
    for (const [name, stranger] of Object.entries(strangers)) {
      const asked = [
        ...["tasks/get", "tasks/result", "tasks/cancel"].map((method) => core(method, { taskId }, stranger)),
        ...["tasks/get", "tasks/update", "tasks/cancel"].map((method) => modern(method, { taskId }, stranger)),
      ];
      for (const { error } of await Promise.all(asked))
        expect(error, name).toMatchObject({ code: -32_602, message: expect.stringMatching(NO_TASK) });
      expect(await listed(stranger), name).toBe(0);
    }
    const { headers, body } = coreMessage("tasks/get", { taskId });
    const readOnly = await rpcIn(await manage(test, "/v1/mcp/readonly", { key: owner, body, headers }));
    expect(readOnly.error).toMatchObject({ message: expect.stringMatching(NO_TASK) });
  });

  it("is sealed where it is stored", async () => {
    await sendMessage("a hidden message");
    const taskId = await beginCore();
    await endsAs(taskId, "completed");
    const row = await test.engines.db.agentTask.findUniqueOrThrow({ where: { id: taskId } });
    for (const form of ["utf8", "base64url"] as const)
      expect(Buffer.from(row.sealedOutcome ?? "", "base64url").toString(form)).not.toContain("hidden");
    expect(row.sealedOutcome).not.toContain("hidden");
    expect(row.bytes).toBe(row.sealedOutcome?.length);
  });

  it("ends with its call when its time has come", async () => {
    const ended = await beginCore({ name: "test_held", arguments: {} }, { ttl: MINUTE_MS });
    held.last().end(done("early"));
    await endsAs(ended, "completed");
    const running = await beginCore({ name: "test_held", arguments: {} }, { ttl: 1 });
    const { signal } = held.last();
    expect((await core("tasks/get", { taskId: running })).result).toMatchObject({ ttl: MINUTE_MS });
    const waiting = core("tasks/result", { taskId: running });
    test.clock.advance(MINUTE_MS - 1000);
    expect([await coreStatus(ended), await coreStatus(running), signal.aborted]).toEqual([
      "completed",
      "working",
      false,
    ]);
    test.clock.advance(1001);
    for (const taskId of [ended, running])
      expect((await core("tasks/get", { taskId })).error).toMatchObject({ message: expect.stringMatching(NO_TASK) });
    expect((await core("tasks/list")).result).toEqual({ tasks: [] });
    await eventually(() => signal.aborted);
    expect((await waiting).error).toMatchObject({ message: expect.stringMatching(NO_TASK) });
    await sweepExpired({ db: test.engines.db, clock: test.clock });
    expect(await test.engines.db.agentTask.count({ where: { id: { in: [ended, running] } } })).toBe(0);
    const long = await beginCore({ name: "test_held", arguments: {} }, { ttl: 1e12 });
    expect((await core("tasks/get", { taskId: long })).result).toMatchObject({ ttl: 24 * HOUR_MS });
    held.last().end(done("late"));
  });

  it("has failed when its process no longer renews its lease, and does not come back", async () => {
    const taskId = await beginCore({ name: "test_held", arguments: { stays: true } });
    const { signal, end } = held.last();
    const waiting = core("tasks/result", { taskId });
    await test.engines.db
      .$executeRaw`UPDATE agent_tasks SET lease_until = now() - interval '1 second' WHERE id = ${taskId}`;
    const lost = expect.stringMatching(/^The process of svc that ran this task has ended/);
    expect((await core("tasks/get", { taskId })).result).toMatchObject({
      status: "failed",
      statusMessage: "test_held was interrupted.",
    });
    expect((await modern("tasks/get", { taskId })).result).toMatchObject({
      status: "failed",
      statusMessage: lost,
      error: { code: -32_603, message: lost, data: { details: { reason: "task_lost" } } },
    });
    expect((await waiting).error).toMatchObject({ code: -32_603, message: lost });
    await eventually(() => signal.aborted);
    end(done("too late"));
    await test.settle();
    expect(await coreStatus(taskId)).toBe("failed");
    expect((await core("tasks/cancel", { taskId })).error).toMatchObject({ code: -32_602 });
  });

  it("creates once with the same idempotency key, and is recorded as a call", async () => {
    const as = await platformKey(tenant, { scopes: ["functions:read", "functions:write", "usage:read"], mode: "test" });
    const given = { name: `f-${queue}`, handler: "default" };
    const made = await core("tools/call", { name: "svc_functions_create", arguments: given }, as);
    const called = {
      name: "svc_functions_deploy",
      arguments: { function_id: made.result.structuredContent.id, code: "export default () => 1;" },
      _meta: { "svc/idempotency-key": randomUUID() },
    };
    const results: Rpc["result"][] = [];
    for (let i = 0; i < 2; i++) {
      const { taskId } = (await core("tools/call", { ...called, task: {} }, as)).result.task;
      results.push((await core("tasks/result", { taskId }, as)).result);
    }
    const [first, second] = results;
    expect(first.isError, JSON.stringify(first)).toBeFalsy();
    expect(second.structuredContent).toEqual(first.structuredContent);
    expect([first._meta["svc/idempotency-replayed"], second._meta["svc/idempotency-replayed"]]).toEqual([
      undefined,
      true,
    ]);
    const seen = async () =>
      (await (await manage(test, "/v1/usage/tool-calls", { key: as })).json()) as { data: object[] };
    await eventually(async () => (await seen()).data.length >= 3);
    expect((await seen()).data.slice(0, 2)).toMatchObject([
      { tool: "svc_functions_deploy", error: null },
      { tool: "svc_functions_deploy", error: null },
    ]);
  });

  it("that svc was stopped in has failed, and one that ended before is kept", async () => {
    const before = await beginCore({ name: "test_held", arguments: {} });
    held.last().end(done("kept"));
    await endsAs(before, "completed");
    const taskId = await beginCore({ name: "test_held", arguments: {} });
    const { signal } = held.last();
    await test.restart();
    expect(signal.aborted).toBe(true);
    const { error } = await core("tasks/result", { taskId });
    expect(error).toMatchObject({
      code: -32_603,
      message: expect.stringMatching(/^svc was stopped while this task ran/),
      data: { details: { reason: "task_stopped" } },
    });
    expect((await core("tasks/result", { taskId: before })).result).toMatchObject({
      structuredContent: { words: "kept" },
    });
  });
});

describe("limits", () => {
  it("are those of a call", async () => {
    const { headers, body } = coreMessage("tools/call", { ...receive(), task: {} });
    const response = await manage(test, "/v1/mcp", { key, body, headers });
    expect(response.headers.get("ratelimit-policy")).toBe('"tools";q=300;w=60');
    const { taskId } = (await rpcIn(response)).result.task;
    await core("tasks/cancel", { taskId });
  });

  it("let 20 calls of a tenant run at once; with the extension a further one is answered with its result", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => beginCore()));
    const { error } = await core("tools/call", { ...receive(), task: {} });
    expect(error).toMatchObject({
      message: "A tenant can run 20 tasks at once; begin another one when one has ended.",
      data: { code: "rate_limited", details: { reason: "running_tasks" } },
    });
    const direct = modern("tools/call", { name: "test_held", arguments: { n: 2 } });
    await eventually(() => held.begun.some(({ given }) => (given as { n?: number }).n === 2));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    held.last().end(done("directly"));
    expect((await direct).result).toMatchObject({ resultType: "complete", structuredContent: { words: "directly" } });
    // One more than can wait; the other ones wait until the end.
    const waits = [...ids, ids[0]].map((taskId) => core("tasks/result", { taskId }));
    expect((await Promise.race(waits)).error).toMatchObject({
      data: { code: "rate_limited", details: { reason: "waiting_for_tasks" } },
    });
    await Promise.all(ids.map((taskId) => core("tasks/cancel", { taskId })));
    const codes = (await Promise.all(waits)).map(({ error: ended }) => ended?.code);
    expect(codes.filter((code) => code === -32_000)).toHaveLength(20);
  });

  it.each([
    ["1000 tasks", 1000, 0],
    ["64 MiB of results", 1, 64 * 1024 * 1024],
  ])("keep %s of a tenant until they expire", async (_, count, bytes) => {
    const other = await makeTenant(test);
    const as = await platformKey(other, { scopes: QUEUES, mode: "test" });
    const now = test.clock.now();
    const row = { tenantId: other.tenantId, holder: "", tool: "", status: "completed", bytes };
    const times = { createdAt: now, updatedAt: now, leaseUntil: now, expiresAt: new Date(now.getTime() + MINUTE_MS) };
    const data = Array.from({ length: count }, (_each, i) => ({ ...row, ...times, id: `task_${other.tenantId}_${i}` }));
    await test.engines.db.agentTask.createMany({ data });
    const called = { name: "test_held", arguments: {} };
    const refused = await core("tools/call", { ...called, task: {} }, as);
    expect(refused.error).toMatchObject({ data: { code: "rate_limited", details: { reason: "tasks" } } });
    expect(held.last().signal.aborted).toBe(true);
    test.clock.advance(MINUTE_MS + 1);
    expect((await core("tools/call", { ...called, task: {} }, as)).result).toHaveProperty("task");
    held.last().end(done("room"));
    expect(await test.engines.db.agentTask.count({ where: { tenantId: other.tenantId } })).toBeLessThanOrEqual(1);
  });

  it("keep no result of more than 4 MiB, and say that the call has succeeded", async () => {
    const taskId = await beginCore({ name: "test_held", arguments: {} });
    held.last().end(done("x".repeat(2.2 * 1024 * 1024)));
    const { result } = await core("tasks/result", { taskId });
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toMatch(/^The call has succeeded, but its result of \d{7} bytes is not kept/);
  });
});
