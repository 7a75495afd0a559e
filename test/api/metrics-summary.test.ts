import { expect, it } from "vitest";
import { addQueueMinutes } from "../../server/cloud/data/queues/queue-minutes.sql";
import type { MetricsSummary } from "../../server/cloud/money/usage/metrics-summary";
import { newId } from "../../server/kernel/ids";
import { SCOPES } from "../../server/operation/actor";
import { makeTenant, testApp } from "../factories/app";
import { makeMeteredRun } from "../factories/billing";
import { manage, platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const HOUR_MS = 3_600_000;
const NOTHING = {
  pods: { running: 0, waiting: 0, gpus: 0, runs_started: 0, runs_ended: 0, seconds: 0, gpu_seconds: 0 },
  chat: {
    requests: 0,
    errors: 0,
    cached: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cost_micros: 0,
    latency_ms: { p50: null, p95: null },
    first_byte_ms: { p50: null, p95: null },
  },
  queues: { sent: 0, received: 0, acknowledged: 0, messages: 0 },
  storage: { buckets: 0, objects: 0, bytes: 0 },
  webhooks: { succeeded: 0, failed: 0, pending: 0 },
};

const projects = { live: "", test: "" };
const keys = { live: "", test: "", other: "" };
const test = await openForFile(testApp());
const [ctx, other] = [await makeTenant(test), await makeTenant(test)];
const tenantId = ctx.tenantId;
const scopes = [...SCOPES];
for (const mode of ["live", "test"] as const) {
  keys[mode] = await platformKey(ctx, { mode, scopes });
  const { projectId } = await test.engines.db.apiKey.findFirstOrThrow({ where: { tenantId, mode } });
  projects[mode] = projectId;
}
keys.other = await platformKey(other, { scopes });

async function summary(key: string, query = ""): Promise<MetricsSummary> {
  const response = await manage(test, `/v1/metrics/summary${query}`, { key });
  if (response.status !== 200) throw new Error(`returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as MetricsSummary;
}

const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

it("is empty for a tenant that has nothing", async () => {
  const { from, to, ...rest } = await summary(keys.other);
  expect(new Date(to).getTime() - new Date(from).getTime()).toBe(24 * HOUR_MS);
  expect(rest).toEqual({ mode: "live", currency: "USD", ...NOTHING });
});

it("sums what ran in the period, of the key's mode alone", async () => {
  const startedAt = Date.now();
  const run = { tenantId, projectId: projects.live, priceNanosPerHour: 1n };
  // 1 hour of 3 is in the period; 30 minutes with a GPU; and one that runs.
  await makeMeteredRun(test, { ...run, from: ago(4), to: ago(1) });
  await makeMeteredRun(test, { ...run, gpu: "h100", from: ago(1), to: ago(0.5) });
  await makeMeteredRun(test, { ...run, gpu: "h100", from: ago(1.5) });
  await makeMeteredRun(test, { ...run, from: ago(9), to: ago(8) });
  await makeMeteredRun(test, { ...run, mode: "test", projectId: projects.test, from: ago(1) });
  const { pods } = await summary(keys.live, "?window_hours=2");
  expect(pods).toMatchObject({ running: 1, waiting: 0, gpus: 1, runs_started: 2, runs_ended: 2 });
  // The period moves on while the test runs, and seconds that have begun count.
  const late = (Date.now() - startedAt) / 1000 + 2;
  const isAbout = (seconds: number, expected: number) => Math.abs(seconds - expected) <= late;
  expect([pods, isAbout(pods.gpu_seconds, 2 * 3600), isAbout(pods.seconds, 3 * 3600)]).toEqual([pods, true, true]);
  expect((await summary(keys.test)).pods).toMatchObject({ running: 1, gpus: 0, runs_started: 1, runs_ended: 0 });
  expect((await summary(keys.other)).pods).toEqual(NOTHING.pods);
});

it("counts chat requests, messages, objects and deliveries", async () => {
  const { db, sql } = test.engines;
  const body = { model: "svc-echo", messages: [{ role: "user", content: "one two" }] };
  expect((await manage(test, "/v1/chat/completions", { key: keys.test, body })).status).toBe(200);
  const queue = await manage(test, "/v1/queues", { key: keys.test, body: { name: "jobs" } });
  const { id: queueId } = (await queue.json()) as { id: string };
  const depth = { waiting: 3, delayed: 1, inFlight: 1 };
  const tally = { sent: 9, received: 5, acknowledged: 4 };
  await addQueueMinutes(sql, [
    { queueId, minuteMs: ago(30).getTime(), ...tally, ...depth },
    { queueId, minuteMs: ago(1).getTime(), ...tally, ...depth },
  ]);
  expect((await manage(test, "/v1/storage/buckets", { key: keys.test, body: { name: "summed-bucket" } })).status).toBe(
    201,
  );
  await db.bucket.updateMany({ where: { name: "summed-bucket" }, data: { objects: 7n, bytes: 70n } });
  const fields = { name: "hook", url: "https://receiver.invalid/", events: ["pod.*"] };
  const hook = await manage(test, "/v1/webhooks", { key: keys.test, body: fields });
  const { id: webhookId } = (await hook.json()) as { id: string };
  const delivery = (status: "succeeded" | "failed", hours: number) => ({
    id: newId("dlv", 0),
    webhookId,
    eventId: newId("evt", 0),
    eventType: "pod.ready",
    status,
    retriesLeft: 0,
    createdAt: ago(hours),
    finishedAt: ago(hours),
  });
  await db.webhookDelivery.createMany({
    data: [delivery("succeeded", 1), delivery("failed", 2), delivery("failed", 30)],
  });
  const found = await summary(keys.test);
  expect(found.chat).toMatchObject({ requests: 1, errors: 0, cost_micros: 0 });
  expect(found.chat.prompt_tokens).toBeGreaterThan(0);
  expect(found.queues).toEqual({ ...tally, messages: 5 });
  expect(found.storage).toMatchObject({ objects: 7, bytes: 70 });
  expect(found.webhooks).toEqual({ succeeded: 1, failed: 1, pending: 0 });
  expect((await summary(keys.live)).queues).toEqual(NOTHING.queues);
});

it.each([
  ["?window_hours=0", "window_hours"],
  ["?window_hours=169", "window_hours"],
  ["?window_hours=day", "window_hours"],
  ["?hours=1", "hours"],
])("refuses %s", async (query, param) => {
  const response = await manage(test, `/v1/metrics/summary${query}`, { key: keys.live });
  expect([response.status, await response.json()]).toMatchObject([400, { error: { param } }]);
});
