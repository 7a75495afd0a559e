import { describe, expect, it } from "vitest";
import { beginSchedules } from "../../server/cloud/compute/functions/begin-schedules";
import type { CloudFunction } from "../../server/cloud/compute/functions/function";
import { FunctionRuns } from "../../server/cloud/compute/functions/function-runs";
import { claimInvocations } from "../../server/cloud/compute/functions/functions.sql";
import type { Invocation } from "../../server/cloud/compute/functions/invocation";
import { functionTasks } from "../../server/cloud/compute/functions/start-functions";
import { measureUsage } from "../../server/cloud/money/billing/measure-usage";
import { addJob } from "../../server/engines/jobs/add-job";
import { WorkerFailure } from "../../server/engines/workerd/worker-call";
import { newId } from "../../server/kernel/ids";
import type { Scope } from "../../server/operation/actor";
import { eventually, makeTenant, testApp } from "../factories/app";
import { manage, platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

interface Failure {
  error: { code: string; message: string; param?: string; details?: { reason?: string } };
}

const SCOPES: Scope[] = [
  "functions:read",
  "functions:write",
  "secrets:write",
  "secrets:reveal",
  "keys:write",
  "billing:read",
];

const test = await openForFile(testApp());
const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
const key = await platformKey(tenant, { scopes: SCOPES });
const weak = { name: "weak", scopes: ["functions:write"] };
const weakKey = ((await (await manage(test, "/v1/keys", { key, body: weak })).json()) as { key: string }).key;
const otherKey = await platformKey(other, { scopes: SCOPES });

/** With `body` a POST. */
async function send<T>(path: string, sent: { key?: string; method?: string; body?: object } = {}) {
  const response = await manage(test, `/v1/functions${path}`, { key, ...sent });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as T };
}

let count = 0;
async function create(code: string, more: object = {}): Promise<CloudFunction> {
  const { status, body } = await send<CloudFunction>("", { body: { name: `f${count++}`, code, ...more } });
  expect([status, body]).toMatchObject([201, {}]);
  return body;
}

async function invoke(id: string, payload?: unknown): Promise<Invocation> {
  const { status, body } = await send<Invocation>(`/${id}/invoke`, { body: { payload } });
  expect([status, body]).toMatchObject([200, {}]);
  return body;
}

describe("a function", () => {
  it("returns its payload until it gets code, and then what the code returns, with what it printed", async () => {
    const { body: made } = await send<CloudFunction>("", { body: { name: "echo" } });
    expect(await invoke("echo", { a: [1, null] })).toMatchObject({ status: "succeeded", result: { a: [1, null] } });
    const code = `
      export function twice(payload, { function: name, version }) {
        console.log("called", { name, version });
        console.error("once");
        return payload * 2;
      }`;
    const deployed = await send<CloudFunction>(`/${made.id}/versions`, { body: { code, handler: "twice" } });
    expect([deployed.status, deployed.body.version]).toEqual([201, 2]);
    const invocation = await invoke(made.id, 21);
    expect(invocation).toMatchObject({ status: "succeeded", result: 42, version: 2, async: false, error: null });
    expect(invocation.logs.map(({ level, text }) => [level, text])).toEqual([
      ["info", 'called {"name":"echo","version":2}'],
      ["error", "once"],
    ]);
    const kept = await send<Invocation>(`/${made.id}/invocations/${invocation.id}`);
    expect(kept.body).toEqual({ ...invocation, result: null });
    const restored = await send<CloudFunction>(`/${made.id}/restore`, { body: { version: 1 } });
    expect(restored.body.version).toBe(1);
    expect((await invoke(made.id, 21)).result).toBe(21);
    const versions = await send<{ data: object[] }>(`/${made.id}/versions`);
    expect(versions.body.data).toMatchObject([{ version: 2, handler: "twice" }, { version: 1 }]);
    expect((await send<{ code: string }>(`/${made.id}/versions/2`)).body.code).toBe(code);
  });

  it("is not created or deployed with code that does not load, and errors name the line and the exports", async () => {
    const refusal = async (body: object) => (await send<Failure>("", { body: { name: "bad", ...body } })).body.error;
    const line = await refusal({ code: "export default () => {\n  return 1 +;\n};" });
    expect(line).toMatchObject({ code: "unprocessable", param: "code", message: expect.stringMatching(/main\.js:2/) });
    const named = await refusal({ code: "export const run = () => 1;", handler: "main" });
    expect(named).toMatchObject({ param: "handler", message: expect.stringContaining("it exports run.") });
    const others = { runtime: "ruby", gpu: "h100", backend: "docker" };
    for (const [param, value] of Object.entries(others)) {
      expect(await refusal({ [param]: value })).toMatchObject({ code: "invalid_request", param });
    }
  });

  it("that throws, is slow or returns no JSON has failed, with the reason, and runs again", async () => {
    const { id } = await create(
      `export default async (payload) => {
        if (payload === "throw") throw new RangeError("too far");
        if (payload === "wait") await new Promise((resolve) => setTimeout(resolve, 60_000));
        if (payload === "big") return "x".repeat(1100000);
        return payload === "none" ? 1n : undefined;
      };`,
    );
    const failures = { throw: "threw", none: "threw", big: "response_too_large" };
    for (const [payload, reason] of Object.entries(failures)) {
      expect(await invoke(id, payload)).toMatchObject({ status: "failed", result: null, error: { reason } });
    }
    const thrown = await invoke(id, "throw");
    await send(`/${id}`, { method: "PATCH", body: { timeout_ms: 50 } });
    expect(await invoke(id, "wait")).toMatchObject({ status: "failed", error: { reason: "timed_out" } });
    await send(`/${id}`, { method: "PATCH", body: { timeout_ms: 10_000 } });
    expect(thrown.error?.message).toBe("RangeError: too far");
    expect(thrown.error?.stack).toContain("main.js:2");
    expect(await invoke(id)).toMatchObject({ status: "succeeded", result: null });
  });

  it("finds variables and secrets, whose values are in no output, and only who may read secrets gives it any", async () => {
    const value = "correct-horse-battery";
    await manage(test, "/v1/secrets", { key, body: { name: "TOKEN", value } });
    const env = { PLAIN: "text", TOKEN: { secret: "TOKEN" } };
    const code = `export default (payload, { env }) => {
      console.log(env.TOKEN);
      if (payload) throw new Error(env.TOKEN);
      return { length: env.TOKEN.length, plain: env.PLAIN, token: env.TOKEN };
    };`;
    const fn = await create(code, { env });
    const invocation = await invoke(fn.id);
    expect(invocation.result).toMatchObject({ length: value.length, plain: "text" });
    expect(JSON.stringify([invocation, await invoke(fn.id, true)])).not.toContain(value);
    for (const [path, body] of [
      ["", { name: "weak", env }],
      [`/${fn.id}/versions`, { code }],
    ] as const) {
      expect((await send<Failure>(path, { key: weakKey, body })).body.error).toMatchObject({ code: "forbidden" });
    }
    const { body } = await send<CloudFunction>(`/${fn.id}`, {
      method: "PATCH",
      body: { env: { TOKEN: { secret: "X" } } },
    });
    expect(body.env).toEqual({ TOKEN: { secret: "X" } });
    expect((await invoke(fn.id)).error).toMatchObject({ reason: "no_such_secret" });
  });

  it("runs without a waiting client, once, at most as often at once as it may, and its result is kept", async () => {
    const code = `export default async (payload) => {
      if (payload.waits) await new Promise((resolve) => setTimeout(resolve, 700));
      return payload;
    };`;
    const { id } = await create(code, { concurrency_max: 1 });
    const started = await Promise.all(
      [1, 2, 3].map((n) => send<Invocation>(`/${id}/invocations`, { body: { payload: { n, waits: n === 1 } } })),
    );
    expect(started.map(({ status, body }) => [status, body.status])).toEqual(Array(3).fill([202, "queued"]));
    const read = async (invocation: Invocation) => (await send<Invocation>(`/${id}/invocations/${invocation.id}`)).body;
    await eventually(async () => {
      const now = await Promise.all(started.map(({ body }) => read(body)));
      return now.every(({ status }) => status === "succeeded");
    });
    const ended = await Promise.all(started.map(({ body }) => read(body)));
    expect(ended.map(({ result }) => (result as { n: number }).n)).toEqual([1, 2, 3]);
    const list = await send<{ data: Invocation[] }>(`/${id}/invocations`);
    expect(list.body.data).toHaveLength(3);
    const both = await Promise.all(
      [1, 2].map(() => send<Failure>(`/${id}/invoke`, { body: { payload: { waits: true } } })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(both.find(({ status }) => status === 429)?.body.error.details).toEqual({ reason: "concurrency" });
  });

  it("is called at the times of its schedule, once each however many processes look, and once for all that were missed", async () => {
    const code = "export default (payload, { scheduled_at }) => [payload, scheduled_at];";
    const refusal = async (schedule: object) =>
      (await send<Failure>("", { body: { name: "never", schedule } })).body.error.param;
    expect(await refusal({ cron: "0 0 30 2 *" })).toBe("schedule.cron");
    expect(await refusal({ cron: "* * * * * *" })).toBe("schedule.cron");
    expect(await refusal({ cron: "0 6 * * *", timezone: "Mars/Olympus" })).toBe("schedule.timezone");
    const { id, next_run_at: first } = await create(code, { schedule: { cron: "*/2 * * * *", payload: { n: 1 } } });
    expect(Date.parse(first ?? "") - test.clock.now().getTime()).toBeLessThanOrEqual(120_000);
    test.clock.advance(310_000);
    const { sql } = test.engines;
    await Promise.all(Array.from({ length: 4 }, () => beginSchedules(sql, test.clock.now())));
    const list = async () => (await send<{ data: Invocation[] }>(`/${id}/invocations`)).body.data;
    await eventually(async () => (await list()).every(({ status }) => status === "succeeded"));
    const made = await list();
    expect(made).toMatchObject([{ async: true, scheduled_at: first }]);
    const kept = await send<Invocation>(`/${id}/invocations/${made[0]?.id}`);
    expect(kept.body.result).toEqual([{ n: 1 }, first]);
    const { body: now } = await send<CloudFunction>(`/${id}`);
    const next = Date.parse(now.next_run_at ?? "");
    expect([next > test.clock.now().getTime(), (next - Date.parse(first ?? "")) % 120_000]).toEqual([true, 0]);
    const ended = await send<CloudFunction>(`/${id}`, { method: "PATCH", body: { schedule: null } });
    expect(ended.body).toMatchObject({ schedule: null, next_run_at: null });
  });

  it("that failed runs again as often as retries_max says, and every run is in the usage, once", async () => {
    const tenant = await makeTenant(test);
    const own = await platformKey(tenant, { scopes: SCOPES });
    const sendOwn = <T>(path: string, body: object) => send<T>(path, { key: own, body });
    const code = "export default (_, { attempt }) => { if (attempt === 1) throw new Error('once'); return attempt; };";
    const { id } = (await sendOwn<CloudFunction>("", { name: "flaky", code, retries_max: 1 })).body;
    await sendOwn(`/${id}/invoke`, {});
    const { id: invocation } = (await sendOwn<Invocation>(`/${id}/invocations`, {})).body;
    const read = async () => (await send<Invocation>(`/${id}/invocations/${invocation}`, { key: own })).body;
    await eventually(async () => (await read()).error !== null);
    expect(await read()).toMatchObject({ status: "queued", attempt: 1, error: { reason: "threw" } });
    test.clock.advance(10_000);
    await eventually(async () => (await read()).status === "succeeded");
    expect(await read()).toMatchObject({ attempt: 2, result: 2, error: null });
    const { sql, db } = test.engines;
    const clock = test.clock;
    const upkeep = functionTasks({ sql, clock }).maintain_function_invocations;
    await Promise.all([upkeep?.({}, { isLast: false }), upkeep?.({}, { isLast: false })]);
    await measureUsage({ sql, clock });
    const { _sum } = await db.functionInvocation.aggregate({ where: { functionId: id }, _sum: { memoryMs: true } });
    const usage = await manage(test, "/v1/usage?days=1", { key: own });
    const { data } = (await usage.json()) as { data: object[] };
    const amount = expect.any(String);
    const counted = { service: "functions", unit: "invocation", quantity: "3", amount: "0.0000006" };
    const quantity = String(Number(_sum.memoryMs) / 8000);
    expect(data).toEqual([
      expect.objectContaining({ sku: "duration", unit: "gib_second", quantity, amount }),
      expect.objectContaining({ sku: "invocations", ...counted }),
    ]);
    const startedAt = new Date(clock.now().getTime() - 130_000);
    const killed = {
      isAsync: true,
      status: "running",
      attempt: 1,
      payload: "null",
      logs: "[]",
      startedAt,
      leaseUntil: startedAt,
    } as const;
    const { projectId, mode } = await db.cloudFunction.findUniqueOrThrow({ where: { id } });
    const owner = { id: "inv_killed", functionId: id, tenantId: tenant.tenantId, projectId, mode, version: 1 };
    await db.functionInvocation.create({ data: { ...owner, ...killed, createdAt: startedAt } });
    // As the crontab does. It runs the queries of all tasks that run every minute, and an invalid one would fail it.
    await addJob(sql, "every_minute", {});
    const rerun = () => db.functionInvocation.findUniqueOrThrow({ where: { id: "inv_killed" } });
    await eventually(async () => (await rerun()).status === "succeeded");
    expect(await rerun()).toMatchObject({ attempt: 2, result: "2", runs: 1 });
  });

  it("runs at once as often as it may in all processes together", async () => {
    const fn = await create("export default () => 1;", { concurrency_max: 1 });
    const row = await test.engines.db.cloudFunction.findUniqueOrThrow({ where: { id: fn.id } });
    let end: () => void = () => undefined;
    const slow = new Promise<never>((_, reject) => {
      end = () => reject(new WorkerFailure("threw", "ended"));
    });
    const { sql, counters } = test.engines;
    const parts = { sql, counters, secretsKey: Buffer.alloc(32), rootDir: process.cwd() };
    const other = new FunctionRuns({ ...parts, pods: { call: () => slow }, workerd: { call: () => slow } });
    const run = other.run({ ...row, env: {} }, { invocationId: "inv_other", version: 1, payload: "null" });
    await eventually(async () => (await send(`/${fn.id}/invoke`, { body: {} })).status === 429);
    end();
    await run;
    expect((await invoke(fn.id)).result).toBe(1);
  });

  it("with a backlog, also one of a tenant with many functions, leaves room to the invocations of others", async () => {
    const { db, sql } = test.app.cloud;
    const code = "export default () => 1;";
    const own = [await create(code, { concurrency_max: 1 }), await create(code, { concurrency_max: 100 })];
    const made = await send<CloudFunction>("", { key: otherKey, body: { name: "other", code } });
    const due = new Date("2100-01-01T00:00:00Z");
    const queue = async ({ id: functionId }: CloudFunction, count: number) => {
      const fn = await db.cloudFunction.findUniqueOrThrow({ where: { id: functionId } });
      const { tenantId, projectId, mode } = fn;
      await db.functionInvocation.createMany({
        data: Array.from({ length: count }, (_, n) => ({
          id: newId("inv", due.getTime()),
          tenantId,
          projectId,
          mode,
          functionId,
          version: 1,
          isAsync: true,
          status: "queued" as const,
          payload: "null",
          logs: "[]",
          createdAt: new Date(+due - 1000 + n),
          dueAt: null,
        })),
      });
      return tenantId;
    };
    const [tenantId] = await Promise.all(own.map((fn) => queue(fn, 30)));
    await queue(made.body, 2);
    const claim = async (limits: { max: number; running?: [string, number][] }) => {
      const running = new Map(limits.running);
      const claimed = await claimInvocations(sql, { now: due, max: limits.max, running });
      const countOf = ({ id }: CloudFunction) => claimed.filter(({ functionId }) => functionId === id).length;
      return [...own, made.body].map(countOf);
    };
    const clear = () => db.functionInvocation.deleteMany({ where: { createdAt: { gte: new Date(+due - 2000) } } });
    try {
      const [serial = 0, parallel = 0, others] = await claim({ max: 30 });
      expect([serial + parallel, others]).toEqual([10, 2]);
      expect(serial).toBeLessThanOrEqual(1);
      // The tenant has its share, and what it has queued waits.
      await clear();
      await Promise.all(own.map((fn) => queue(fn, 30)));
      expect(await claim({ max: 20, running: [[tenantId ?? "", 10]] })).toEqual([0, 0, 0]);
      await queue(made.body, 1);
      expect(await claim({ max: 1, running: [[tenantId ?? "", 10]] })).toEqual([0, 0, 1]);
    } finally {
      await clear();
    }
  });

  it("is invisible to other tenants and gone when it is deleted", async () => {
    const { id, name } = await create("export default () => 1;");
    for (const path of [`/${id}`, `/${name}`, `/${id}/versions/1`]) {
      expect((await send(path, { key: otherKey })).status).toBe(404);
    }
    expect((await send(`/${id}/invoke`, { key: otherKey, body: {} })).status).toBe(404);
    expect((await send(`/${id}`, { method: "DELETE" })).status).toBe(204);
    expect((await send(`/${id}/invoke`, { body: {} })).status).toBe(404);
  });
});
