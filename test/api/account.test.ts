import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { ApiKey, ApiKeyWithSecret } from "../../server/identity/api-keys/api-key";
import type { Project } from "../../server/identity/projects/project";
import type { Quota } from "../../server/identity/quotas/quota";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { SCOPES } from "../../server/operation/actor";
import { makeTenant, testApp } from "../factories/app";
import { manage, platformKey, refusalOf, type Sent } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const test = await openForFile(testApp());
const tenant = await makeTenant(test);
const tenantId = tenant.tenantId;
const root = await platformKey(tenant, { scopes: [...SCOPES] });

const call = (path: string, sent: Sent = {}) => manage(test, path, { key: root, ...sent });
const post = (path: string, sent: Sent = {}) => call(path, { method: "POST", ...sent });

/** The body of an answer that has the status; fails the test on any other one. */
async function answered<T>(response: Response, status: number): Promise<T> {
  if (response.status !== status) throw new Error(`answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

const newKey = async (fields = {}) =>
  answered<ApiKeyWithSecret>(await post("/v1/keys", { body: { name: "ci", scopes: ["ads:read"], ...fields } }), 201);
const works = async (key: string, address?: string) =>
  (await manage(test, "/v1/ads/channels", { key, ...(address && { address }) })).status;

describe("POST /v1/keys", () => {
  it("makes a key of a project by name that does what its scopes say and nothing else", async () => {
    const project = (await answered<{ data: Project[] }>(await call("/v1/projects"), 200)).data[0];
    const made = await newKey({ project: project?.name, scopes: ["ads:read", "usage:read"] });
    expect(made).toMatchObject({ project_id: project?.id, mode: "live", scopes: ["ads:read", "usage:read"] });
    expect(await works(made.key)).toBe(200);
    const more = await refusalOf(await manage(test, "/v1/ads/channels", { key: made.key, body: { name: "x" } }));
    expect(more).toMatchObject({ status: 403, error: { details: { reason: "scope_missing", scope: "ads:write" } } });
    const found = await answered<ApiKey>(await call(`/v1/keys/${made.id}`), 200);
    const listed = await answered<{ data: ApiKey[] }>(await call("/v1/keys?state=active&limit=1"), 200);
    for (const shown of [found, listed.data[0]]) {
      expect(shown?.id).toBe(made.id);
      expect(shown).not.toHaveProperty("key");
    }
  });

  it.each([
    [{ scopes: ["everything"] }, 400, "scopes[0]"],
    [{ allowed_addresses: ["10.0.0.0/8", "home"] }, 400, "allowed_addresses[1]"],
    [{ expires_at: "tomorrow" }, 400, "expires_at"],
    [{ expires_at: "2020-01-01T00:00:00Z" }, 400, "expires_at"],
    [{ project: "nowhere" }, 404, "project"],
    [{ mode: "test" }, 403, "mode"],
    [{ owner: "me" }, 400, "owner"],
  ])("refuses %j by its field", async (fields, status, param) => {
    const refused = await refusalOf(await post("/v1/keys", { body: { name: "ci", scopes: ["ads:read"], ...fields } }));
    expect(refused).toMatchObject({ status, error: { param } });
  });

  it("lets a key with an allow-list in from there alone", async () => {
    const { key } = await newKey({ allowed_addresses: ["198.51.100.0/24"] });
    expect(await works(key, "198.51.100.9")).toBe(200);
    const { status, error, headers } = await refusalOf(
      await manage(test, "/v1/ads/channels", { key, address: "198.51.101.9" }),
    );
    expect(status).toBe(403);
    expect(error).toMatchObject({ code: "forbidden", details: { reason: "address_not_allowed" } });
    expect(headers.get("x-request-id")).toBe(error.request_id);
  });
});

describe("a key that ends", () => {
  /** Before what was remembered of it for 10 s runs out. */
  const refusedSoon = (key: string) => expect.poll(() => works(key), { timeout: 9000, interval: 5 }).toBe(401);

  it("is refused at once when it was revoked", async () => {
    const { id, key } = await newKey();
    expect(await works(key)).toBe(200);
    const revoked = await answered<ApiKey>(await post(`/v1/keys/${id}/revoke`), 200);
    expect(revoked.revoked_at).not.toBeNull();
    await refusedSoon(key);
    const again = await refusalOf(await post(`/v1/keys/${id}/rotate`));
    expect(again).toMatchObject({ status: 409, error: { code: "conflict", details: { reason: "key_revoked" } } });
  });

  it("is refused at once when it was rotated under an Idempotency-Key, and a lost answer can be had again", async () => {
    const { id, key } = await newKey();
    expect(await works(key)).toBe(200);
    const headers = { "idempotency-key": randomUUID() };
    const rotate = async () => answered<ApiKeyWithSecret>(await post(`/v1/keys/${id}/rotate`, { headers }), 200);
    const rotated = await rotate();
    await refusedSoon(key);
    expect(await works(rotated.key)).toBe(200);
    expect((await rotate()).key).toBe(rotated.key);
  });

  it("keeps its old secret for the grace", async () => {
    const { id, key } = await newKey();
    const next = await answered<ApiKeyWithSecret>(
      await post(`/v1/keys/${id}/rotate`, { body: { grace_seconds: 3600 } }),
      200,
    );
    expect([await works(key), await works(next.key)]).toEqual([200, 200]);
    test.clock.advance(3_600_000);
    expect([await works(key), await works(next.key)]).toEqual([401, 200]);
    const refused = await refusalOf(await post(`/v1/keys/${id}/rotate`, { body: { grace_seconds: 86_401 } }));
    expect(refused).toMatchObject({ status: 400, error: { param: "grace_seconds" } });
  });
});

describe("projects", () => {
  it("are created, read, renamed and archived", async () => {
    const made = await answered<Project>(await post("/v1/projects", { body: { name: "shop" } }), 201);
    expect(await answered<Project>(await call(`/v1/projects/${made.id}`), 200)).toEqual(made);
    const taken = await refusalOf(await post("/v1/projects", { body: { name: "shop" } }));
    expect(taken).toMatchObject({ status: 409, error: { param: "name", details: { reason: "name_taken" } } });
    const renamed = await call(`/v1/projects/${made.id}`, { method: "PATCH", body: { name: "store" } });
    expect(await answered<Project>(renamed, 200)).toEqual({ ...made, name: "store" });
    expect((await call(`/v1/projects/${made.id}`, { method: "DELETE" })).status).toBe(204);
    expect((await call(`/v1/projects/${made.id}`)).status).toBe(404);
  });
});

describe("GET /v1/tenants/me", () => {
  it("answers any key with its tenant, and asks no database once the tenant is known", async () => {
    const { key } = await newKey();
    const me = () => manage(test, "/v1/tenants/me", { key });
    await me();
    const query = vi.spyOn(test.engines.sql, "query");
    const connect = vi.spyOn(test.engines.sql, "connect");
    const tenant = await answered(await me(), 200);
    expect(tenant).toEqual({ id: tenantId, name: "Tenant", is_demo: false, created_at: expect.any(String) });
    expect([query, connect].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    query.mockRestore();
    connect.mockRestore();
  });

  it("refuses who has no key", async () => {
    expect((await manage(test, "/v1/tenants/me")).status).toBe(401);
  });
});

describe("limits", () => {
  const set = (resource: Quota["resource"], limit: number | null) =>
    setQuota(test.app.account, { tenant_id: tenantId, resource, limit });

  it("are listed with what is used, and stop a create without a word on when to retry", async () => {
    await answered(await post("/v1/ads/channels", { body: { name: "one" } }), 201);
    await set("channels", 1);
    const { data } = await answered<{ data: Quota[] }>(await call("/v1/quotas"), 200);
    expect(data.find(({ resource }) => resource === "channels")).toMatchObject({ limit: 1, used: 1 });
    const { status, error, headers } = await refusalOf(await post("/v1/ads/channels", { body: { name: "two" } }));
    expect(status).toBe(429);
    expect(error).toMatchObject({ code: "quota_exceeded", details: { resource: "channels", limit: 1 } });
    expect(error).not.toHaveProperty("retry_after");
    expect(headers.get("retry-after")).toBeNull();
    await set("channels", null);
    await answered(await post("/v1/ads/channels", { body: { name: "two" } }), 201);
  });

  it.each([
    ["advertisers", () => ({ name: "second" })],
    [
      "campaigns",
      (advertiserId: string) => ({ name: "c", advertiser_id: advertiserId, model: "cpc", bid_micros: 1_000_000 }),
    ],
  ] as const)("stop %s as well", async (resource, body) => {
    const advertiser = await answered<{ id: string }>(
      await post("/v1/ads/advertisers", { body: { name: "first" } }),
      201,
    );
    await set(resource, resource === "campaigns" ? 0 : 1);
    const refused = await refusalOf(await post(`/v1/ads/${resource}`, { body: body(advertiser.id) }));
    expect(refused).toMatchObject({ status: 429, error: { code: "quota_exceeded", details: { resource } } });
    await set(resource, null);
  });

  it("of the rate are another at once when an operator sets it", async () => {
    const limit = async () => Number((await call("/v1/tenants/me")).headers.get("ratelimit-limit"));
    expect(await limit()).toBe(600);
    await set("requests_per_minute", 6000);
    await expect.poll(limit).toBe(6000);
  });
});
