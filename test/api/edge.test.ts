import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { pino } from "pino";
import { afterAll, describe, expect, it } from "vitest";
import type { EdgeFunction as AnyEdgeFunction } from "../../server/cloud/edge/workers/edge-function";
import type { EdgeLogLine } from "../../server/cloud/edge/workers/edge-log-line";
import { edgeTasks, startEdge } from "../../server/cloud/edge/workers/start-edge";
import { Workerd } from "../../server/engines/workerd/workerd";
import type { Scope } from "../../server/operation/actor";
import { eventually, makeTenant, testApp } from "../factories/app";
import { manage, platformKey } from "../factories/calls";
import { serveEdge } from "../factories/edge-server";
import { openForFile } from "../factories/open-for-file";

interface Failure {
  error: { code: string; message: string; param?: string; details?: { reason?: string } };
}

const SCOPES: Scope[] = [
  "edge:read",
  "edge:write",
  "storage:read",
  "storage:write",
  "queues:read",
  "queues:write",
  "secrets:write",
  "secrets:reveal",
  "keys:write",
];

const test = await openForFile(testApp());
const hosts = await serveEdge(test);
const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
const key = await platformKey(tenant, { scopes: SCOPES });
const weak = { name: "weak", scopes: ["edge:write"] };
const weakKey = ((await (await manage(test, "/v1/keys", { key, body: weak })).json()) as { key: string }).key;
const otherKey = await platformKey(other, { scopes: SCOPES });
const { rootDir, dataDir, publicUrl, edgeDomain } = test.config;
const log = pino({ level: "silent" });
const secondWorkers = new Workerd({ rootDir, dir: path.join(dataDir, "second-workers"), log });
/** Edge functions as another process of the same installation runs them. */
const second = startEdge({ ...test.app.cloud, log, workerd: secondWorkers, rootDir, publicUrl, edgeDomain });
afterAll(async () => {
  hosts.stop();
  await second.stop();
  await secondWorkers.close();
});

/** With `body` a POST. */
async function send<T>(path: string, sent: { key?: string; method?: string; body?: object } = {}) {
  const response = await manage(test, path, { key, ...sent });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as T };
}

const PATH = "/v1/edge/functions";
let count = 0;
/** The host of these tests has a domain. */
type EdgeFunction = AnyEdgeFunction & { url: string };

async function draft(fetchBody: string, more: object = {}): Promise<EdgeFunction> {
  const code = `export default { async fetch(request, env, ctx) { ${fetchBody} } };`;
  const { status, body } = await send<EdgeFunction>(PATH, {
    body: { name: `Edge ${count++}`.replace(" ", "."), code, ...more },
  });
  expect([status, body]).toMatchObject([201, {}]);
  return body;
}

const update = async (id: string, fetchBody: string): Promise<EdgeFunction> => {
  const code = `export default { async fetch(request, env, ctx) { ${fetchBody} } };`;
  return (await send<EdgeFunction>(`${PATH}/${id}`, { method: "PATCH", body: { code } })).body;
};

async function published(fetchBody: string, more: object = {}): Promise<EdgeFunction> {
  const { id } = await draft(fetchBody, more);
  const { status, body } = await send<EdgeFunction>(`${PATH}/${id}/publish`, { body: {} });
  expect([status, body]).toMatchObject([200, { published_version: 1 }]);
  return body;
}

const errorOf = async (path: string, sent: Parameters<typeof send>[1]) => (await send<Failure>(path, sent)).body.error;

describe("an edge function", () => {
  it("responds on its host once it is published, with every part of request and response", async () => {
    const made = await draft(`
      const { method, url, headers } = request;
      const response = Response.json({ method, url, body: await request.text(), headers: [...headers] }, { status: 201 });
      response.headers.append("set-cookie", "a=1; Domain=localhost; Path=/");
      response.headers.append("set-cookie", "b=2; HttpOnly");
      response.headers.set("content-encoding", "gzip");
      response.headers.set("strict-transport-security", "max-age=1");
      return response;`);
    expect(made).toMatchObject({ version: 1, published_version: null, smoke: { outcome: "passed", status: 201 } });
    expect(new URL(made.url).host).toMatch(/^edge-0-[a-z2-7]{10}\.edge\.localhost:3000$/);
    expect((await hosts.ask(made.url)).status).toBe(404);
    expect((await hosts.ask(made.url.replace(/-[a-z2-7]{10}/, ""))).status).toBe(404);
    await send(`${PATH}/${made.name}/publish`, { body: {} });
    const url = `${made.url}v1/s3/a%20b?c=d`;
    const headers = {
      cookie: "own=1",
      authorization: "Bearer x",
      "x-forwarded-for": "6.6.6.6",
      "x-svc-peer-address": "7",
    };
    const { status, body, headers: received } = await hosts.ask(url, { method: "PUT", body: "sent", headers });
    const seen = JSON.parse(body) as { headers: [string, string][] };
    expect([status, seen]).toMatchObject([201, { method: "PUT", url, body: "sent" }]);
    expect(Object.fromEntries(seen.headers)).toMatchObject({
      cookie: "own=1",
      authorization: "Bearer x",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "http",
      "x-request-id": received["x-request-id"],
    });
    expect(seen.headers.map(([name]) => name)).not.toContain("x-svc-peer-address");
    expect(received["set-cookie"]).toEqual(["a=1; Path=/", "b=2; HttpOnly"]);
    expect(received["content-encoding"]).toBeUndefined();
    expect(received["strict-transport-security"]).toBeUndefined();
    expect(Number(received["content-length"])).toBe(body.length);
    const head = await hosts.ask(made.url, { method: "HEAD" });
    expect([head.status, head.body]).toEqual([201, ""]);
  });

  it("sends a body as it becomes ready, and goes on with what it waits for after the response", async () => {
    const { id, url } = await published(`
      const { readable, writable } = new TransformStream();
      const writer = writable.getWriter();
      const parts = async () => {
        await writer.write(new TextEncoder().encode("first"));
        if (!request.url.includes("smoke")) await new Promise((resolve) => setTimeout(resolve, 400));
        await writer.write(new TextEncoder().encode("x".repeat(300000)));
        await writer.close();
      };
      ctx.waitUntil(parts().then(() => new Promise((resolve) => setTimeout(resolve, 100))).then(() => console.log("after")));
      return new Response(readable, { headers: { "content-type": "text/event-stream" } });`);
    const request = hosts.open(url);
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    expect(chunks[0]?.toString()).toBe("first");
    expect(Buffer.concat(chunks).length).toBe(300_005);
    await eventually(async () => (await logsOf(id)).some(({ text }) => text === "after"));
  });

  it("never responds with an earlier version after it was published or rolled back, under parallel requests", async () => {
    const { id, url } = await published(`return new Response("1");`);
    let isStopped = false;
    const wrong: string[] = [];
    const seen = new Set<string>();
    let allowed = ["1"];
    const client = async () => {
      while (!isStopped) {
        const atBegin = allowed;
        const { status, body } = await hosts.ask(url);
        seen.add(body);
        if (status !== 200 || ![...atBegin, ...allowed].includes(body)) wrong.push(`${status} ${body} for ${atBegin}`);
      }
    };
    const clients = Array.from({ length: 4 }, client);
    const change = async (version: string, act: () => Promise<{ status: number }>) => {
      // While it is being published either version may respond, and afterwards only the new one.
      allowed = [...allowed, version];
      expect((await act()).status).toBe(200);
      allowed = [version];
      await Promise.all(Array.from({ length: 5 }, async () => expect((await hosts.ask(url)).body).toBe(version)));
    };
    for (const version of ["2", "3", "4"]) {
      await update(id, `return new Response("${version}");`);
      await change(version, () => send(`${PATH}/${id}/publish`, { body: { version: Number(version) } }));
    }
    await change("2", () => send(`${PATH}/${id}/restore`, { body: { version: 2 } }));
    isStopped = true;
    await Promise.all(clients);
    expect(wrong).toEqual([]);
    expect([...seen].sort()).toEqual(["1", "2", "3", "4"]);
    const versions = await send<{ data: { version: number }[] }>(`${PATH}/${id}/versions`);
    expect(versions.body.data.map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    expect((await send<{ code: string }>(`${PATH}/${id}/versions/2`)).body.code).toContain(`Response("2")`);
    expect((await send<EdgeFunction>(`${PATH}/${id}`)).body).toMatchObject({ version: 4, published_version: 2 });
    expect(await errorOf(`${PATH}/${id}/publish`, { body: { version: 3 } })).toMatchObject({
      details: { reason: "not_the_draft" },
    });
    expect((await send(`${PATH}/${id}`, { method: "DELETE" })).status).toBe(204);
    expect((await hosts.ask(url)).status).toBe(404);
  });

  it("is rejected if it does not load, and not published if it fails when it is tried", async () => {
    const bad = { name: "bad", code: "export default {\n  fetch() { return 5 +; }\n}" };
    expect(await errorOf(PATH, { body: bad })).toMatchObject({
      code: "unprocessable",
      param: "code",
      message: expect.stringMatching(/main\.js:2/),
    });
    const failing = await draft(`console.log("tried"); throw new RangeError("too far");`);
    expect(failing.smoke).toMatchObject({
      outcome: "failed",
      status: null,
      logs: [{ level: "info", text: "tried" }],
      error: { reason: "threw", message: "RangeError: too far", stack: expect.stringContaining("main.js") },
    });
    expect(await errorOf(`${PATH}/${failing.id}/publish`, { body: {} })).toMatchObject({
      code: "unprocessable",
      details: { reason: "smoke_failed" },
    });
    expect((await draft(`return fetch("https://example.com/");`)).smoke.outcome).toBe("inconclusive");
    // A worker that is not given the processor, on a busy machine, is not blocked: its smoke run times out.
    await expect
      .poll(async () => (await draft("for (;;);")).smoke, { timeout: 120_000 })
      .toMatchObject({ outcome: "failed", error: { reason: "blocked" } });
  });

  it("that fails responds with an error without its stack, which its logs have", async () => {
    const { id, url } = await published(`
      if (request.url.endsWith("/throw")) throw new RangeError("secret detail");
      if (request.url.endsWith("/none")) return "text";
      if (request.url.endsWith("/late")) {
        let hasBegun = false;
        const pull = async (controller) => {
          if (hasBegun) await new Promise((resolve) => setTimeout(resolve, 50));
          if (hasBegun) throw new Error("broken");
          hasBegun = true;
          controller.enqueue(new Uint8Array(300000));
        };
        return new Response(new ReadableStream({ pull }));
      }
      return new Response(await request.arrayBuffer().then(({ byteLength }) => String(byteLength)));`);
    const thrown = await hosts.ask(`${url}throw`, { headers: { accept: "application/json" } });
    expect([thrown.status, JSON.parse(thrown.body)]).toMatchObject([
      500,
      { error: { code: "internal", details: { reason: "threw" } } },
    ]);
    expect(thrown.body).not.toMatch(/secret detail|main\.js/);
    const none = await hosts.ask(`${url}none`);
    expect([none.status, none.headers["content-type"]]).toEqual([500, "text/plain; charset=utf-8"]);
    await expect(hosts.ask(`${url}late`)).rejects.toThrow();
    expect((await hosts.ask(url, { method: "POST", body: Buffer.alloc(3_000_000) })).body).toBe("3000000");
    expect((await hosts.ask(url, { method: "POST", body: Buffer.alloc(11_000_000) })).status).toBe(413);
    const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    expect((await hosts.ask(url, { headers: upgrade })).status).toBe(501);
    await eventually(async () => (await logsOf(id)).filter(({ level }) => level === "request").length >= 4);
    const lines = await logsOf(id);
    expect(lines.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^GET \/throw 500 \d+ ms$/),
        expect.stringMatching(/^threw: RangeError: secret detail\n.*main\.js/),
      ]),
    );
  });

  it("is invisible to other tenants", async () => {
    const { id, name } = await draft(`return new Response();`);
    for (const path of ["", "/versions", "/versions/1", "/logs"]) {
      expect((await send(`${PATH}/${id}${path}`, { key: otherKey })).status).toBe(404);
      expect((await send(`${PATH}/${name}${path}`, { key: otherKey })).status).toBe(404);
    }
    for (const action of ["publish", "restore"]) {
      expect((await send(`${PATH}/${id}/${action}`, { key: otherKey, body: { version: 1 } })).status).toBe(404);
    }
  });
});

/** A response of the other process. */
async function askSecond(url: string): Promise<string> {
  const found = await second.runs.find(new URL(url).hostname.split(".", 1)[0] ?? "");
  if (!found || "hosted" in found) return "none";
  const parts: Buffer[] = [];
  const request = {
    id: "req_2",
    method: "GET",
    origin: new URL(url).origin,
    path: "/",
    headers: {},
    body: Buffer.alloc(0),
  };
  await second.runs.run(
    found.fn,
    { ...request, signal: new AbortController().signal },
    { head: () => undefined, body: async (part) => void parts.push(part), end: () => undefined },
  );
  return Buffer.concat(parts).toString();
}

const upkeep = () =>
  edgeTasks({ sql: test.engines.sql, clock: test.clock, databases: second.databases }).maintain_edge_functions?.(
    {},
    {} as never,
  );

describe("an edge function in two processes", () => {
  it("has the same version, keys and rows in both as soon as one has published or stored them", async () => {
    const bindings = [
      { type: "kv", name: "CACHE", namespace: "both" },
      { type: "sql", name: "DB", database: "both" },
    ];
    const body = (version: number) => `
      await env.DB.prepare("CREATE TABLE IF NOT EXISTS hits (id serial, version int)").run();
      const id = await env.DB.prepare("INSERT INTO hits (version) VALUES ($1) RETURNING id").bind(${version}).first("id");
      const last = await env.CACHE.get("last");
      await env.CACHE.put("last", "${version}");
      return new Response([${version}, id, last].join(" "));`;
    const { id, url } = await draft(body(1), { bindings });
    expect(await askSecond(url)).toBe("none");
    await send(`${PATH}/${id}/publish`, { body: {} });
    expect([await askSecond(url), (await hosts.ask(url)).body]).toEqual(["1 1 ", "1 2 1"]);
    for (const version of [2, 3]) {
      await update(id, body(version));
      expect(await askSecond(url)).toMatch(new RegExp(`^${version - 1} `));
      await send(`${PATH}/${id}/publish`, { body: {} });
      expect(await askSecond(url)).toMatch(new RegExp(`^${version} \\d ${version - 1}$`));
    }
    await send(`${PATH}/${id}/restore`, { body: { version: 1 } });
    expect(await askSecond(url)).toBe("1 7 3");
    await send(`${PATH}/${id}`, { method: "DELETE" });
    expect(await askSecond(url)).toBe("none");
  });
});

describe("the SQL database of an edge function", () => {
  const bindings = [{ type: "sql", name: "DB", database: "shop" }];

  it("has rows, batches and errors, is shared by name, and a draft changes nothing in it", async () => {
    const { url, smoke } = await published(
      `
      const { DB } = env;
      await DB.batch([
        DB.prepare("CREATE TABLE IF NOT EXISTS items (id bigint PRIMARY KEY, name text, price numeric, made timestamptz, more jsonb, icon bytea, sold bool)"),
        DB.prepare("DELETE FROM items"),
      ]);
      const add = DB.prepare("INSERT INTO items VALUES ($1, $2, $3, $4, $5, $6, $7)");
      const [one, two] = await DB.batch([
        add.bind(1, "hat", "1.50", new Date(0), JSON.stringify({ a: [1, null] }), new Uint8Array([1, 255]), true),
        add.bind(9007199254740993n, null, null, null, '{"id":9007199254740993,"x":[0.1000000000000000055,1.5]}', null, false),
      ]);
      const { results, meta, success } = await DB.prepare("SELECT * FROM items ORDER BY id").all();
      const failures = await Promise.all([
        DB.prepare("SELECT * FROM nothing").all(), DB.prepare("SET ROLE postgres").run(), DB.prepare("SELECT 1; SELECT 2").all(),
        DB.prepare("SELECT $1::int").bind("x").first(), DB.batch([add.bind(3, "", null, null, null, null, null), DB.prepare("SELECT 1/0")]),
        (async () => add.bind({}))(), DB.prepare("SELECT $1").bind("\\ud800").first(),
      ].map((call) => call.then(() => "done", ({ name, message }) => name + ": " + message)));
      const icon = [...results[0].icon];
      return Response.json({ results: results.map((row) => ({ ...row, icon: row.icon && icon })), meta, success, failures,
        changes: [one.meta.changes, two.meta.changes], count: await DB.prepare("SELECT count(*) AS n FROM items").first("n"),
        none: await DB.prepare("SELECT 1 WHERE false").first(), sum: await DB.prepare("SELECT $1::int + 1 AS sum").bind(2).first() });`,
      { bindings },
    );
    expect(smoke.outcome).toBe("inconclusive");
    const first = JSON.parse((await hosts.ask(url)).body) as { failures: string[] };
    const rest = { price: null, made: null, more: null, icon: null };
    expect(first).toMatchObject({
      results: [
        {
          id: 1,
          name: "hat",
          price: "1.50",
          made: "1970-01-01 00:00:00+00",
          more: { a: [1, null] },
          icon: [1, 255],
          sold: true,
        },
        {
          id: "9007199254740993",
          name: null,
          ...rest,
          more: { id: "9007199254740993", x: ["0.1000000000000000055", 1.5] },
          sold: false,
        },
      ],
      success: true,
      meta: { changes: 0, duration: expect.any(Number) },
      changes: [1, 1],
      count: 2,
      none: null,
      sum: { sum: 3 },
    });
    expect(first.failures).toEqual([
      expect.stringMatching(/^BindingError: relation "nothing" does not exist \(SQLSTATE 42P01\)$/),
      expect.stringMatching(/^BindingError: A statement must begin with SELECT/),
      expect.stringMatching(/^BindingError: cannot insert multiple commands/),
      expect.stringMatching(/^BindingError: invalid input syntax for type integer/),
      expect.stringMatching(/^BindingError: division by zero/),
      expect.stringMatching(/^TypeError: Expected null/),
      expect.stringMatching(/^BindingError: .*params\[0\]: expected UTF-8 without NUL/),
    ]);
    const names = `return Response.json((await env.DB.prepare("SELECT name FROM items ORDER BY id").all()).results);`;
    expect((await hosts.ask((await published(names, { bindings })).url)).body).toBe('[{"name":"hat"},{"name":null}]');
    const dropping = await draft(`await env.DB.prepare("DROP TABLE items").run(); return new Response();`, {
      bindings,
    });
    expect(dropping.smoke.outcome).toBe("passed");
    expect(JSON.parse((await hosts.ask(url)).body)).toMatchObject({ count: 2 });
    const theirs = await send<EdgeFunction>(PATH, {
      key: otherKey,
      body: { name: "theirs", bindings, code: `export default { async fetch(request, env) { ${names} } };` },
    });
    expect(theirs.body.smoke.error?.message).toContain('relation "items" does not exist');
  });

  it("counts towards a quota, and is deleted a week after the last version that binds it", async () => {
    const { id } = await draft("return new Response();", {
      bindings: [{ type: "sql", name: "DB", database: "short" }],
    });
    const [{ id: database } = { id: "" }] = await databasesNamed("short");
    const many = Array.from({ length: 11 }, (_, i) => ({ type: "sql", name: `DB${i}`, database: `many-${i}` }));
    const code = "export default { fetch: () => new Response() };";
    expect(await errorOf(PATH, { body: { name: "many", code, bindings: many } })).toMatchObject({
      code: "quota_exceeded",
    });
    await upkeep();
    await send(`${PATH}/${id}`, { method: "DELETE" });
    await upkeep();
    test.clock.advance(6.9 * 24 * 3_600_000);
    await upkeep();
    expect(await databasesNamed("short")).toHaveLength(1);
    test.clock.advance(0.2 * 24 * 3_600_000);
    await upkeep();
    expect(await databasesNamed("short")).toEqual([]);
    const server =
      "SELECT datname FROM pg_database WHERE datname = $1 UNION SELECT rolname FROM pg_roles WHERE rolname = $1";
    expect((await test.engines.sql.query(server, [`svc_${database}`])).rows).toEqual([]);
    expect(await databasesNamed("shop")).toHaveLength(2);
  });

  const databasesNamed = async (name: string) =>
    (await test.engines.sql.query<{ id: string }>("SELECT id FROM edge_sql_databases WHERE name = $1", [name])).rows;
});

describe("the variables of an edge function", () => {
  it("are texts and secrets of each version, resolved at each request and left out of its logs", async () => {
    const value = "the-secret-value-1";
    await send("/v1/secrets", { body: { name: "TOKEN", value } });
    const body = `console.log("has", env.TOKEN); return Response.json([env.GREETING, env.TOKEN, env.CACHE !== undefined, env.LONG?.length, [...request.headers.keys()].filter((name) => name.startsWith("x-svc"))]);`;
    const env = { GREETING: "Grüße", TOKEN: { secret: "TOKEN" }, LONG: "ü".repeat(30_000) };
    const cache = { type: "kv", name: "CACHE", namespace: "cache" };
    const made = await published(body, { env, bindings: [cache] });
    expect(made).toMatchObject({ env, smoke: { outcome: "passed", logs: [{ text: "has [redacted]" }] } });
    const { id, url } = made;
    const answer = async () => JSON.parse((await hosts.ask(url)).body) as unknown;
    expect(await answer()).toEqual(["Grüße", value, true, 30_000, []]);
    expect((await hosts.ask(url, { method: "HEAD" })).status).toBe(200);
    await send("/v1/secrets/TOKEN", { method: "PUT", body: { value: "the-secret-value-2" } });
    expect(await answer()).toEqual(["Grüße", "the-secret-value-2", true, 30_000, []]);
    await send(`${PATH}/${id}`, { method: "PATCH", body: { env: { GREETING: "Hi" } } });
    expect(await answer()).toEqual(["Grüße", "the-secret-value-2", true, 30_000, []]);
    await send(`${PATH}/${id}/publish`, { body: {} });
    expect(await answer()).toEqual(["Hi", null, true, null, []]);
    await send(`${PATH}/${id}/restore`, { body: { version: 1 } });
    expect(await answer()).toEqual(["Grüße", "the-secret-value-2", true, 30_000, []]);
    await eventually(async () => (await logsOf(id)).some(({ text }) => text === "has [redacted]"));
    expect(JSON.stringify(await logsOf(id))).not.toContain("the-secret-value");
    await send("/v1/secrets/TOKEN", { method: "DELETE" });
    expect((await hosts.ask(url)).status).toBe(500);
    await eventually(async () => (await logsOf(id)).some(({ text }) => text.startsWith("no_such_secret: ")));
  });

  it("are given only by who may reveal secrets, and have other names than bindings", async () => {
    await send("/v1/secrets", { body: { name: "WEAK", value: "a-secret-of-eight" } });
    const code = "export default { fetch: () => new Response() };";
    const env = { WEAK: { secret: "WEAK" } };
    const refused = { code: "forbidden", details: { reason: "scope_missing", scope: "secrets:reveal" } };
    expect(await errorOf(PATH, { key: weakKey, body: { name: "weak", code, env } })).toMatchObject(refused);
    const { id } = await draft("return new Response();", { env });
    expect(await errorOf(`${PATH}/${id}`, { key: weakKey, method: "PATCH", body: { code } })).toMatchObject(refused);
    expect(await errorOf(`${PATH}/${id}/publish`, { key: weakKey, body: {} })).toMatchObject(refused);
    expect(await errorOf(`${PATH}/${id}/restore`, { key: weakKey, body: { version: 1 } })).toMatchObject(refused);
    const kv = { type: "kv", name: "SAME", namespace: "cache" };
    expect(await errorOf(PATH, { body: { name: "same", code, env: { SAME: "x" }, bindings: [kv] } })).toMatchObject({
      code: "invalid_request",
      param: "env",
    });
    const missing = await draft("return new Response();", { env: { NONE: { secret: "NONE" } } });
    expect(missing.smoke).toMatchObject({ outcome: "failed", error: { reason: "no_such_secret" } });
  });
});

describe("the keys of a KV namespace", () => {
  const KEYS = "/v1/edge/kv/settings/keys";

  it("are those that functions read and write by the same name", async () => {
    expect((await send(KEYS)).status).toBe(404);
    const key = encodeURIComponent("user/1 ü");
    const put = await send(`${KEYS}/${key}`, { method: "PUT", body: { value: "Ada", ttl_seconds: 60 } });
    expect([put.status, put.body]).toMatchObject([200, { key: "user/1 ü", expires_at: expect.any(String) }]);
    await send(`${KEYS}/bytes`, { method: "PUT", body: { value: "/wA=", encoding: "base64" } });
    await send(`${KEYS}/user%2F2`, { method: "PUT", body: { value: "Grace" } });
    expect((await send(`${KEYS}/${key}`)).body).toMatchObject({ value: "Ada", encoding: "utf8" });
    expect((await send(`${KEYS}/bytes`)).body).toEqual({
      key: "bytes",
      value: "/wA=",
      encoding: "base64",
      expires_at: null,
    });
    const { url } = await published(
      `await env.KV.put("user/3", "Alan"); return Response.json([await env.KV.get("user/1 ü"), [...new Uint8Array(await env.KV.get("bytes", "arrayBuffer"))]]);`,
      { bindings: [{ type: "kv", name: "KV", namespace: "settings" }] },
    );
    expect(JSON.parse((await hosts.ask(url)).body)).toEqual(["Ada", [255, 0]]);
    type Keys = { data: { key: string }[]; next_cursor: string | null };
    const page = await send<Keys>(`${KEYS}?prefix=user/&limit=2`);
    expect(page.body.data.map(({ key: name }) => name)).toEqual(["user/1 ü", "user/2"]);
    const next = await send<Keys>(`${KEYS}?prefix=user/&limit=2&cursor=${page.body.next_cursor}`);
    expect(next.body).toMatchObject({ data: [{ key: "user/3" }], next_cursor: null });
    expect((await send(`${KEYS}/user%2F2`, { method: "DELETE" })).status).toBe(204);
    expect((await send(`${KEYS}/user%2F2`, { method: "DELETE" })).status).toBe(404);
    test.clock.advance(61_000);
    expect((await send(`${KEYS}/${key}`)).status).toBe(404);
    expect((await send<Keys>(KEYS)).body.data.map(({ key: name }) => name)).toEqual(["bytes", "user/3"]);
  });

  it("have the bounds of the binding, and are invisible to other tenants", async () => {
    const put = (key: string, body: object) => errorOf(`${KEYS}/${key}`, { method: "PUT", body });
    expect(await put("x".repeat(513), { value: "" })).toMatchObject({ code: "invalid_request", param: "key" });
    expect(await put("big", { value: "x".repeat(1024 * 1024 + 1) })).toMatchObject({ code: "payload_too_large" });
    expect(await put("soon", { value: "", ttl_seconds: 59 })).toMatchObject({ param: "ttl_seconds" });
    expect(await put("bytes", { value: "=", encoding: "base64" })).toMatchObject({ param: "value" });
    expect((await send(`${KEYS}/bytes`, { key: otherKey })).status).toBe(404);
    expect((await send(KEYS, { key: otherKey })).status).toBe(404);
    expect((await send(`${KEYS}/bytes`, { key: weakKey })).status).toBe(403);
  });
});

describe("the bindings of an edge function", () => {
  it("are KV namespaces, buckets and queues of its project, on which a draft has no effect", async () => {
    const bucket = "edge-objects";
    await send("/v1/storage/buckets", { body: { name: bucket } });
    await send("/v1/queues", { body: { name: "jobs" } });
    const bindings = [
      { type: "kv", name: "CACHE", namespace: "cache" },
      { type: "object", name: "FILES", bucket },
      { type: "queue", name: "JOBS", queue: "jobs" },
    ];
    const body = `
      const { CACHE, FILES, JOBS } = env;
      const visits = Number((await CACHE.get("visits")) ?? 0) + 1;
      await CACHE.put("visits", String(visits));
      await CACHE.put("json/" + visits, JSON.stringify({ visits }), { expirationTtl: 60 });
      await FILES.put("a/b.bin", new Uint8Array([1, 2, visits]), { contentType: "image/x" });
      const object = await FILES.get("a/b.bin");
      await JOBS.sendBatch([{ body: { visits } }, { body: "text", groupId: "g" }]);
      const failures = await Promise.all([
        CACHE.put("x".repeat(513), "1"), CACHE.put("big", new Uint8Array(1100000)), JOBS.send(5), CACHE.put("odd", {}),
      ].map((call) => call.then(() => "done", ({ name, message }) => name + ": " + message)));
      return Response.json({
        visits, failures, missing: [await CACHE.get("no"), await FILES.get("no"), await FILES.head("no")],
        json: await CACHE.get("json/" + visits, "json"),
        keys: (await CACHE.list({ prefix: "json/", limit: 1 })).keys.map(({ name }) => name),
        object: object && [object.contentType, object.size, [...new Uint8Array(await object.arrayBuffer())]],
        objects: (await FILES.list({ prefix: "a/" })).objects.map(({ key }) => key),
      });`;
    const { url, smoke } = await published(body, { bindings });
    expect(smoke.outcome).toBe("passed");
    const first = JSON.parse((await hosts.ask(url)).body) as { visits: number; failures: string[] };
    expect(first).toMatchObject({
      visits: 1,
      missing: [null, null, null],
      json: { visits: 1 },
      keys: ["json/1"],
      objects: ["a/b.bin"],
      object: ["image/x", 3, [1, 2, 1]],
    });
    expect(first.failures).toEqual([
      expect.stringContaining("key: expected at most 512 bytes"),
      "BindingError: A KV value has at most 1 MiB.",
      expect.stringContaining("BindingError: messages[0].body"),
      expect.stringContaining("TypeError"),
    ]);
    expect(JSON.parse((await hosts.ask(url)).body)).toMatchObject({ visits: 2 });
    const peeked = await send<{ data: { body: unknown }[] }>("/v1/queues/jobs/messages");
    expect(peeked.body.data.map(({ body: sent }) => sent)).toEqual([{ visits: 1 }, "text", { visits: 2 }, "text"]);
    test.clock.advance(61_000);
    await upkeep();
    const { rows } = await test.engines.sql.query(
      "SELECT entries, bytes::int FROM edge_kv_namespaces WHERE name = 'cache'",
    );
    expect(rows).toEqual([{ entries: 1, bytes: "visits".length + 1 }]);
  });

  it("reach nothing that the function was not given, and are given only by who may use it", async () => {
    await send("/v1/storage/buckets", { key: otherKey, body: { name: "edge-theirs" } });
    const theirs = { type: "object", name: "FILES", bucket: "edge-theirs" };
    const jobs = { type: "queue", name: "JOBS", queue: "jobs" };
    const code = "export default { fetch: () => new Response() };";
    const refused = { name: "refused", code };
    expect(await errorOf(PATH, { body: { ...refused, bindings: [theirs] } })).toMatchObject({
      code: "not_found",
      param: "bindings[0]",
    });
    for (const binding of [theirs, jobs]) {
      expect(await errorOf(PATH, { key: weakKey, body: { ...refused, bindings: [binding] } })).toMatchObject({
        code: "forbidden",
      });
    }
    const { id } = await published("return new Response();", { bindings: [jobs] });
    expect((await send(`${PATH}/${id}`, { key: weakKey, method: "PATCH", body: { code } })).status).toBe(403);
    expect((await send(`${PATH}/${id}/restore`, { key: weakKey, body: { version: 1 } })).status).toBe(403);
    const asks = `
      const { env: own } = await import("cloudflare:workers");
      const ask = async (binding, method) => {
        const body = JSON.stringify({ binding, method, args: { key: "visits" } }) + "\\n";
        const response = await own.SVC.fetch("http://svc/edg_other@1", { method: "POST", body });
        return JSON.parse((await response.text()).split("\\n")[0]);
      };
      return Response.json([Object.keys(env), await ask("CACHE", "get"), await ask("MINE", "constructor"), await ask("MINE", "get")]);`;
    const other = await send<EdgeFunction>(PATH, {
      key: otherKey,
      body: {
        name: "asks",
        bindings: [{ type: "kv", name: "MINE", namespace: "cache" }],
        code: `export default { async fetch(request, env) { ${asks} } };`,
      },
    });
    await send(`${PATH}/asks/publish`, { key: otherKey, body: {} });
    expect(JSON.parse((await hosts.ask(other.body.url)).body)).toEqual([
      ["MINE"],
      { error: "The function has no binding CACHE." },
      { error: "A binding of the type kv has no such method." },
      { result: false },
    ]);
  });
});

describe("the logs of an edge function", () => {
  it("follow what it prints and its requests", async () => {
    const { id, url } = await published(`console.warn("seen", request.method); return new Response();`);
    const response = await manage(test, `${PATH}/${id}/logs?follow=true`, { key });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    await hosts.ask(`${url}path?secret=1`);
    let text = "";
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    while (!text.includes("/path 200")) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    expect(text).toContain(`"level":"warn","text":"seen GET","version":1`);
    expect(text).not.toContain("secret");
  });
});

async function logsOf(id: string): Promise<EdgeLogLine[]> {
  return (await send<{ data: EdgeLogLine[] }>(`${PATH}/${id}/logs`)).body.data;
}
