import { beforeEach, expect, it } from "vitest";
import type { ChatBudget } from "../../server/cloud/ai/ledger/chat-budget";
import type { ChatRequest } from "../../server/cloud/ai/ledger/chat-request";
import { makeTenant } from "../factories/app";
import { chatScene } from "../factories/chat-ledger-scene";
import { answers, fails } from "../factories/chat-upstream";
import { openForFile } from "../factories/open-for-file";
import { awayFromMidnight } from "../factories/wait-for";

const scene = await openForFile(chatScene());
beforeEach(async () => {
  // Budgets begin again at midnight.
  await awayFromMidnight(30_000);
  scene.upstream.script(answers());
});

/** What "Hello there." with 9 and 3 tokens costs. */
const COST_MICROS = (9 * 2500 + 3 * 10_000) / 1000;

const tenant = () => makeTenant(scene.test);

it("bills each request in the log, its budget and the usage, at the same cost", async () => {
  const { call, chat, log } = await scene.caller(await tenant());
  const made = await call<ChatBudget>("POST", "gateway/budgets", {
    name: "b",
    amount_micros: 1_000_000,
    window: "month",
  });
  expect(made.status).toBe(201);
  expect((await chat("one")).status).toBe(200);
  expect((await chat("two", { stream: true })).text).toContain("[DONE]");
  scene.upstream.script(fails(400));
  expect((await chat("three")).status).toBe(400);
  await expect
    .poll(async () => (await log()).map(({ status }) => status))
    .toEqual(["failed", "succeeded", "succeeded"]);
  const rows = await log();
  expect(rows.map(({ cost_micros }) => cost_micros)).toEqual([0, COST_MICROS, COST_MICROS]);
  expect(rows[1]).toMatchObject({
    stream: true,
    upstream: "main",
    prompt_tokens: 9,
    completion_tokens: 3,
    estimated: false,
  });
  const budget = (await call<ChatBudget>("GET", `gateway/budgets/${made.body.id}`)).body;
  expect(budget).toMatchObject({
    spent: { amount_micros: 2 * COST_MICROS, tokens: 24 },
    reserved: { amount_micros: 0, tokens: 0 },
    remaining: { amount_micros: 1_000_000 - 2 * COST_MICROS, tokens: null },
  });
  const usage = await call<{ data: object[] }>("GET", "gateway/usage?group_by=model,upstream");
  expect(usage.body.data).toMatchObject([
    { model: "gpt-double", upstream: "main", requests: 3, errors: 1, cost_micros: 2 * COST_MICROS },
  ]);
  expect((await call("GET", "gateway/usage?group_by=model,model")).status).toBe(400);
  expect((await log("status=failed")).map(({ status }) => status)).toEqual(["failed"]);
  expect(await log("model=other")).toEqual([]);
  expect(await log(`to=${rows[2]?.created_at}`)).toEqual([]);
});

it("refuses a request beyond a budget in OpenAI's form, and tells webhooks once what was reached", async () => {
  const ctx = await tenant();
  const { call, chat, log } = await scene.caller(ctx);
  const fields = { name: "small", tokens: 90, window: "day" };
  const { id } = (await call<ChatBudget>("POST", "gateway/budgets", fields)).body;
  scene.upstream.script(answers({ usage: { prompt_tokens: 40, completion_tokens: 35, total_tokens: 75 } }));
  expect((await chat("one")).status).toBe(200);
  await expect.poll(async () => (await log())[0]?.status).toBe("succeeded");
  const refused = await chat("two");
  expect(refused.status).toBe(429);
  expect(refused.body.error).toMatchObject({ code: "budget_exceeded" });
  expect(refused.headers.get("x-should-retry")).toBe("false");
  expect(refused.body.error?.message).toContain('"small"');
  expect((await log())[0]).toMatchObject({
    status: "failed",
    http_status: 429,
    error_code: "budget_exceeded",
    cost_micros: 0,
  });
  const reached = async () => {
    const where = { tenantId: ctx.tenantId, type: "gateway.budget.reached" };
    const events = await scene.test.engines.db.event.findMany({ where, orderBy: { id: "asc" } });
    return events.map(({ data }) => (data as { percent: number }).percent);
  };
  await expect.poll(reached).toEqual([80, 100]);
  expect((await call<ChatBudget>("PATCH", `gateway/budgets/${id}`, { tokens: 1000 })).status).toBe(403);
  const lifting = await scene.caller(ctx, { scopes: ["gateway:write", "keys:write"] });
  expect((await lifting.call("PATCH", `gateway/budgets/${id}`, { tokens: 1000 })).status).toBe(404);
  await scene.test.engines.db.chatBudget.update({ where: { id }, data: { tokens: 1000n } });
  expect((await chat("three")).status).toBe(200);
});

it("stores bodies only after the project has switched it on, and shows them to its own keys only", async () => {
  const ctx = await tenant();
  const { call, chat, log } = await scene.caller(ctx);
  await chat("before");
  const changed = await call("PATCH", "gateway/settings", { stores_bodies: true });
  expect(changed).toMatchObject({ status: 200, body: { stores_bodies: true, cache_seconds: 0, offers_default: null } });
  await chat("what is stored");
  await expect.poll(async () => (await log()).map(({ has_bodies }) => has_bodies)).toEqual([true, false]);
  const [latest, first] = await log();
  const get = async (id: string | undefined) =>
    (
      await call<ChatRequest & { bodies: { request: { text: string }; response: { text: string } } | null }>(
        "GET",
        `gateway/requests/${id}`,
      )
    ).body;
  const { bodies } = await get(latest?.id);
  expect(bodies?.request.text).toContain("what is stored");
  expect(bodies?.response.text).toContain("Hello there.");
  expect((await get(first?.id)).bodies).toBeNull();
  for (const other of [await scene.caller(ctx), await scene.caller(await tenant())]) {
    expect((await other.call("GET", `gateway/requests/${latest?.id}`)).status).toBe(404);
  }
});

it("answers equal requests from the cache, also as a stream, at no cost", async () => {
  const ctx = await tenant();
  const { chat, log } = await scene.caller(ctx);
  const asked = () => scene.upstream.requests.length;
  const before = asked();
  await chat("cached?", { svc_cache: true });
  await expect.poll(async () => (await chat("cached?", { svc_cache: true })).headers.get("x-svc-cache")).toBe("hit");
  const paid = asked() - before;
  expect(scene.upstream.requests.at(-1)?.body).not.toHaveProperty("svc_cache");
  const streamed = await chat("cached?", { svc_cache: true, stream: true });
  expect(streamed.headers.get("x-svc-cache")).toBe("hit");
  expect(streamed.text).toMatch(/there\.[\s\S]*\[DONE\]/);
  expect(asked() - before).toBe(paid);
  // Another request, another project, and one that does not ask for it.
  await chat("cached!", { svc_cache: true });
  await (await scene.caller(ctx)).chat("cached?", { svc_cache: true });
  await chat("cached?");
  expect(asked() - before).toBe(paid + 3);
  await expect
    .poll(async () => (await log()).filter(({ cached }) => cached).map(({ cost_micros }) => cost_micros))
    .toEqual([0, 0]);
  const { rows } = await scene.test.engines.sql.query("SELECT value FROM chat_cache");
  expect(JSON.stringify(rows)).not.toContain("Hello");
});

it("caches for a whole project by its settings, never errors, and not beyond its time", async () => {
  const { call, chat } = await scene.caller(await tenant());
  await call("PATCH", "gateway/settings", { cache_seconds: 60 });
  scene.upstream.script(fails(400), answers());
  expect((await chat("x")).status).toBe(400);
  expect((await chat("x")).status).toBe(200);
  const hit = async (fields = {}) => (await chat("x", fields)).headers.get("x-svc-cache");
  await expect.poll(() => hit()).toBe("hit");
  expect(await hit({ svc_cache: false })).toBeNull();
  scene.test.clock.advance(61_000);
  expect(await hit()).toBeNull();
});

it("marks everything of test mode as simulated", async () => {
  const { call, chat, log } = await scene.caller(await tenant(), { mode: "test" });
  const { id } = (await call<ChatBudget>("POST", "gateway/budgets", { name: "t", tokens: 1000, window: "day" })).body;
  expect((await chat("Hello")).status).toBe(200);
  await expect
    .poll(async () => (await log()).map(({ status, simulated }) => [status, simulated]))
    .toEqual([["succeeded", true]]);
  const budget = (await call<ChatBudget>("GET", `gateway/budgets/${id}`)).body;
  expect(budget).toMatchObject({ simulated: true, spent: { amount_micros: 0 } });
  expect(budget.spent.tokens).toBeGreaterThan(0);
});
