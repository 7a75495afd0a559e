import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getPixel } from "../../server/ads/conversions/get-pixel";
import { directPaths } from "../../server/direct-paths";
import type { Counters } from "../../server/engines/counters/counters";
import { connectRedisCounters } from "../../server/engines/counters/redis-counters";
import { seedAccount } from "../../server/identity/seed-account";
import { hasRedisServer, type RedisServer, startRedisServer } from "../contract/redis-server";
import { call } from "../factories/ads";
import { eventually, makeShop, ORIGIN, ShiftedClock, type TestApp, testApp } from "../factories/app";
import { click, FAR_AWAY, manage, oneOffer, platformKey, refusalOf, reportIds, send } from "../factories/calls";

const LOGIN = { email: "ada@example.com", password: "correct horse battery" };
const CAPPED = { caps: [{ count: 1, window_seconds: 86_400, per: "campaign" }] };
interface Readiness {
  status: string;
  engines: { name: string; ok: boolean }[];
}

/** Any address but a loopback one has limits. */
const from = { address: FAR_AWAY };

describe.skipIf(!hasRedisServer())("while Redis is away", () => {
  let redis: RedisServer;
  let counters: Counters;
  let test: TestApp;
  let shop: Awaited<ReturnType<typeof makeShop>>;
  let capped: Awaited<ReturnType<typeof makeShop>>;
  let key: string;
  let token: string;
  let cookie: string;
  const clock = new ShiftedClock();

  beforeAll(async () => {
    redis = await startRedisServer();
    // A busy machine is no outage.
    counters = await connectRedisCounters(redis.url, { callTimeoutMs: 5000 });
    test = await testApp({ clock, counters });
    shop = await makeShop(test);
    capped = await makeShop(test, { campaign: CAPPED });
    key = await platformKey(shop.ctx);
    const pixel = { id: shop.campaign.advertiser_id, mode: "live" };
    token = (await call(shop.ctx, getPixel, pixel)).token;
    await seedAccount(test.app.account, { ...LOGIN, tenantName: "Ada's", isDemo: false });
    cookie = (await logIn()).headers.get("set-cookie")?.split(";")[0] ?? "";
    await eventually(async () => (await offers(capped.browserKey, { user_id: "early" })).length === 1, 30_000);
    await redis.kill();
    await eventually(async () =>
      counters.ping().then(
        () => false,
        () => true,
      ),
    );
  });
  afterAll(async () => {
    await test?.stop();
    await counters?.close();
    await redis?.close();
  });

  const askOffers = (browserKey: string, body: object = {}) =>
    send(test, "/api/v1/offers", {
      key: browserKey,
      body: { query: "warm boots", ...body },
      headers: { origin: ORIGIN },
      ...from,
    });
  const offers = async (browserKey: string, body: object = {}) =>
    ((await (await askOffers(browserKey, body)).json()) as { offers: unknown[] }).offers;
  const logIn = () => manage(test, "/v1/auth/login", { body: LOGIN, ...from });
  const refresh = () => manage(test, "/v1/auth/refresh", { body: {}, headers: { cookie }, ...from });
  const readiness = async () => {
    const { paths } = directPaths(test.config, { app: test.app, engines: test.engines, isStopping: () => false });
    const path = paths.find((direct) => direct.path === "/readyz");
    if (!path) throw new Error("/readyz is not served");
    const response = await path.answer(new Request("http://localhost:3000/readyz"), { address: "127.0.0.1" });
    const { status, engines } = (await response.json()) as Readiness;
    const away = engines.filter(({ ok }) => !ok).map(({ name }) => name);
    return { code: response.status, status, away };
  };

  it("a browser key gets offers, of campaigns without caps alone", async () => {
    expect((await askOffers(shop.browserKey)).status).toBe(200);
    expect(await offers(shop.browserKey, { user_id: "bob" })).toHaveLength(1);
    expect(await offers(capped.browserKey, { user_id: "bob" })).toEqual([]);
  });

  it("impressions, clicks and orders of the pixel are counted", async () => {
    const { id } = await oneOffer(test, shop.serverKey);
    expect((await reportIds(test, [id], from)).status).toBe(204);
    const location = (await click(test, id, from)).headers.get("location") ?? "";
    const click_id = new URL(location).searchParams.get("svc_click_id") ?? "";
    expect(click_id).toMatch(/^[0-9a-f]{32}$/);
    const order = new URLSearchParams({ token, order_id: "o-1", click_id, value_micros: "5" });
    expect((await send(test, `/api/v1/conversions/pixel.gif?${order}`, from)).status).toBe(200);
    const { rows } = await test.engines.sql.query("SELECT source FROM conversions WHERE order_id = 'o-1'");
    expect(rows).toEqual([{ source: "pixel" }]);
  });

  it("the platform API responds without rate headers", async () => {
    const response = await manage(test, "/v1/tenants/me", { key, ...from });
    expect(response.status).toBe(200);
    const names = [...response.headers.keys()];
    expect(names.filter((name) => name.startsWith("ratelimit") || name === "retry-after")).toEqual([]);
    expect((await manage(test, "/v1/tenants/me", { key: "svc_live_wrong", ...from })).status).toBe(401);
  });

  it("a guess of a password is refused with 503 and Retry-After, and a session token is refreshed", async () => {
    const { status, error } = await refusalOf(await logIn());
    expect([status, error.code, error.retry_after]).toEqual([503, "unavailable", 1]);
    expect(error).toMatchObject({
      message: "Attempts cannot be counted at the moment; retry shortly.",
      details: { reason: "counters_unavailable" },
    });
    expect((await refresh()).status).toBe(200);
  });

  it("the process is degraded and ready", async () => {
    expect(await readiness()).toEqual({ code: 200, status: "degraded", away: ["counters"] });
  });

  it("and back, everything is limited and counted again", async () => {
    await redis.restart();
    await eventually(
      async () => (await manage(test, "/v1/tenants/me", { key })).headers.has("ratelimit-limit"),
      30_000,
    );
    await eventually(async () => (await readiness()).status === "ready", 30_000);
    expect((await logIn()).status).toBe(200);
    // A server key and a new user for each try: polling must not use up a rate limit.
    let tries = 0;
    const isBack = async () => (await offers(capped.serverKey, { user_id: `probe-${tries++}` })).length === 1;
    await eventually(isBack, 60_000);
    expect(await offers(capped.serverKey, { user_id: "carol" })).toHaveLength(1);
    expect(await offers(capped.serverKey, { user_id: "carol" })).toEqual([]);
  });
});
