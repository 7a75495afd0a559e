import { describe, expect, it } from "vitest";
import { createChannelKey } from "../../server/ads/channels/create-channel-key";
import { revokeChannelKey } from "../../server/ads/channels/revoke-channel-key";
import type { ApiKeyWithSecret } from "../../server/identity/api-keys/api-key";
import { setQuota } from "../../server/identity/quotas/set-quota";
import type { RequestCounts } from "../../server/identity/request-counts/request-count";
import { SCOPES } from "../../server/operation/actor";
import { call, makeChannel } from "../factories/ads";
import { ask, makeTenant, ORIGIN, testApp } from "../factories/app";
import { manage, platformKey, raiseRate, refusalOf, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const PATH = "/v1/usage/requests";
const DAY_MS = 86_400_000;
/** A key may read 120 histories a minute. */
const SLOWLY = { interval: 500, timeout: 30_000 };

const test = await openForFile(testApp());
const [ctx, other] = [await makeTenant(test), await makeTenant(test)];
// Polls of a busy machine are no reason for 429.
for (const { tenantId } of [ctx, other]) await raiseRate(test, tenantId);
/** Keys that only read histories: what they do is counted too. */
const reader = await platformKey(ctx, { scopes: [...SCOPES] });
const otherReader = await platformKey(other, { scopes: [...SCOPES] });

async function history(query = "", key = reader): Promise<RequestCounts> {
  const response = await manage(test, `${PATH}${query}`, { key });
  if (response.status !== 200) throw new Error(`returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as RequestCounts;
}

const NONE = { requests: 0, errors: 0, status_2xx: 0, status_4xx: 0, status_429: 0, status_5xx: 0 };
const ofKey = async (id: string) => (await history()).keys.find((key) => key.id === id);

async function newKey(name: string): Promise<ApiKeyWithSecret> {
  const response = await manage(test, "/v1/keys", {
    key: reader,
    body: { name, scopes: ["ads:read", "ads:write", "usage:read"] },
  });
  expect(response.status).toBe(201);
  return (await response.json()) as ApiKeyWithSecret;
}

describe("requests with a platform key", () => {
  let made: ApiKeyWithSecret;

  it("are counted by the status of their responses, and nothing else is counted for the key", async () => {
    made = await newKey("Nightly import");
    const get = async (path: string) => (await manage(test, path, { key: made.key })).status;
    const statuses = [await get("/v1/ads/channels"), await get("/v1/ads/channels"), await get("/v1/nothing")];
    statuses.push(await get("/v1/keys"), await get("/v1/ads/reports?from=never"));
    await setQuota(test.app.account, { tenant_id: ctx.tenantId, resource: "channels", limit: 0 });
    statuses.push((await manage(test, "/v1/ads/channels", { key: made.key, body: { name: "c" } })).status);
    await setQuota(test.app.account, { tenant_id: ctx.tenantId, resource: "channels", limit: null });
    const { clickhouse } = test.engines;
    await clickhouse.command({ query: "RENAME TABLE report_slots TO report_slots_away" });
    statuses.push(await get("/v1/ads/reports"));
    await clickhouse.command({ query: "RENAME TABLE report_slots_away TO report_slots" });
    expect(statuses).toEqual([200, 200, 404, 403, 400, 429, 500]);
    expect((await manage(test, "/v1/ads/channels", { key: `svc_live_${"a".repeat(48)}` })).status).toBe(401);
    await expect
      .poll(() => ofKey(made.id), SLOWLY)
      .toEqual({
        id: made.id,
        kind: "platform",
        name: "Nightly import",
        project_id: made.project_id,
        channel_id: null,
        last_four: made.last_four,
        revoked_at: null,
        requests: 7,
        errors: 5,
        status_2xx: 2,
        status_4xx: 3,
        status_429: 1,
        status_5xx: 1,
      });
  });

  it("are a history by hour and by day that ends now, with every hour and day, and adds up", async () => {
    const counts = { requests: 7, errors: 5, status_2xx: 2, status_4xx: 3, status_429: 1, status_5xx: 1 };
    for (const [interval, length] of [
      ["hour", 48],
      ["day", 30],
    ] as const) {
      const { rows, totals, keys, keys_total, ...about } = await history(`?interval=${interval}&key_id=${made.id}`);
      expect(rows).toHaveLength(length);
      expect(totals).toEqual(counts);
      expect([keys.map(({ id }) => id), keys_total]).toEqual([[made.id], 1]);
      expect(about).toMatchObject({ interval, mode: "live", from: rows[0]?.start });
      expect(rows.reduce((sum, row) => sum + row.requests, 0)).toBe(7);
      const now = test.clock.now().getTime();
      expect(Date.parse(about.to)).toBeGreaterThanOrEqual(now);
      expect(Date.parse(about.from)).toBeLessThan(now - (length - 1) * (interval === "hour" ? DAY_MS / 24 : DAY_MS));
    }
    const before = await history(`?key_id=${made.id}&from=2026-01-01&to=2026-01-03`);
    expect(before.rows).toEqual([
      { start: "2026-01-01T00:00:00.000Z", ...NONE },
      { start: "2026-01-02T00:00:00.000Z", ...NONE },
    ]);
    expect(before).toMatchObject({ totals: NONE, keys: [], keys_total: 0 });
  });

  it("still show the name of the key when it was revoked", async () => {
    expect((await manage(test, `/v1/keys/${made.id}/revoke`, { key: reader, method: "POST" })).status).toBe(200);
    expect(await ofKey(made.id)).toMatchObject({ name: "Nightly import", revoked_at: expect.any(String), requests: 7 });
    expect((await history(`?key_id=${made.id}`)).totals.requests).toBe(7);
  });

  it("are no business of other tenants, projects and modes", async () => {
    const foreign = await history("", otherReader);
    expect(foreign.keys.map(({ id }) => id)).not.toContain(made.id);
    const ofProject = await platformKey(ctx, { scopes: ["usage:read"] });
    const ofTest = await platformKey(ctx, { scopes: ["usage:read"], mode: "test" });
    for (const key of [ofProject, ofTest])
      expect((await history("", key)).keys.map(({ id }) => id)).not.toContain(made.id);
    for (const key of [otherReader, ofProject, ofTest]) {
      const refused = await refusalOf(await manage(test, `${PATH}?key_id=${made.id}`, { key }));
      expect(refused).toMatchObject({ status: 404, error: { code: "not_found" } });
    }
  });
});

describe("requests with a channel key", () => {
  it("are counted for the key by its channel's name, but not what browsers send without one", async () => {
    const channel = await makeChannel(ctx, { mode: "live", name: "Reef guide", origins: [ORIGIN] });
    const created = await call(ctx, createChannelKey, { id: channel.id, kind: "browser" });
    const from = (origin: string, body: object) =>
      ask(test.app, { key: created.key, body, headers: { origin } }).then(({ status }) => status);
    // A key that is not known yet gets 401, which is not counted.
    await expect.poll(() => from(ORIGIN, {})).toBe(200);
    const statuses = [await from(ORIGIN, {}), await from(ORIGIN, { limit: "many" })];
    statuses.push(await from("https://elsewhere.example", {}));
    expect(statuses).toEqual([200, 400, 401]);
    expect((await send(test, "/api/v1/impressions/batch", { body: { ids: [] } })).status).not.toBe(500);
    await call(ctx, revokeChannelKey, { id: channel.id, key_id: created.id });
    await expect
      .poll(() => ofKey(created.id), SLOWLY)
      .toEqual({
        id: created.id,
        kind: "browser",
        name: "Reef guide",
        project_id: null,
        channel_id: channel.id,
        last_four: created.key.slice(-4),
        revoked_at: expect.any(String),
        ...NONE,
        requests: 3,
        errors: 1,
        status_2xx: 2,
        status_4xx: 1,
      });
    const foreign = await refusalOf(await manage(test, `${PATH}?key_id=${created.id}`, { key: otherReader }));
    expect(foreign.status).toBe(404);
  });
});

it("counts keys that exist and no others", async () => {
  const result = await test.engines.clickhouse.query({
    query: "SELECT DISTINCT key_id AS id FROM key_requests",
    format: "JSONEachRow",
  });
  const ids = (await result.json<{ id: string }>()).map(({ id }) => id);
  const known = await Promise.all([
    ctx.db.apiKey.findMany({ select: { id: true } }),
    ctx.db.channelKey.findMany({ select: { id: true } }),
  ]);
  expect(ids.length).toBeGreaterThan(0);
  expect(known.flat().map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

it.each([
  ["from=yesterday", "from"],
  ["from=2026-02-30", "from"],
  ["to=2026-11-20T10:00", "to"],
  ["from=2026-11-20&to=2026-11-20", "from"],
  ["from=2025-01-01&to=2026-11-20", "from"],
  ["from=2026-01-01&to=2026-02-02&interval=hour", "from"],
  ["interval=minute", "interval"],
  ["mode=both", "mode"],
  [`key_id=${"k".repeat(101)}`, "key_id"],
])("rejects %s by its field", async (query, param) => {
  const refused = await refusalOf(await manage(test, `${PATH}?${query}`, { key: reader }));
  expect(refused).toMatchObject({ status: 400, error: { code: "invalid_request", param } });
});
