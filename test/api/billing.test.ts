import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordExit } from "../../server/cloud/compute/pods/record-run";
import { checkBudgets } from "../../server/cloud/money/billing/check-budgets";
import { closeMonths } from "../../server/cloud/money/billing/close-months";
import type { InvoiceWithLines } from "../../server/cloud/money/billing/invoice";
import { measureUsage } from "../../server/cloud/money/billing/measure-usage";
import { receivePaymentEvent } from "../../server/cloud/money/billing/receive-payment-event";
import type { AtBillingStep } from "../../server/cloud/money/billing/steps";
import { createStripeProcessor } from "../../server/cloud/money/billing/stripe-processor";
import { submitInvoices } from "../../server/cloud/money/billing/submit-invoices";
import { newId } from "../../server/kernel/ids";
import type { Mode, Scope } from "../../server/operation/actor";
import { makeTenant, testApp } from "../factories/app";
import { type MadeRun, makeMeteredRun } from "../factories/billing";
import { caughtUp, manage, platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { idleNode, PodClient } from "../factories/pod-scene";
import { startStripeDouble } from "../factories/stripe-double";

const test = await openForFile(testApp());

/** 1 unit of the currency for each second, in nanos per hour. */
const ONE_PER_SECOND = 3600n * 10n ** 9n;

const log = { info: () => undefined, warn: () => undefined };
const clockAt = (text: string) => ({ now: () => new Date(text) });
const parts = (now: string) => {
  const { db, sql } = test.engines;
  return { db, sql, clock: clockAt(now), currency: "USD", log };
};

async function tenantWithKey({ mode = "live", scopes = ["billing:read", "billing:write"] }: KeyFields = {}) {
  const ctx = await makeTenant(test);
  const key = await platformKey(ctx, { mode, scopes });
  const get = async <T>(path: string) => {
    const response = await manage(test, `/v1/${path}`, { key });
    return { status: response.status, body: (await response.json()) as T };
  };
  const run = (made: Omit<MadeRun, "tenantId">) => makeMeteredRun(test, { tenantId: ctx.tenantId, mode, ...made });
  return { tenantId: ctx.tenantId, key, get, run };
}

interface KeyFields {
  mode?: Mode;
  scopes?: Scope[];
}

interface Usage {
  total: string;
  final: boolean;
  simulated: boolean;
  data: { day?: string; service: string; sku: string; quantity: string; amount: string | null; final: boolean }[];
}

const nanosOf = (text: string): bigint => {
  const [units = "0", decimals = ""] = text.split(".");
  return BigInt(units + decimals.padEnd(9, "0"));
};
const sumOf = (amounts: readonly (string | null)[]): bigint =>
  amounts.reduce((sum, amount) => sum + nanosOf(amount ?? "0"), 0n);

/** What the runs cost from one time to another, second by second in JavaScript. */
function oracle(runs: readonly { from: Date; to: Date; priceNanosPerHour: bigint }[], from: string, to: string) {
  let [seconds, nanos] = [0n, 0n];
  for (const run of runs) {
    const all = Math.ceil((run.to.getTime() - run.from.getTime()) / 1000);
    const before = (time: number) => {
      let count = 0;
      while (count < all && run.from.getTime() + count * 1000 < time) count++;
      return BigInt(count);
    };
    const [first, last] = [before(Date.parse(from)), before(Date.parse(to))];
    seconds += last - first;
    nanos += (last * run.priceNanosPerHour) / 3600n - (first * run.priceNanosPerHour) / 3600n;
  }
  return { seconds, nanos };
}

/** Runs of up to 3 days around the ends of September and October, some at the very millisecond. */
function runsAroundMonths(count: number) {
  let state = 7;
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  const edges = ["2026-10-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"].map((text) => Date.parse(text));
  return Array.from({ length: count }, (_, i) => {
    const edge = edges[i % 2] ?? 0;
    const from = edge - (i % 5 === 0 ? 0 : random(2 * 86_400_000));
    const to = i % 7 === 0 ? Math.max(edge, from + 1) : from + 1 + random(3 * 86_400_000);
    const gpu = ["h100", "l40s", null][i % 3] ?? null;
    return { from: new Date(from), to: new Date(to), gpu, priceNanosPerHour: BigInt(1_234_567_891 + (i % 3) * 977) };
  });
}

describe("usage", () => {
  it("adds up to the metered seconds times the price, however it is grouped and wherever a period ends", async () => {
    const { get, run } = await tenantWithKey();
    const runs = runsAroundMonths(40);
    for (const one of runs) await run(one);
    const months = [
      ["2026-09-01", "2026-10-01"],
      ["2026-10-01", "2026-11-01"],
      ["2026-11-01", "2026-11-20"],
    ] as const;
    let [seconds, nanos] = [0n, 0n];
    for (const [from, to] of months) {
      const expected = oracle(runs, `${from}T00:00:00Z`, `${to}T00:00:00Z`);
      for (const groups of ["service,sku,purchase,price", "day,sku", "day,project,service", "service", ""]) {
        const { body } = await get<Usage>(`usage?from=${from}&to=${to}&group_by=${groups}`);
        expect(nanosOf(body.total)).toBe(expected.nanos);
        expect(sumOf(body.data.map(({ amount }) => amount))).toBe(expected.nanos);
        expect(body.data.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n)).toBe(expected.seconds);
      }
      seconds += expected.seconds;
      nanos += expected.nanos;
    }
    const whole = runs.map(({ from, to }) => BigInt(Math.ceil((to.getTime() - from.getTime()) / 1000)));
    expect(seconds).toBe(whole.reduce((sum, all) => sum + all, 0n));
    expect(nanos).toBe(whole.reduce((sum, all, i) => sum + (all * (runs[i]?.priceNanosPerHour ?? 0n)) / 3600n, 0n));
  });

  it("counts a pod that runs up to now, not as final, and an ended one as final", async () => {
    const { get, run } = await tenantWithKey({ mode: "test" });
    const now = test.clock.now();
    const ago = (ms: number) => new Date(now.getTime() - ms);
    await run({ gpu: "h100", priceNanosPerHour: ONE_PER_SECOND, from: ago(10_000) });
    await run({ priceNanosPerHour: ONE_PER_SECOND, from: ago(10_000), to: ago(8500) });
    const { body } = await get<Usage>("usage?days=1&group_by=sku");
    const [running, ended] = ["h100", "cpu"].map((sku) => body.data.find((row) => row.sku === sku));
    expect(Number(running?.quantity)).toBeGreaterThanOrEqual(10);
    expect(nanosOf(running?.amount ?? "")).toBe(BigInt(running?.quantity ?? 0) * 1_000_000_000n);
    expect([running?.final, ended?.final, body.final, body.simulated]).toEqual([false, true, false, true]);
    expect(ended).toMatchObject({ quantity: "2", amount: "2.00" });
  });

  it("counts messages of queues and bytes of each storage class at their prices, once however often they are measured", async () => {
    const { tenantId, get, key } = await tenantWithKey({ mode: "test", scopes: ["billing:read", "queues:write"] });
    expect((await manage(test, "/v1/queues", { key, body: { name: "jobs" } })).status).toBe(201);
    const { sql } = test.engines;
    const queue = await test.app.cloud.db.queue.findFirstOrThrow({ where: { tenantId } });
    const minutes = `INSERT INTO queue_minutes (queue_id, minute, sent, received, acknowledged, waiting, delayed, in_flight)
      SELECT $1, date_trunc('minute', $2::timestamptz) - n * interval '6 hours', 100, 20, 5, 0, 0, 0 FROM generate_series(1, 4) n`;
    await sql.query(minutes, [queue.id, test.clock.now()]);
    const bucket = newId("bkt", 1);
    const day = new Date(Math.floor(test.clock.now().getTime() / 86_400_000 - 2) * 86_400_000);
    const owned = { tenantId, projectId: queue.projectId, mode: "test" as const, createdAt: day, updatedAt: day };
    await test.app.cloud.db.bucket.create({ data: { id: bucket, name: bucket.replace("_", "-"), ...owned } });
    const hours = `INSERT INTO bucket_hours (bucket_id, hour, objects, versions, bytes, warm_bytes)
      VALUES ($1, $2, 1, 1, $3, $4)`;
    await sql.query(hours, [bucket, day, 730_000_000_000, 365_000_000_000]);
    await sql.query(hours, [bucket, new Date(day.getTime() + 12 * 3_600_000), 0, 0]);
    await Promise.all([
      measureUsage(parts(test.clock.now().toISOString())),
      measureUsage(parts(test.clock.now().toISOString())),
    ]);
    await test.app.cloud.db.bucket.delete({ where: { id: bucket } });
    await measureUsage(parts(test.clock.now().toISOString()));
    const { body } = await get<Usage>("usage?days=3&group_by=service,sku");
    expect(body.data).toMatchObject([
      { service: "queues", sku: "operations", quantity: "500", amount: "0.0002", final: false },
      { service: "storage", sku: "hot", quantity: "6", amount: "0.12" },
      { service: "storage", sku: "warm", quantity: "6", amount: "0.06" },
    ]);
    expect(body.total).toBe("0.1802");
    const byDay = (await get<Usage>("usage?days=3&group_by=day,service")).body.data;
    expect(sumOf(byDay.map(({ amount }) => amount))).toBe(180_200_000n);
  });

  it("rejects periods and groups that it cannot return, and needs the scope", async () => {
    const { get } = await tenantWithKey();
    for (const query of [
      "from=2026-11-02&to=2026-11-02",
      "from=2026-01-01",
      "from=2100-01-01",
      "days=93",
      "days=3&from=2026-11-01",
      "group_by=day,day",
      "group_by=cost",
      "from=yesterday",
    ])
      expect([query, (await get(`usage?${query}`)).status]).toEqual([query, 400]);
    const other = await tenantWithKey({ scopes: ["ads:read"] });
    expect((await other.get("usage")).status).toBe(403);
    expect((await other.get("invoices")).status).toBe(403);
  });
});

it("reaches ClickHouse once for each run that ended, also if it is sent twice and a process dies on the way", async () => {
  const tenant = await tenantWithKey({ mode: "test", scopes: ["pods:write"] });
  await idleNode(test);
  const pods = new PodClient(test, tenant.key);
  const { tenantId } = tenant;
  for (const [i, gpu] of ["h100", "l40s", undefined].entries()) {
    const { id } = await pods.create({ image: "alpine", memory_mb: 64, ...(gpu && { gpu }) });
    const startedAt = new Date(test.clock.now().getTime() - 1234 * (i + 1));
    const end = { startedAt, endedAt: test.clock.now(), outcome: "complete" as const };
    await Promise.all([recordExit(test.app.cloud, `${id}-1`, end), recordExit(test.app.cloud, `${id}-1`, end)]);
  }
  await caughtUp(test);
  const { sql, clickhouse } = test.engines;
  const used = await test.engines.db.podUsage.findMany({ where: { tenantId }, orderBy: { runId: "asc" } });
  // As a process that was killed between the insert and its acknowledgement leaves it.
  const rows = await readIntervals();
  await sql.query(
    `INSERT INTO outbox ("table", row) SELECT 'usage_intervals', r FROM jsonb_array_elements($1::jsonb) r`,
    [JSON.stringify(rows)],
  );
  await caughtUp(test);
  expect(await readIntervals()).toEqual(rows);
  expect(rows.map((row) => [row.run_id, row.seconds, BigInt(row.price_nanos_per_hour)])).toEqual(
    used.map(({ runId, seconds, priceNanosPerHour }) => [runId, seconds, priceNanosPerHour]),
  );
  expect(rows.map(({ started }) => new Date(`${started}Z`))).toEqual(used.map(({ from }) => from));
  expect(rows.map(({ sku }) => sku).sort()).toEqual(["cpu", "h100", "l40s"]);

  async function readIntervals() {
    const query = "SELECT * FROM usage_intervals FINAL WHERE tenant_id = {tenantId:String} ORDER BY run_id";
    const found = await clickhouse.query({ query, query_params: { tenantId }, format: "JSONEachRow" });
    return found.json<{
      run_id: string;
      seconds: number;
      price_nanos_per_hour: string;
      started: string;
      sku: string;
    }>();
  }
});

describe("invoices", () => {
  const JUNE = { from: new Date("2025-06-29T12:00:00.250Z"), to: new Date("2025-07-02T03:00:00Z") };

  it("are made once for each tenant, mode and month, for missed months too, from several processes at once", async () => {
    const live = await tenantWithKey();
    const sandbox = await tenantWithKey({ mode: "test" });
    for (const tenant of [live, sandbox]) {
      await tenant.run({ ...JUNE, gpu: "h100", priceNanosPerHour: 2_854_000_001n });
      await tenant.run({ ...JUNE, gpu: "h100", priceNanosPerHour: 2_854_000_001n });
      await tenant.run({ ...JUNE, priceNanosPerHour: 34_000_000n });
    }
    await closeMonths(parts("2025-07-01T05:59:59Z"));
    expect((await live.get<{ data: unknown[] }>("invoices")).body.data).toEqual([]);
    await Promise.all(Array.from({ length: 4 }, () => closeMonths(parts("2025-08-01T06:00:00Z"))));
    await closeMonths(parts("2025-08-01T07:00:00Z"));
    for (const { get } of [live, sandbox]) {
      const { data } = (await get<{ data: InvoiceWithLines[] }>("invoices")).body;
      expect(data.map(({ month, status }) => [month, status])).toEqual([
        ["2025-07", "draft"],
        ["2025-06", "draft"],
      ]);
      for (const { id, month, exact, total } of data) {
        const { body } = await get<InvoiceWithLines>(`invoices/${id}`);
        const [from, to] = month === "2025-06" ? ["2025-06-01", "2025-07-01"] : ["2025-07-01", "2025-08-01"];
        const usage = (await get<Usage>(`usage?from=${from}&to=${to}`)).body;
        expect([exact, sumOf(body.lines.map(({ amount }) => amount))]).toEqual([usage.total, nanosOf(usage.total)]);
        expect(body.lines.map(({ sku, quantity }) => [sku, quantity])).toEqual(
          usage.data
            .map(({ sku, quantity }) => [sku, quantity])
            .sort((a, b) => (a[0] === "h100" ? -1 : b[0] === "h100" ? 1 : 0)),
        );
        expect(nanosOf(total)).toBe(((nanosOf(exact) + 5_000_000n) / 10_000_000n) * 10_000_000n);
      }
    }
    const csv = await manage(
      test,
      `/v1/invoices/${(await live.get<{ data: InvoiceWithLines[] }>("invoices")).body.data[0]?.id}?format=csv`,
      { key: live.key },
    );
    expect(csv.headers.get("content-type")).toContain("text/csv");
    const bytes = Buffer.from(await csv.arrayBuffer());
    expect(bytes.subarray(0, 11).toString()).toBe("\uFEFFinvoice,");
    expect(bytes.toString().split("\r\n")).toHaveLength(4);
  });

  it("of a tenant are seen by no other tenant and by no key of the other mode", async () => {
    const owner = await tenantWithKey();
    await owner.run({
      from: new Date("2025-09-02T00:00:00Z"),
      to: new Date("2025-09-02T01:00:00Z"),
      priceNanosPerHour: 10n ** 9n,
    });
    await closeMonths(parts("2025-10-02T00:00:00Z"));
    const [invoice] = (await owner.get<{ data: { id: string }[] }>("invoices")).body.data;
    for (const mode of ["live", "test"] as const) {
      const other = await tenantWithKey({ mode });
      expect((await other.get(`invoices/${invoice?.id}`)).status).toBe(404);
      expect((await other.get<{ data: unknown[] }>("invoices")).body.data).toEqual([]);
    }
  });

  it("wait for a run that may have ended in the month, and are whole when a process dies while it writes one", async () => {
    const { tenantId, get, run } = await tenantWithKey();
    const from = new Date("2025-11-10T00:00:00Z");
    const { runId } = await run({
      from,
      priceNanosPerHour: ONE_PER_SECOND,
      observedAt: new Date("2025-11-11T00:00:00Z"),
    });
    await closeMonths(parts("2025-12-02T00:00:00Z"));
    expect((await get<{ data: unknown[] }>("invoices")).body.data).toEqual([]);
    const { db } = test.engines;
    await db.podRun.update({ where: { id: runId }, data: { observedAt: new Date("2025-12-01T00:00:01Z") } });
    await expect(closeMonths({ ...parts("2025-12-02T00:00:00Z"), sql: dyingPool() })).rejects.toThrow();
    expect(await db.invoice.count({ where: { tenantId } })).toBe(0);
    await closeMonths(parts("2025-12-02T01:00:00Z"));
    const { data } = (await get<{ data: InvoiceWithLines[] }>("invoices")).body;
    expect(data.map(({ month, exact }) => [month, exact])).toEqual([["2025-11", `${21 * 86_400}.00`]]);
    const endedAt = new Date("2025-12-03T00:00:00Z");
    const owned = { podId: runId.slice(0, -2), tenantId, projectId: "prj", mode: "live" as const };
    await db.podUsage.create({
      data: { runId, ...owned, from, to: endedAt, seconds: 23 * 86_400, priceNanosPerHour: ONE_PER_SECOND },
    });
    await db.podRun.update({ where: { id: runId }, data: { endedAt } });
    await closeMonths(parts("2026-01-02T00:00:00Z"));
    const all = (await get<{ data: InvoiceWithLines[] }>("invoices")).body.data;
    expect(all.map(({ month, exact }) => [month, exact])).toEqual([
      ["2025-12", `${2 * 86_400}.00`],
      ["2025-11", `${21 * 86_400}.00`],
    ]);
  });

  it("stay open without a payment processor, and are simulated in test mode, which the record says", async () => {
    const { db } = test.engines;
    await submitInvoices({
      db,
      clock: clockAt("2026-01-02T00:00:00Z"),
      log,
      processor: undefined,
      atStep: () => undefined,
    });
    const rows = await db.invoice.findMany({ where: { totalMinor: { gt: 0 } } });
    expect(rows.length).toBeGreaterThan(3);
    for (const { mode, status, simulated, statusText, processor } of rows)
      expect({ status, simulated, statusText, processor }).toEqual(
        mode === "test"
          ? { status: "paid", simulated: true, statusText: null, processor: "simulated" }
          : { status: "open", simulated: false, statusText: "No payment processor is configured.", processor: null },
      );
  });

  it("have a preview of the current month", async () => {
    const { get, run } = await tenantWithKey();
    await run({ gpu: "b200", priceNanosPerHour: 5_000_000_000n, from: test.clock.now() });
    const { status, body } = await get<InvoiceWithLines>("invoices/upcoming");
    expect([status, body.lines[0]?.sku, body.month]).toEqual([200, "b200", test.clock.now().toISOString().slice(0, 7)]);
  });
});

describe("a budget", () => {
  it("is told about once for each month and threshold, by several processes, with what still runs", async () => {
    const { tenantId, key, get, run } = await tenantWithKey();
    const put = (body: object) => manage(test, "/v1/billing/budget", { key, method: "PUT", body });
    expect((await get<{ amount_micros: null }>("billing/budget")).body).toMatchObject({
      amount_micros: null,
      spent: "0.00",
    });
    expect((await put({ amount_micros: 100_000_000, thresholds: [100, 50] })).status).toBe(200);
    const from = new Date(test.clock.now().getTime() - 60_000);
    await run({ from, priceNanosPerHour: ONE_PER_SECOND });
    const check = (seconds: number) => {
      const at = new Date(from.getTime() + seconds * 1000).toISOString();
      const { mail, publicUrl } = test.app.account;
      const parts4 = { ...parts(at), mail, publicUrl };
      return Promise.all(Array.from({ length: 4 }, () => checkBudgets(parts4)));
    };
    const events = async () =>
      (await test.engines.db.event.findMany({ where: { tenantId }, orderBy: { sequence: "asc" } }))
        .filter(({ type }) => type === "budget.threshold_crossed")
        .map(({ data, mode }) => [mode, (data as { percent: number }).percent, (data as { spent: string }).spent]);
    await check(49);
    expect(await events()).toEqual([]);
    await check(50);
    await check(60);
    expect(await events()).toEqual([["live", 50, "50.00"]]);
    await check(100);
    expect(await events()).toEqual([
      ["live", 50, "50.00"],
      ["live", 100, "100.00"],
    ]);
    const letters = await test.engines.db.email.findMany({ where: { tenantId } });
    expect(letters.map(({ subject }) => subject.slice(0, 5)).sort()).toEqual(["100 %", "50 % "]);
    const { body } = await get<{ crossed: { percent: number }[] }>("billing/budget");
    expect(body.crossed.map(({ percent }) => percent)).toEqual([50, 100]);
    expect((await manage(test, "/v1/billing/budget", { key, method: "DELETE" })).status).toBe(204);
    expect((await get<{ amount_micros: null }>("billing/budget")).body.amount_micros).toBeNull();
    for (const body of [
      {},
      { amount_micros: 0 },
      { amount_micros: 1, thresholds: [50, 50] },
      { amount_micros: 1, thresholds: [] },
    ])
      expect((await put(body)).status).toBe(400);
  });
});

describe("Stripe", () => {
  const secrets = { secretKey: "sk_test_double", webhookSecret: "whsec_double" };
  let double: Awaited<ReturnType<typeof startStripeDouble>>;
  beforeAll(async () => {
    double = await startStripeDouble();
    await test.engines.db.invoice.updateMany({ where: { status: "draft" }, data: { status: "void" } });
  });
  afterAll(() => double.stop());

  const processor = () => createStripeProcessor({ ...secrets, endpoint: double.endpoint });
  const submit = (atStep: AtBillingStep = () => undefined) =>
    submitInvoices({ db: test.engines.db, clock: test.clock, log, processor: processor(), atStep });
  const dyingAt = (step: string) => (at: string) => {
    if (at === step) throw new Error("the process was killed");
  };

  async function draft() {
    const tenant = await tenantWithKey();
    const from = new Date("2024-02-10T00:00:00Z");
    for (const gpu of ["h100", "h200", "b200"])
      await tenant.run({ gpu, priceNanosPerHour: 2_494_000_000n, from, to: new Date(from.getTime() + 4321_000) });
    await test.engines.db.closedMonth.deleteMany({});
    await closeMonths(parts("2024-03-02T00:00:00Z"));
    const row = () => test.engines.db.invoice.findFirstOrThrow({ where: { tenantId: tenant.tenantId } });
    return { ...tenant, row };
  }

  it("gets each invoice once, with items that add up to its total, also after deaths and failures at any step", async () => {
    const { row, tenantId } = await draft();
    const made = () => double.invoices.filter(({ metadata }) => metadata.svc_invoice_id === id);
    const { id, totalMinor } = await row();
    double.state.failures = 9;
    await submit();
    expect((await row()).status).toBe("draft");
    double.state.failures = 0;
    await submit(dyingAt("invoice.created"));
    double.forgetKeys();
    await submit(dyingAt("invoice.finalised"));
    expect((await row()).status).toBe("draft");
    await Promise.all([submit(), submit()]);
    expect(made()).toHaveLength(1);
    const [invoice] = made();
    expect(invoice?.status).toBe("open");
    expect(invoice?.lines.data).toHaveLength(3);
    expect(invoice?.lines.data.reduce((sum, { amount }) => sum + amount, 0)).toBe(Number(totalMinor));
    expect(await row()).toMatchObject({
      status: "open",
      processorInvoiceId: invoice?.id,
      paymentUrl: invoice?.hosted_invoice_url,
    });
    expect(await test.engines.db.processorCustomer.count({ where: { tenantId } })).toBe(1);
  });

  const { webhooks } = new Stripe(secrets.secretKey);
  const send = async (body: string, signature: string) => {
    const headers = { "stripe-signature": signature, "content-type": "application/json" };
    return receivePaymentEvent(
      { db: test.engines.db, clock: test.clock, processor: processor() },
      { body: Buffer.from(body), signature: headers["stripe-signature"] },
    );
  };
  const event = (id: string, type: string, invoice: { id: string; of: string }) =>
    JSON.stringify({
      id,
      object: "event",
      type,
      data: { object: { id: invoice.id, object: "invoice", metadata: { svc_invoice_id: invoice.of } } },
    });
  const signed = (payload: string) => webhooks.generateTestHeaderString({ payload, secret: secrets.webhookSecret });

  it("says what was paid, in any order and any number of times, and nobody else can", async () => {
    const { row } = await draft();
    const of = (await row()).id;
    const message = (id: string, type: string) => event(`${of}${id}`, type, { id: `in_${of}`, of });
    const paid = message("1", "invoice.paid");
    await expect(send(paid, "")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(send(paid.replace("paid", "void"), signed(paid))).rejects.toMatchObject({ code: "invalid_request" });
    const old = webhooks.generateTestHeaderString({
      payload: paid,
      secret: secrets.webhookSecret,
      timestamp: 1_700_000_000,
    });
    await expect(send(paid, old)).rejects.toMatchObject({ code: "invalid_request" });
    expect((await row()).status).toBe("draft");
    const failed = message("2", "invoice.payment_failed");
    await send(failed, signed(failed));
    expect(await row()).toMatchObject({ status: "draft", statusText: "A payment failed; it can be tried again." });
    // Before svc has recorded that the invoice is open.
    await Promise.all([send(paid, signed(paid)), send(paid, signed(paid)), send(paid, signed(paid))]);
    const after = await row();
    expect(after).toMatchObject({ status: "paid", statusText: null, processorInvoiceId: `in_${of}` });
    for (const type of ["invoice.payment_failed", "invoice.voided", "invoice.marked_uncollectible"]) {
      const late = message(type, type);
      await send(late, signed(late));
    }
    expect(await row()).toEqual(after);
    const foreign = event("evt_foreign", "invoice.paid", { id: "in_foreign", of: "ivc_foreign" });
    await send(foreign, signed(foreign));
  });

  it("is told that no processor is configured, where none is, and cannot send too much", async () => {
    const post = (raw: string) =>
      manage(test, "/v1/billing/stripe-webhook", { raw, headers: { "stripe-signature": "t=1" } });
    const response = await post("{}");
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { error: { details: { reason: "no_payment_processor" } } },
    ]);
    expect((await post("x".repeat(2 * 1024 * 1024))).status).toBe(413);
    expect((await manage(test, "/v1/billing/stripe-webhook")).status).toBe(405);
  });
});

/** A pool whose connections are lost when lines are written, as those of a process that is killed. */
function dyingPool() {
  const { sql } = test.engines;
  return new Proxy(sql, {
    get: (pool, name) =>
      name !== "connect"
        ? Reflect.get(pool, name).bind?.(pool)
        : async () => {
            const client = await pool.connect();
            const query = client.query.bind(client);
            return Object.assign(client, {
              query: (text: string, values: unknown[]) => {
                if (!text.includes("INTO invoice_lines")) return query(text, values);
                (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
                return Promise.reject(new Error("the process was killed"));
              },
            });
          },
  });
}
