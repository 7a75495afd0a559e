import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { eventually } from "../factories/app";
import { BROWSER } from "../factories/calls";
import { freePort, startServerProcess } from "../factories/server-process";

const rootDir = path.resolve(import.meta.dirname, "../..");
/** What a client may act upon; the rest tells of the connection. */
const HEADERS = [
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-max-age",
  "allow",
  "cache-control",
  "content-type",
  "location",
  "ratelimit-limit",
  "referrer-policy",
  "retry-after",
  "www-authenticate",
  "x-request-id",
  "x-robots-tag",
];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const UNKNOWN_OFFER = "0199f000-0000-7000-8000-000000000001";

const builds = path.join(rootDir, ".build/test");
mkdirSync(builds, { recursive: true });
const folder = mkdtempSync(path.join(builds, "through-next-"));
const program = path.join(folder, "through-next-server.mjs");
await build({
  entryPoints: [path.join(import.meta.dirname, "through-next-server.ts")],
  outfile: program,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  logLevel: "warning",
});
const indirectPort = await freePort();
const server = await startServerProcess({ program, env: { INDIRECT_PORT: String(indirectPort) } });
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface GateQuery {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const JSON_TYPE = { "content-type": "application/json" };
const withServerKey = () => ({ "x-svc-api-key": server.demo.channel.server_key });
const withBrowserKey = () => ({ "x-svc-api-key": server.demo.channel.browser_key, origin: server.url });
const withPlatformKey = () => ({ authorization: `Bearer ${server.demo.api.live_key}` });
const query = JSON.stringify({ query: "wireless headphones", limit: 2 });

/** Asks the direct path on the server's own port, and Next's route handlers on the other one. */
async function ask(way: "direct" | "through Next", { path: at, method = "GET", headers = {}, body }: GateQuery) {
  const base = way === "direct" ? `http://127.0.0.1:${server.port}` : `http://127.0.0.1:${indirectPort}`;
  const sent = { method, redirect: "manual" as const, headers: { "x-request-id": "same.1", ...headers } };
  const answer = await fetch(base + at, body === undefined ? sent : { ...sent, body });
  const text = await answer.text();
  const named = HEADERS.map((name) => [name, answer.headers.get(name)] as const);
  return {
    status: answer.status,
    headers: Object.fromEntries(named.filter(([, value]) => value !== null)),
    /** Next names what its own pages depend on as well. */
    vary: new Set(answer.headers.get("vary")?.toLowerCase().split(/, */)),
    body: text,
    /** Each answer mints offers and click ids of its own. */
    alike: {
      status: answer.status,
      headers: Object.fromEntries(named.map(([name, value]) => [name, value?.replace(/svc_click_id=\w+/, "…")])),
      body: text.replaceAll(UUID, "…"),
    },
  };
}

type Case = [name: string, status: number, asked: () => GateQuery];

const CASES: Case[] = [
  ["offers", 200, () => offersAsked({ ...withServerKey(), ...JSON_TYPE })],
  ["offers for a browser", 200, () => offersAsked({ ...withBrowserKey(), ...JSON_TYPE })],
  ["offers by GET", 200, () => ({ path: "/api/v1/offers?query=tent&limit=1", headers: withServerKey() })],
  ["a body that is no JSON", 400, () => ({ ...offersAsked({ ...withServerKey(), ...JSON_TYPE }), body: "{" })],
  ["a limit of 9", 400, () => ({ path: "/api/v1/offers?limit=9", headers: withBrowserKey() })],
  ["no key", 401, () => offersAsked(JSON_TYPE)],
  ["a foreign origin", 401, () => offersAsked({ ...withBrowserKey(), ...JSON_TYPE, origin: "https://a.example" })],
  ["another media type", 415, () => offersAsked({ ...withServerKey(), "content-type": "text/csv" })],
  ["another method", 405, () => ({ path: "/api/v1/offers", method: "PUT", headers: withServerKey() })],
  ["a path that is not there", 404, () => ({ path: "/api/v1/nothing", headers: withServerKey() })],
  ["a preflight of an allowed origin", 204, () => preflight(server.url)],
  ["a preflight of any other", 204, () => preflight("https://a.example")],
  ["impressions", 204, () => impressions(JSON_TYPE, JSON.stringify({ ids: [UNKNOWN_OFFER] }))],
  ["impressions of a beacon", 204, () => impressions({ "content-type": "text/plain" }, '{"ids":[]}')],
  ["impressions without ids", 400, () => impressions(JSON_TYPE, "{}")],
  ["a click on no offer", 404, () => ({ path: `/api/v1/clicks/${UNKNOWN_OFFER}` })],
  ["a person's click on no offer", 404, () => ({ path: "/api/v1/clicks/x", headers: { accept: "text/html" } })],
  ["channels", 200, () => ({ path: "/v1/ads/channels", headers: withPlatformKey() })],
  ["channels without a key", 401, () => ({ path: "/v1/ads/channels" })],
  ["a channel of nobody", 404, () => ({ path: "/v1/ads/channels/chn_none", headers: withPlatformKey() })],
  ["a method of no row", 405, () => ({ path: "/v1/ads/channels", method: "PUT", headers: withPlatformKey() })],
  ["a platform path that is not there", 404, () => ({ path: "/v1/nothing", headers: withPlatformKey() })],
];

const offersAsked = (headers: Record<string, string>): GateQuery => ({
  path: "/api/v1/offers",
  method: "POST",
  headers,
  body: query,
});

/** The cookies of a new account. */
async function signedUp(): Promise<string> {
  const answer = await fetch(`${server.url}/api/trpc/signUp`, {
    method: "POST",
    headers: { ...JSON_TYPE, origin: server.url },
    body: JSON.stringify({ email: "ada@example.com", password: "five quiet otters swim" }),
  });
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
}

const preflight = (origin: string): GateQuery => ({
  path: "/api/v1/offers",
  method: "OPTIONS",
  headers: {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type,x-svc-api-key",
  },
});

const impressions = (headers: Record<string, string>, body: string): GateQuery => ({
  path: "/api/v1/impressions/batch",
  method: "POST",
  headers: { ...headers, origin: server.url },
  body,
});

describe("Next's route handlers answer as the direct paths do", () => {
  it.each(CASES)("%s: %i", async (_name, status, asked) => {
    const direct = await ask("direct", asked());
    const throughNext = await ask("through Next", asked());
    expect(direct.status).toBe(status);
    expect(direct.headers["x-request-id"]).toBe("same.1");
    expect(throughNext.alike).toEqual(direct.alike);
    expect([...direct.vary].filter((name) => !throughNext.vary.has(name))).toEqual([]);
  });

  it("a click: 302, each way to the landing page of its own offer", async () => {
    const offers = await ask("direct", offersAsked({ ...withServerKey(), ...JSON_TYPE }));
    const [one, two] = JSON.parse(offers.body).offers as { clickUrl: string }[];
    const click = (offer: { clickUrl: string } | undefined): GateQuery => ({
      path: new URL(offer?.clickUrl ?? "").pathname,
      headers: { "user-agent": BROWSER },
    });
    // Nobody clicks within half a second: such a click is no person's, and gets no click id.
    await eventually(async () => /svc_click_id=/.test(String((await ask("direct", click(one))).headers.location)));
    const direct = await ask("direct", click(one));
    const throughNext = await ask("through Next", click(one));
    expect(direct.status).toBe(302);
    expect(throughNext.alike).toEqual(direct.alike);
    expect((await ask("through Next", click(two))).headers.location).toMatch(/svc_click_id=\w+/);
  });

  it("mints one request id where the client sent none", async () => {
    for (const at of ["/api/v1/offers", "/v1/ads/channels"]) {
      const answer = await ask("through Next", { path: at, headers: { "x-request-id": "" } });
      expect(answer.headers["x-request-id"]).toMatch(/^req_[0-9a-f]{24}$/);
      expect(JSON.parse(answer.body).error.request_id).toBe(answer.headers["x-request-id"]);
    }
  });

  it("believes no client about its address", async () => {
    // The outbox is open to this machine alone.
    const cookie = await signedUp();
    const outbox = (headers: Record<string, string>) =>
      ask("through Next", { path: "/api/trpc/listOutbox", headers: { cookie, ...headers } });
    expect((await outbox({ "x-svc-peer-address": "203.0.113.9" })).status).toBe(200);
    expect((await outbox({ "x-svc-forwarded": "false", "x-forwarded-for": "127.0.0.1" })).status).toBe(404);
  });
});
