import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makeTenant, testApp } from "../factories/app";
import { manage, platformKey, refusalOf, type Sent } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const CHANNELS = "/v1/ads/channels";
const test = await openForFile(testApp());
const ctx = await makeTenant(test);
const key = await platformKey(ctx);
const readKey = await platformKey(ctx, { scopes: ["ads:read"] });
const testKey = await platformKey(ctx, { mode: "test" });
const foreignKey = await platformKey(await makeTenant(test));

type Json = Record<string, unknown> & { id: string };
const json = async (answer: Promise<Response>): Promise<Json> => (await (await answer).json()) as Json;
const makeChannel = (body: object = { name: "Shop" }) => json(manage(test, CHANNELS, { key, body }));

async function makeCampaign(): Promise<Json> {
  const advertiser = await json(manage(test, "/v1/ads/advertisers", { key, body: { name: "Acme" } }));
  const body = { advertiser_id: advertiser.id, name: "Winter", model: "cpc", bid_micros: 500_000 };
  return json(manage(test, "/v1/ads/campaigns", { key, body }));
}

describe("200, 201 and 204", () => {
  it("creates, reads, lists, changes and archives", async () => {
    const created = await manage(test, CHANNELS, { key, body: { name: "Shop", origins: ["https://shop.example"] } });
    expect([created.status, created.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const channel = (await created.json()) as Json;
    expect(channel).toMatchObject({ name: "Shop", mode: "live", origins: ["https://shop.example"] });
    const at = `${CHANNELS}/${channel.id}`;
    expect(await json(manage(test, at, { key }))).toEqual(channel);
    const changed = await manage(test, at, { key, method: "PATCH", body: { name: "Renamed" } });
    expect([changed.status, await changed.json()]).toEqual([200, expect.objectContaining({ name: "Renamed" })]);
    const gone = await manage(test, at, { key, method: "DELETE" });
    expect([gone.status, await gone.text()]).toEqual([204, ""]);
    expect(gone.headers.get("x-request-id")).toMatch(/^req_/);
    expect((await manage(test, at, { key })).status).toBe(404);
  });

  it("shows a channel key once, and revokes it without a body", async () => {
    const { id } = await makeChannel();
    const made = await json(manage(test, `${CHANNELS}/${id}/keys`, { key, body: { kind: "server" } }));
    expect(made.key).toMatch(/^svc_srv_[a-z2-7]{48}$/);
    const listed = await json(manage(test, `${CHANNELS}/${id}/keys`, { key }));
    expect(JSON.stringify(listed)).not.toContain(made.key);
    const revoked = await manage(test, `${CHANNELS}/${id}/keys/${made.id}/revoke`, { key, method: "POST" });
    expect([revoked.status, ((await revoked.json()) as Json).revoked_at]).toEqual([200, expect.any(String)]);
  });

  it.each([
    ["plain", (feed: string) => feed, {}],
    ["gzip", (feed: string) => gzipSync(feed), { "content-encoding": "gzip" }],
    ["a gzip file", (feed: string) => gzipSync(feed), { "content-type": "application/gzip" }],
  ])("takes a product feed as %s NDJSON and names the lines it refuses", async (_, pack, headers) => {
    const { id } = await makeCampaign();
    const lines = [
      { id: "sku-1", title: "Red boot", link: "https://shop.example/1", price: "19.90 EUR" },
      { id: "sku-2", title: "No link" },
      { id: "sku-3", title: "Blue boot", link: "https://shop.example/3" },
    ];
    const raw = pack(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    const sent = { key, raw, headers: { "content-type": "application/x-ndjson", ...headers } };
    const answer = await manage(test, `/v1/ads/campaigns/${id}/products`, sent);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      accepted: 2,
      rejected: 1,
      errors: [{ line: 2, code: expect.any(String) }],
    });
    const products = await json(manage(test, `/v1/ads/campaigns/${id}/products`, { key }));
    expect((products.data as Json[]).map(({ title }) => title).sort()).toEqual(["Blue boot", "Red boot"]);
  });

  it("keeps a key in its own mode", async () => {
    const channel = await makeChannel();
    expect((await manage(test, `${CHANNELS}/${channel.id}`, { key: testKey })).status).toBe(404);
    const made = await json(manage(test, CHANNELS, { key: testKey, body: { name: "Sandbox" } }));
    expect(made.mode).toBe("test");
  });
});

describe("400", () => {
  it.each<[string, string, Sent]>([
    ["no_such_field", CHANNELS, { body: { name: "Shop", no_such_field: 1 } }],
    ["no_such_field", `${CHANNELS}?no_such_field=1`, {}],
    ["name", CHANNELS, { body: {} }],
    ["name", CHANNELS, { body: { name: 5 } }],
    ["strictness", CHANNELS, { body: { name: "Shop", strictness: "lenient" } }],
    ["strictness", `${CHANNELS}/chn_1`, { method: "PATCH", body: { strictness: "lenient" } }],
    ["origins[0]", CHANNELS, { body: { name: "Shop", origins: ["https://*.shop.example"] } }],
    ["limit", `${CHANNELS}?limit=0`, {}],
    ["limit", `${CHANNELS}?limit=1001`, {}],
    ["cursor", `${CHANNELS}?cursor=cur_forged`, {}],
    ["id", `${CHANNELS}/chn_1`, { method: "PATCH", body: { id: "chn_2", name: "Shop" } }],
    ["id", `${CHANNELS}/%00`, {}],
    ["body", CHANNELS, { body: [] }],
    ["name", CHANNELS, { body: { name: "a\0" } }],
    ["name", CHANNELS, { raw: '{"name":"\\ud800"}' }],
  ])("names %s at %s", async (param, at, sent) => {
    const { status, error } = await refusalOf(await manage(test, at, { key, ...sent }));
    expect({ status, code: error.code, param: error.param }).toEqual({ status: 400, code: "invalid_request", param });
  });
});

describe("401", () => {
  it.each<[string, () => Sent]>([
    ["no key", () => ({})],
    ["an unknown key", () => ({ key: `svc_live_${"a".repeat(48)}` })],
    ["a malformed key", () => ({ key: "svc_live_x" })],
    ["a channel key", () => ({ key: `svc_srv_${"a".repeat(48)}` })],
    ["another scheme", () => ({ headers: { authorization: `Basic ${key}` } })],
    ["a key in the wrong header", () => ({ headers: { "x-svc-api-key": key } })],
  ])("answers %s with WWW-Authenticate and nothing else than any other wrong key", async (_, sentOf) => {
    const plain = await refusalOf(await manage(test, CHANNELS));
    const { status, headers, error } = await refusalOf(await manage(test, CHANNELS, sentOf()));
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(error).toEqual({ ...plain.error, request_id: error.request_id });
  });
});

describe("403", () => {
  it("names the scope that a key lacks, before it looks at the body", async () => {
    const { status, error } = await refusalOf(await manage(test, CHANNELS, { key: readKey, raw: "{" }));
    expect([status, error.code, error.details]).toEqual([
      403,
      "forbidden",
      { reason: "scope_missing", scope: "ads:write" },
    ]);
    expect((await manage(test, CHANNELS, { key: readKey })).status).toBe(200);
  });
});

describe("404", () => {
  it("answers another tenant's channel like one that never was", async () => {
    const { id } = await makeChannel();
    for (const sent of [{}, { method: "PATCH", body: { name: "Stolen" } }, { method: "DELETE" }]) {
      const foreign = await refusalOf(await manage(test, `${CHANNELS}/${id}`, { key: foreignKey, ...sent }));
      const unknown = await refusalOf(await manage(test, `${CHANNELS}/chn_none`, { key: foreignKey, ...sent }));
      expect([foreign.status, foreign.error.code]).toEqual([404, "not_found"]);
      expect(foreign.error.message.replace(id, "chn_none")).toBe(unknown.error.message);
    }
    expect((await json(manage(test, `${CHANNELS}/${id}`, { key }))).name).toBe("Shop");
  });
});

describe("405", () => {
  it("names the allowed methods", async () => {
    const { status, headers } = await refusalOf(await manage(test, CHANNELS, { key, method: "PUT", body: {} }));
    expect([status, headers.get("allow")?.split(", ").sort()]).toEqual([405, ["GET", "HEAD", "POST"]]);
  });
});
