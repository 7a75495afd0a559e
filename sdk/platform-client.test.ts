import { afterEach, describe, expect, it, vi } from "vitest";
import type { Fetch } from "./call-api";
import manifest from "./package.json";
import { createPlatformClient, type PlatformClientOptions, SvcError } from "./platform-client";
import { VERSION } from "./version";

const BASE = "https://svc.example";
const KEY = `svc_live_${"a".repeat(48)}`;

type Reply = Response | Error | "silence";
interface Sent {
  url: string;
  init: RequestInit;
  headers: Record<string, string>;
}

/** A client at a svc that gives these replies in turn, the last one for ever; it waits in no time. */
function clientOf(replies: Reply[], options: Partial<PlatformClientOptions> = {}) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  let now = 0;
  const fetch: Fetch = (url, init) => {
    sent.push({ url, init, headers: init.headers as Record<string, string> });
    const reply = replies[Math.min(sent.length, replies.length) - 1];
    if (reply instanceof Response) return Promise.resolve(reply.clone());
    if (reply instanceof Error) return Promise.reject(reply);
    return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  };
  const timing = {
    now: () => now,
    random: () => 0.5,
    sleep: async (ms: number) => {
      pauses.push(ms);
      now += ms;
    },
  };
  const client = createPlatformClient({ baseUrl: BASE, key: KEY, fetch, timing, ...options });
  return { client, sent, pauses };
}

const ok = (body: unknown): Response => Response.json(body);
const refusal = (status: number, error: object, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { message: "No.", request_id: "req_1", ...error } }, { status, headers });
const broken = (): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) });
const closed = (): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) });
const failed = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "no failure",
    (error: unknown) => error,
  );

describe("a call", () => {
  it.each([BASE, `${BASE}/`, `${BASE}/v1`, `${BASE}/v1/`, `${BASE}//v1//`])(
    "has the version segment once at %s",
    async (baseUrl) => {
      const { client, sent } = clientOf([ok({})], { baseUrl });
      await client.channels.get({ id: "chn_1" });
      expect(sent[0]?.url).toBe(`${BASE}/v1/ads/channels/chn_1`);
      const behind = clientOf([ok({})], { baseUrl: "https://gate.example/svc/v1/" });
      await behind.client.channels.get({ id: "chn_1" });
      expect(behind.sent[0]?.url).toBe("https://gate.example/svc/v1/ads/channels/chn_1");
    },
  );

  it("puts fields where the API wants them", async () => {
    const { client, sent } = clientOf([ok({})]);
    await client.campaigns.update({ id: "cmp/1 ?", name: "New" });
    await client.campaigns.list({ limit: 2, status: "paused" }).page();
    await client.channelKeys.revoke({ id: "chn_1", key_id: "key_1" });
    const seen = sent.map(({ url, init }) => [init.method, url.slice(BASE.length), init.body]);
    expect(seen).toEqual([
      ["PATCH", "/v1/ads/campaigns/cmp%2F1%20%3F", '{"name":"New"}'],
      ["GET", "/v1/ads/campaigns?limit=2&status=paused", undefined],
      ["POST", "/v1/ads/channels/chn_1/keys/key_1/revoke", undefined],
    ]);
  });

  it("cannot be led to another path by an id", async () => {
    const { client, sent } = clientOf([ok({})]);
    for (const id of ["", ".", ".."]) expect(await failed(client.keys.get({ id }))).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
  });

  it("bears the key that its operation wants, and no other", async () => {
    const channelKey = `svc_srv_${"b".repeat(48)}`;
    const { client, sent } = clientOf([ok({ offers: [] })], { channelKey });
    await client.offers.serve({ query: "boots" });
    await client.tenants.get();
    expect(sent.map(({ headers }) => [headers.Authorization, headers["X-SVC-API-Key"]])).toEqual([
      [undefined, channelKey],
      [`Bearer ${KEY}`, undefined],
    ]);
  });

  it("asks for the session token again, because it ends after an hour", async () => {
    const tokens = ["a.b.c", "d.e.f"];
    const { client, sent } = clientOf([ok({})], { key: undefined, accessToken: async () => tokens.shift() ?? "" });
    await client.tenants.get();
    await client.tenants.get();
    expect(sent.map(({ headers }) => headers.Authorization)).toEqual(["Bearer a.b.c", "Bearer d.e.f"]);
  });

  it("follows no redirect with its key", async () => {
    const { client, sent } = clientOf([
      new Response(null, { status: 302, headers: { Location: "https://evil.example" } }),
    ]);
    expect(await failed(client.tenants.get())).toMatchObject({ status: 302, code: "unreadable" });
    expect(sent[0]?.init.redirect).toBe("manual");
  });
});

describe("a call that fails", () => {
  it("keeps its idempotency key and its request id from try to try", async () => {
    const { client, sent } = clientOf([broken(), refusal(502, { code: "internal" }), ok({ id: "prj_1" })]);
    await client.projects.create({ name: "p" });
    await client.projects.create(
      { name: "p" },
      { idempotencyKey: "6f1a7b0e-3c53-4d8e-9b5f-0d2a4f4f1b11", requestId: "mine" },
    );
    const ids = sent.map(({ headers }) => [headers["Idempotency-Key"], headers["X-Request-ID"]].join());
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12},/);
    expect(ids[3]).toBe("6f1a7b0e-3c53-4d8e-9b5f-0d2a4f4f1b11,mine");
  });

  it("waits while svc still works on the try before", async () => {
    const running = refusal(
      409,
      { code: "conflict", details: { reason: "idempotency_running" } },
      { "Retry-After": "1" },
    );
    const { client, pauses } = clientOf([running, ok({ id: "prj_1" })]);
    expect(await client.projects.create({ name: "p" })).toEqual({ id: "prj_1" });
    expect(pauses).toEqual([1250]);
    const taken = clientOf([refusal(409, { code: "conflict", param: "name" })]);
    expect(await failed(taken.client.projects.create({ name: "p" }))).toMatchObject({
      code: "conflict",
      param: "name",
    });
    expect(taken.pauses).toEqual([]);
  });

  it("is sent again after a lost answer only where it counts once", async () => {
    const channelKey = `svc_srv_${"b".repeat(48)}`;
    const offers = clientOf([broken(), ok({})], { channelKey });
    expect(await failed(offers.client.offers.serve())).toMatchObject({ code: "network" });
    const unsent = clientOf([closed(), ok({ offers: [] })], { channelKey });
    expect(await unsent.client.offers.serve()).toEqual({ offers: [] });
    const order = clientOf([broken(), ok({ duplicate: false })]);
    expect(await order.client.conversions.report({ order_id: "1" })).toEqual({ duplicate: false });
  });

  it("sends a feed again after a limit, but never a stream that was read", async () => {
    const limited = refusal(429, { code: "rate_limited" });
    const text = clientOf([limited, ok({ accepted: 1 })]);
    const feed = { id: "cmp_1", content_type: "text/csv" };
    expect(await text.client.products.import({ ...feed, body: "id\n1\n" })).toEqual({ accepted: 1 });
    const stream = clientOf([limited, ok({ accepted: 1 })]);
    const body = new Blob(["id\n1\n"]).stream();
    expect(await failed(stream.client.products.import({ ...feed, body }))).toMatchObject({ code: "rate_limited" });
  });

  it("that receives messages is not sent again after a lost response, although it is a GET", async () => {
    for (const reply of [broken(), refusal(502, { code: "internal" }), "silence" as const]) {
      const { client, sent } = clientOf([reply], { timeoutMs: 1 });
      expect(await failed(client.queues.receive({ q: "orders" }))).toBeInstanceOf(SvcError);
      expect(sent).toHaveLength(1);
    }
    const limited = clientOf([refusal(429, { code: "rate_limited" }), closed(), ok({ data: [] })]);
    expect(await limited.client.queues.receive({ q: "orders" })).toEqual({ data: [] });
    const acknowledged = clientOf([broken(), ok({ data: [] })]);
    expect(await acknowledged.client.queues.acknowledge({ q: "orders", receipt: "r" })).toEqual({ data: [] });
  });

  it("has its timeout after the end of a long poll", async () => {
    vi.useFakeTimers();
    try {
      const { client } = clientOf(["silence"], { timeoutMs: 1_000 });
      const timedOutAt = async (call: Promise<unknown>): Promise<number> => {
        const startedAt = Date.now();
        const ended = failed(call).then((failure) => [(failure as SvcError).code, Date.now() - startedAt]);
        await vi.advanceTimersByTimeAsync(60_000);
        const [code, ms] = await ended;
        return code === "timeout" ? Number(ms) : Number.NaN;
      };
      expect(await timedOutAt(client.queues.receive({ q: "orders", wait_seconds: 20 }))).toBe(21_000);
      expect(await timedOutAt(client.edgeQueues.receive({ q: "orders", wait_seconds: 20 }))).toBe(21_000);
      expect(await timedOutAt(client.queues.receive({ q: "orders" }))).toBe(1_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it("never waits longer than the call may take", async () => {
    const away = clientOf([refusal(503, { code: "unavailable" }, { "Retry-After": "30" })], { totalTimeoutMs: 29_000 });
    expect(await failed(away.client.tenants.get())).toMatchObject({ status: 503, retry_after: 30 });
    expect([away.pauses, away.sent.length]).toEqual([[], 1]);
    const busy = clientOf([refusal(503, { code: "unavailable" })], { retries: 20 });
    await failed(busy.client.tenants.get());
    expect(Math.max(...busy.pauses)).toBe(10_000);
    expect(busy.pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(120_000);
  });

  it("draws its pause from the whole of the time, so that clients do not come back together", async () => {
    const pausesAt = async (random: number) => {
      const pauses: number[] = [];
      const timing = { random: () => random, sleep: async (ms: number) => void pauses.push(ms) };
      await failed(clientOf([broken()], { timing }).client.tenants.get());
      return pauses;
    };
    expect(await pausesAt(0)).toEqual([0, 0, 0]);
    expect(await pausesAt(0.999)).toEqual([499.5, 999, 1998]);
  });

  it("ends with the signal's reason, while it is sent and while it waits", async () => {
    const stop = new AbortController();
    const { client } = clientOf(["silence"]);
    const sent = failed(client.tenants.get({}, { signal: stop.signal }));
    setTimeout(() => stop.abort(new Error("enough")), 1);
    expect(await sent).toMatchObject({ message: "enough" });
    const later = new AbortController();
    const waiting = clientOf([broken()], { timing: {} });
    const waited = failed(waiting.client.tenants.get({}, { signal: later.signal }));
    setTimeout(() => later.abort(new Error("enough")), 5);
    expect(await waited).toMatchObject({ message: "enough" });
    expect(await failed(client.tenants.get({}, { signal: stop.signal }))).toMatchObject({ message: "enough" });
  });

  it("tells what it waits for", async () => {
    const heard: unknown[] = [];
    const onRetry = (failure: SvcError, pauseMs: number): void => void heard.push([failure.code, pauseMs]);
    const { client } = clientOf([refusal(429, { code: "rate_limited" }, { "Retry-After": "2" }), ok({})], { onRetry });
    await client.tenants.get();
    expect(heard).toEqual([["rate_limited", 2250]]);
  });
});

describe("an SvcError", () => {
  it("has everything that the answer said", async () => {
    const error = {
      code: "quota_exceeded",
      message: "There are 100 already.",
      details: { resource: "projects", limit: 100 },
    };
    const { client } = clientOf([refusal(429, error, { "X-Request-ID": "req_2" })]);
    const failure = await failed(client.projects.create({ name: "p" }));
    expect(failure).toBeInstanceOf(SvcError);
    expect(failure).toMatchObject({
      ...error,
      message: expect.stringContaining("POST /v1/projects: 429 quota_exceeded"),
      status: 429,
    });
    expect(failure).toMatchObject({
      reason: error.message,
      requestId: "req_2",
      retry_after: undefined,
      param: undefined,
    });
  });

  it("has no part of a key in it, whatever went wrong", async () => {
    const { client } = clientOf([broken()]);
    const failure = (await failed(client.tenants.get())) as SvcError;
    expect(failure.message + failure.stack + JSON.stringify(failure)).not.toContain("aaaa");
    const slips = [{ key: `${KEY}x` }, { key: undefined, channelKey: `${KEY}x` }, { accessToken: "x" }];
    for (const slip of slips) expect(() => clientOf([ok({})], slip)).toThrow(/^(?!.*aaaa)/);
  });
});

describe("a list", () => {
  it("asks for nothing before it is read, and for no page more than it needs", async () => {
    const pages = [
      ok({ data: [{ id: "1" }, { id: "2" }], next_cursor: "cur_a" }),
      ok({ data: [{ id: "3" }], next_cursor: null }),
    ];
    const { client, sent } = clientOf(pages);
    const list = client.projects.list({ limit: 2 });
    expect(sent).toEqual([]);
    for await (const { id } of list) if (id === "1") break;
    expect(sent).toHaveLength(1);
  });
});

describe("in a page", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("takes no secret key, which everybody could read", () => {
    vi.stubGlobal("document", {});
    expect(() => clientOf([ok({})])).toThrow(/must not be used in a page/);
    expect(() => clientOf([ok({})], { key: undefined, accessToken: "a.b.c" })).not.toThrow();
  });
});

it("names its own version", () => expect(VERSION).toBe(manifest.version));
