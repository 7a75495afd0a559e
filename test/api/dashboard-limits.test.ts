import { describe, expect, it } from "vitest";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { signUp } from "../../server/identity/sign-up/sign-up";
import { ManualClock } from "../../server/kernel/clock";
import { WINDOWS } from "../../server/operation/request-rates";
import { TEST_REQUEST, testApp } from "../factories/app";
import { FAR_AWAY, manage } from "../factories/calls";
import { PASSWORD } from "../factories/identity";
import { openForFile } from "../factories/open-for-file";

const BURST = 400;
const clock = new ManualClock(new Date());
const test = await openForFile(testApp({ clock }));

let people = 0;
/** The cookie of somebody with a tenant of their own. */
async function person(): Promise<string> {
  const visitor = { ...test.app.account, request: { ...TEST_REQUEST, address: `203.0.113.${++people}` } };
  const { cookie } = await signUp.run(visitor, { email: `person-${people}@example.com`, password: PASSWORD });
  return cookie.split(";")[0] ?? "";
}

interface GateQuery {
  cookie?: string;
  address?: string;
  method?: "GET" | "POST";
  input?: unknown;
  /** How many calls of the same procedure one request carries. */
  batch?: number;
}

interface Call {
  result?: { data: unknown };
  error?: { data: { httpStatus: number; failure: Record<string, unknown> } };
}

/** What one HTTP request to the dashboard's API gets: its calls, and the headers of them all. */
async function ask(procedure: string, { cookie, address = "127.0.0.1", method = "GET", input, batch = 1 }: GateQuery) {
  const paths = Array(batch).fill(procedure).join(",");
  const inputs = JSON.stringify(Object.fromEntries(Array.from({ length: batch }, (_, i) => [i, input])));
  const url = `http://localhost:3000/api/trpc/${paths}?batch=1`;
  const headers = { "content-type": "application/json", origin: "http://localhost:3000", ...(cookie && { cookie }) };
  const request =
    method === "GET"
      ? new Request(`${url}&input=${encodeURIComponent(inputs)}`, { headers })
      : new Request(url, { method, headers, body: inputs });
  const response = await test.app.trpc.handle(request, { ...TEST_REQUEST, address, isForwarded: false });
  return { status: response.status, headers: response.headers, calls: (await response.json()) as Call[] };
}

const passed = (calls: Call[]): number => calls.filter(({ error }) => error?.data.httpStatus !== 429).length;
const times = async (count: number, one: () => Promise<{ calls: Call[] }>): Promise<Call[]> =>
  (await Promise.all(Array.from({ length: count }, one))).flatMap(({ calls }) => calls);

describe("a person's rate on the dashboard", () => {
  it("counts each call of a batch, and refuses the rest with a sentence and when to come back", async () => {
    const cookie = await person();
    const calls = await times(25, () => ask("listChannels", { cookie, input: { limit: 1 }, batch: 20 }));
    expect([calls.length, passed(calls)]).toEqual([500, BURST]);
    const refused = await ask("listChannels", { cookie, input: { limit: 1 } });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(refused.headers.get("ratelimit")).toMatch(/^"default";r=0;t=1$/);
    expect(refused.calls[0]?.error?.data.failure).toMatchObject({
      code: "rate_limited",
      message: "Too many requests: at most 600 requests per minute. Retry in 1 s.",
      retry_after: 1,
      details: { reason: "default_rate" },
    });
    clock.advance(1000);
    expect(passed(await times(15, () => ask("listChannels", { cookie, input: { limit: 1 } })))).toBe(10);
  });

  it("is the one that they have on the platform API", async () => {
    const cookie = await person();
    const login = { email: `person-${people}@example.com`, password: PASSWORD };
    const answer = await manage(test, "/v1/auth/login", { body: login });
    const { access_token: key } = (await answer.json()) as { access_token: string };
    await times(20, () => ask("listChannels", { cookie, input: { limit: 1 }, batch: 20 }));
    expect((await manage(test, "/v1/tenants/me", { key })).status).toBe(429);
  });

  it("is nobody else's, and follows what an operator set for the tenant", async () => {
    const [busy, other] = [await person(), await person()];
    const tenantId = (await test.app.session(other))?.tenant.id ?? "";
    await times(21, () => ask("listChannels", { cookie: busy, input: { limit: 1 }, batch: 20 }));
    expect((await ask("listChannels", { cookie: other, input: { limit: 1 } })).status).toBe(200);
    await setQuota(test.app.account, { tenant_id: tenantId, resource: "requests_per_minute", limit: 60 });
    await expect
      .poll(async () => (await ask("getBrowserSession", { cookie: other })).headers.get("ratelimit-limit"))
      .toBe("60");
  });

  it("of those without a session is their address's, wrong procedures included; this machine is exempt", async () => {
    const calls = await times(20, () => ask("getBrowserSession", { address: FAR_AWAY, batch: 20 }));
    expect(passed(calls)).toBe(BURST);
    expect((await ask("getBrowserSession", { address: FAR_AWAY })).status).toBe(429);
    expect((await ask("getBrowserSession", { address: "203.0.113.200" })).status).toBe(200);
    await times(20, () => ask("no.such", { address: "203.0.113.201", batch: 20 }));
    expect((await ask("getBrowserSession", { address: "203.0.113.201" })).status).toBe(429);
    expect(passed(await times(21, () => ask("getBrowserSession", { batch: 20 })))).toBe(420);
  });
});

describe("an expensive operation", () => {
  const YEAR = { from: "2025-11-20", to: "2026-11-20" };

  it("such as a report has the window of its cost", async () => {
    const cookie = await person();
    const calls = await times(16, () => ask("getReport", { cookie, input: YEAR, batch: 20 }));
    expect(passed(calls)).toBeGreaterThan(0);
    expect(passed(calls)).toBeLessThanOrEqual(WINDOWS.report.count);
    const { calls: refused, headers } = await ask("getReport", { cookie, input: YEAR });
    expect(refused[0]?.error?.data.failure).toMatchObject({ code: "rate_limited", details: { reason: "report_rate" } });
    expect(headers.get("ratelimit-policy")).toBe('"default";q=600;w=60, "report";q=120;w=60');
    expect((await ask("listChannels", { cookie, input: {} })).status).toBe(200);
  });

  it("such as the verification of the audit log runs 20 times a minute", async () => {
    const cookie = await person();
    const calls = await times(2, () => ask("verifyAudit", { cookie, batch: 15 }));
    expect(passed(calls)).toBe(WINDOWS.bulk.count);
    expect((await ask("verifyAudit", { cookie })).headers.get("retry-after")).toBe("60");
  });
});

it("a page that is rendered on the server is not counted", async () => {
  const headers = new Headers({ cookie: await person() });
  const caller = test.app.trpc.caller(headers, { ...TEST_REQUEST, address: FAR_AWAY, isForwarded: false });
  for (let i = 0; i < BURST + 10; i++) await caller.getBrowserSession();
  expect(
    (await ask("getBrowserSession", { cookie: headers.get("cookie") ?? "" })).headers.get("ratelimit-remaining"),
  ).toBe("399");
});
