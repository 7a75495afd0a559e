import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Fetch } from "./call-api";
import { createConversionsClient } from "./conversions-client";
import { createOffersClient, OffersError } from "./offers-client";

const BASE = "https://svc.example";
const SERVER_KEY = `svc_srv_${"a".repeat(48)}`;
const BROWSER_KEY = `svc_pub_${"a".repeat(48)}`;
const PLATFORM_KEY = `svc_live_${"a".repeat(48)}`;

type Reply = Response | Error;
interface Sent {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  init: RequestInit;
}

/** A fetch that gives these replies in turn, the last one for ever. */
function replying(...replies: Reply[]): { fetch: Fetch; sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, headers: init.headers as Record<string, string>, body: JSON.parse(String(init.body)), init });
    const reply = replies[Math.min(sent.length, replies.length) - 1];
    if (reply instanceof Response) return reply.clone();
    throw reply;
  };
  return { fetch, sent };
}

const refusal = (status: number, error: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ error: { message: "No.", request_id: "body.1", ...error } }), { status, headers });
const limited = (seconds: string): Response =>
  refusal(429, { code: "rate_limited" }, { "Retry-After": seconds, "X-Request-ID": "req.1" });
const noContent = (): Response => new Response(null, { status: 204 });
const unreachable = (): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) });
const offersOf = (fetch: Fetch, apiKey = SERVER_KEY) => createOffersClient({ baseUrl: BASE, apiKey, fetch });

async function errorOf(call: Promise<unknown>): Promise<OffersError> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof OffersError)) throw new Error(`expected an OffersError, got ${String(failure)}`);
  return failure;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** Lets the pauses of a call pass, and tells how long they were. */
async function waited<T>(call: Promise<T>): Promise<{ ms: number; result: PromiseSettledResult<T> }> {
  const from = performance.now();
  let isSettled = false;
  const settled = Promise.allSettled([call]).finally(() => {
    isSettled = true;
  });
  // Not all timers: files share a process, and a loop of another one would never end.
  while (!isSettled) await vi.advanceTimersToNextTimerAsync();
  return { ms: performance.now() - from, result: (await settled)[0] };
}

describe("a client", () => {
  it.each(["", "svc.example", "ftp://svc.example"])("is not made for the address %o", (baseUrl) => {
    expect(() => createOffersClient({ baseUrl, apiKey: SERVER_KEY })).toThrow(/baseUrl must be the http/);
  });

  it.each(["", "svc_srv_short", `svc_live_${"a".repeat(48)}`])("is not made with the key %o", (apiKey) => {
    expect(() => createOffersClient({ baseUrl: BASE, apiKey })).toThrow(/apiKey must be a channel key/);
  });

  it("keeps keys out of what it says", () => {
    const wrong = `svc_live_${"q".repeat(48)}`;
    expect(() => createOffersClient({ baseUrl: BASE, apiKey: wrong })).not.toThrow(/qqq/);
    expect(() => createConversionsClient({ baseUrl: BASE, apiKey: SERVER_KEY })).toThrow(/platform key/);
  });

  it("refuses a server key in a page, and takes a browser key there", () => {
    vi.stubGlobal("document", {});
    expect(() => offersOf(replying(noContent()).fetch)).toThrow(/must not be used in a page/);
    expect(() => offersOf(replying(noContent()).fetch, BROWSER_KEY)).not.toThrow();
    vi.unstubAllGlobals();
  });

  it("keeps a path of the address, with or without a slash at its end", async () => {
    const { fetch, sent } = replying(new Response('{"offers":[]}'));
    for (const baseUrl of ["https://a.example/ads/", "https://a.example/ads/v1", "https://a.example/ads/api/v1/"]) {
      await createOffersClient({ baseUrl, apiKey: SERVER_KEY, fetch }).offers({});
      expect(sent.at(-1)?.url).toBe("https://a.example/ads/api/v1/offers");
    }
  });
});

describe("offers", () => {
  it("asks with the key, past every cache, and follows no redirect", async () => {
    const { fetch, sent } = replying(new Response('{"offers":[],"reason":"frequency_cap"}'));
    const answer = await offersOf(fetch).offers({ query: "boots", limit: 2 }, { gpc: true });
    expect(answer).toEqual({ offers: [], reason: "frequency_cap" });
    expect(sent).toMatchObject([
      {
        url: `${BASE}/api/v1/offers`,
        headers: { "X-SVC-API-Key": SERVER_KEY, "Sec-GPC": "1" },
        body: { query: "boots", limit: 2 },
        init: { method: "POST", cache: "no-store", redirect: "manual" },
      },
    ]);
  });

  it("tells status, code, field, request and pause of a refusal, in one sentence", async () => {
    const { fetch } = replying(
      refusal(400, { code: "invalid_request", message: "`limit` is 1 to 8.", param: "limit", details: { a: 1 } }),
    );
    const error = await errorOf(offersOf(fetch).offers({ limit: 9 }));
    expect(error).toMatchObject({
      status: 400,
      code: "invalid_request",
      param: "limit",
      requestId: "body.1",
      details: { a: 1 },
      message: "`limit` is 1 to 8. (POST /api/v1/offers: 400 invalid_request, field limit, request body.1)",
    });
    expect(String(error)).toMatch(/^OffersError: /);
  });

  it.each([
    ["a limit", limited("0")],
    ["a failure of the server", refusal(503, { code: "unavailable" })],
    ["a dead network", unreachable()],
  ])("is never asked twice: %s", async (_, reply) => {
    const { fetch, sent } = replying(reply);
    const { result } = await waited(offersOf(fetch).offers({}));
    expect([result.status, sent.length]).toEqual(["rejected", 1]);
  });

  it("says what lies behind a failed connection", async () => {
    const error = await errorOf(offersOf(replying(unreachable()).fetch).offers({}));
    expect(error).toMatchObject({ status: 0, code: "network" });
    expect(error.message).toBe(
      "svc could not be reached at https://svc.example for POST /api/v1/offers: fetch failed (ECONNREFUSED).",
    );
  });

  it.each([
    ["a page", new Response("<html>", { status: 200 }), 200],
    ["a proxy's error", new Response("<html>Bad gateway", { status: 502 }), 502],
    ["a redirect", new Response(null, { status: 301, headers: { Location: "https://x.example" } }), 301],
    ["another API", new Response('{"data":[]}'), 200],
  ])("is unreadable when %s answers", async (_, reply, status) => {
    const error = await errorOf(offersOf(replying(reply).fetch).offers({}));
    expect(error).toMatchObject({ code: "unreadable", status });
    expect(error.message).toMatch(/baseUrl/);
  });

  it("gives up after the time it was given", async () => {
    const error = await errorOf(offersOf(silent).offers({}, { timeoutMs: 5 }));
    expect(error).toMatchObject({ code: "timeout", status: 0 });
    expect(error.message).toBe("svc did not respond to POST /api/v1/offers within 5 ms.");
  });

  it("gives up when the body does not come", async () => {
    const stuck: Fetch = async (_, { signal }) => {
      const body = new ReadableStream({
        start: (stream) => signal?.addEventListener("abort", () => stream.error(signal.reason)),
      });
      return new Response(body);
    };
    expect(await errorOf(offersOf(stuck).offers({}, { timeoutMs: 5 }))).toMatchObject({ code: "timeout" });
  });

  it("ends with the caller's own reason", async () => {
    const ending = new AbortController();
    const call = offersOf(silent).offers({}, { signal: ending.signal });
    ending.abort(new Error("the reader left"));
    await expect(call).rejects.toThrow("the reader left");
    const { fetch, sent } = replying(noContent());
    await expect(offersOf(fetch).offers({}, { signal: ending.signal })).rejects.toThrow("the reader left");
    expect(sent).toEqual([]);
  });
});

/** Never answers. */
const silent: Fetch = (_, { signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

describe("signals", () => {
  const report = { user_id: "u", signals: [{ category: "purchase_intent" }] };

  it("waits as long as a limit says, then sends again", async () => {
    const { fetch, sent } = replying(limited("2"), noContent());
    const { ms, result } = await waited(offersOf(fetch).signals(report));
    expect([result.status, sent.length, ms]).toEqual(["fulfilled", 2, 2_000]);
    expect(sent[1]?.body).toEqual(report);
  });

  it.each([
    ["a lost answer", unreachable()],
    ["a failure of the server", refusal(503, { code: "unavailable" }, { "Retry-After": "0" })],
  ])("is not sent again after %s, because it may have arrived", async (_, reply) => {
    const { fetch, sent } = replying(reply, noContent());
    const { result } = await waited(offersOf(fetch).signals(report));
    expect([result.status, sent.length]).toEqual(["rejected", 1]);
  });
});

describe("impressions", () => {
  it("sends nothing for nothing", async () => {
    const { fetch, sent } = replying(noContent());
    await offersOf(fetch).impressions([]);
    expect(sent).toEqual([]);
  });

  it("goes in batches of 256", async () => {
    const { fetch, sent } = replying(noContent());
    const ids = Array.from({ length: 600 }, (_, n) => `id-${n}`);
    await offersOf(fetch).impressions(ids);
    const batches = sent.map(({ body }) => (body as { ids: string[] }).ids);
    expect(batches.map((batch) => batch.length)).toEqual([256, 256, 88]);
    expect(batches.flat()).toEqual(ids);
  });

  it("carries a server key, and no browser key", async () => {
    const { fetch, sent } = replying(noContent());
    await offersOf(fetch).impressions(["a"]);
    await offersOf(fetch, BROWSER_KEY).impressions(["a"]);
    expect(sent.map(({ headers }) => headers["X-SVC-API-Key"])).toEqual([SERVER_KEY, undefined]);
  });

  it.each([
    ["a dead network", unreachable()],
    ["a failure of the server", refusal(500, { code: "internal" })],
    ["a proxy's error", new Response("", { status: 502 })],
  ])("is sent again after %s, at most three times", async (_, reply) => {
    const { fetch, sent } = replying(reply);
    const { ms, result } = await waited(offersOf(fetch).impressions(["a"]));
    expect([result.status, sent.length]).toEqual(["rejected", 3]);
    // A random share of 250 ms, then of 500 ms.
    expect(ms).toBeGreaterThanOrEqual(375);
    expect(ms).toBeLessThanOrEqual(750);
  });

  it("waits until the date that a limit names", async () => {
    const { fetch, sent } = replying(limited(new Date(Date.now() + 3_000).toUTCString()), noContent());
    const { ms, result } = await waited(offersOf(fetch).impressions(["a"]));
    expect([result.status, sent.length]).toEqual(["fulfilled", 2]);
    expect(ms).toBeGreaterThan(1_000);
    expect(ms).toBeLessThanOrEqual(3_000);
  });

  it("does not wait longer than the call may take, but tells how long it would be", async () => {
    const { fetch, sent } = replying(limited("60"));
    const error = await errorOf(offersOf(fetch).impressions(["a"], { timeoutMs: 1_000 }));
    expect([error.retry_after, error.requestId, sent.length]).toEqual([60, "req.1", 1]);
  });

  it.each([
    ["a wrong request", refusal(400, { code: "invalid_request" })],
    ["a used-up quota", refusal(429, { code: "quota_exceeded" })],
  ])("is not sent again after %s", async (_, reply) => {
    const { fetch, sent } = replying(reply);
    await waited(offersOf(fetch).impressions(["a"]));
    expect(sent).toHaveLength(1);
  });

  it("ends in the middle of a pause when the caller says so", async () => {
    const ending = new AbortController();
    const { fetch, sent } = replying(limited("4"), noContent());
    const call = expect(offersOf(fetch).impressions(["a"], { signal: ending.signal })).rejects.toThrow("enough");
    await vi.advanceTimersByTimeAsync(1_000);
    ending.abort(new Error("enough"));
    await call;
    expect([sent.length, vi.getTimerCount()]).toEqual([1, 0]);
  });
});

describe("conversions", () => {
  const clientOf = (fetch: Fetch) => createConversionsClient({ baseUrl: BASE, apiKey: PLATFORM_KEY, fetch });

  it("goes under the platform key, and again where its answer was lost", async () => {
    const { fetch, sent } = replying(unreachable(), new Response('{"order_id":"1","duplicate":true}', { status: 201 }));
    const { result } = await waited(clientOf(fetch).report({ order_id: "1" }));
    expect(result).toMatchObject({ value: { order_id: "1", duplicate: true } });
    expect(sent.map(({ headers }) => headers.Authorization)).toEqual(Array(2).fill(`Bearer ${PLATFORM_KEY}`));
  });

  it("rejects with the same kind of error", async () => {
    const error = await errorOf(
      clientOf(replying(refusal(403, { code: "forbidden" })).fetch).report({ order_id: "1" }),
    );
    expect(error).toMatchObject({ status: 403, code: "forbidden" });
  });
});
