import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import type { EdgeFunction } from "../../server/cloud/edge/workers/edge-function";
import { makeTenant, testApp } from "../factories/app";
import { manage, platformKey } from "../factories/calls";
import { serveEdge } from "../factories/edge-server";
import { openForFile } from "../factories/open-for-file";

const test = await openForFile(testApp());
const hosts = await serveEdge(test);
const key = await platformKey(await makeTenant(test), {
  scopes: ["edge:read", "edge:write", "storage:read", "storage:write"],
});
afterAll(() => hosts.stop());

const call = (path: string, sent: { method?: string; body?: object } = {}) =>
  manage(test, `/v1/edge${path}`, { key, ...sent });
let count = 0;
/** The URL of a function with this `fetch`. */
async function published(body: string, more: { bindings?: object[] } = {}, top = ""): Promise<string> {
  const code = `${top}\nexport default { async fetch(request, env) { ${body} } };`;
  const created = (await (
    await call("/functions", { body: { name: `r${count++}`, code, ...more } })
  ).json()) as EdgeFunction;
  const made = (await (await call(`/functions/${created.id}/publish`, { body: {} })).json()) as EdgeFunction;
  return made.url ?? "";
}

/** The response as it is on the wire. */
async function ask(url: string, method = "GET") {
  const sent = hosts.open(url, { method });
  sent.end();
  const [response] = await once(sent, "response");
  return { status: response.statusCode as number, headers: response.headers, bytes: await buffer(response) };
}

const GZIPPED = `const gzipped = await new Response(new Blob(["hello"]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();`;
const AS_GZIP = `{ encodeBody: "manual", headers: { "content-encoding": "gzip", "content-length": "9" } }`;

describe("the response of an edge function", () => {
  it.each([
    ["itself", `return new Response(gzipped, ${AS_GZIP})`],
    ["its clone", `return new Response(gzipped, ${AS_GZIP}).clone()`],
    ["one with its options", `return new Response(gzipped, new Response(null, ${AS_GZIP}))`],
  ])("with encodeBody: manual keeps Content-Encoding and the bytes: %s", async (_, made) => {
    const { headers, bytes } = await ask(await published(`${GZIPPED} ${made};`));
    expect(headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(bytes).toString()).toBe("hello");
  });

  const R = "class R extends Response { get own() { return true; } }";
  it.each([
    ["at the top of its module", `${R};`, ""],
    ["in its function", "", `${R};`],
    ["from an expression", `const Base = globalThis.Response; const R = ${R.replace("class R", "class")};`, ""],
    ["from a class that extends it", `class Q extends Response {}; ${R.replace("Response", "Q")};`, ""],
  ])("of a class that extends Response, defined %s, is one like every other", async (_, top, inside) => {
    const url = await published(
      `${GZIPPED} ${inside}
      const old = new R(gzipped, ${AS_GZIP});
      const path = new URL(request.url).pathname;
      if (path === "/new") return old;
      if (path === "/clone") return old.clone();
      if (path === "/options") return new Response(old.body, old);
      if (path === "/own-options") return new R(old.body, old);
      if (path === "/auto") return new R("hello", { headers: { "content-encoding": "gzip" } });
      if (path === "/redirect") return R.redirect("https://example.com/", 307);
      if (path === "/error") return Response.json(R.error().type);
      if (path === "/json") return R.json({ a: 1 }, { status: 201, encodeBody: "manual", headers: { "content-encoding": "x-own" } });
      return Response.json([old instanceof R, old instanceof Response, old.own, old.constructor === R, old.clone() instanceof Response,
        R.json({}) instanceof Response, R.redirect("https://example.com/") instanceof Response, Object.getPrototypeOf(R.prototype) !== null,
        (await fetch("data:,x").catch(() => new Response())) instanceof Response, new Response() instanceof R, R.name, Response.name]);`,
      {},
      top,
    );
    for (const path of ["new", "clone", "options", "own-options"]) {
      const { headers, bytes } = await ask(new URL(path, url).href);
      expect([path, headers["content-encoding"], gunzipSync(bytes).toString()]).toEqual([path, "gzip", "hello"]);
    }
    const auto = await ask(new URL("auto", url).href);
    expect([auto.headers["content-encoding"], auto.bytes.toString()]).toEqual([undefined, "hello"]);
    const redirect = await ask(new URL("redirect", url).href);
    expect([redirect.status, redirect.headers.location]).toEqual([307, "https://example.com/"]);
    const json = await ask(new URL("json", url).href);
    expect([json.status, json.headers["content-encoding"], json.bytes.toString()]).toEqual([201, "x-own", '{"a":1}']);
    expect((await ask(new URL("error", url).href)).bytes.toString()).toBe('"error"');
    expect(JSON.parse((await ask(url)).bytes.toString())).toEqual([...Array(9).fill(true), false, "R", "Response"]);
  });

  it("without it is sent as it is, without Content-Encoding, and is a Response all the same", async () => {
    const url = await published(`
      const response = new Response("hello", { headers: { "content-encoding": "gzip" } });
      const facts = [response instanceof Response, response.constructor === Response, Response.json({}) instanceof Response];
      return new Response(facts.join(), response);`);
    const { headers, bytes } = await ask(url);
    expect([headers["content-encoding"], bytes.toString()]).toEqual([undefined, "true,true,true"]);
  });

  it.each([204, 205, 304])("of the status %d has no body", async (status) => {
    const url = await published(`return new Response(null, { status: ${status}, headers: { etag: "x" } });`);
    const { headers, bytes, ...rest } = await ask(url);
    expect([rest.status, bytes.length, headers.etag, headers["transfer-encoding"]]).toEqual([
      status,
      0,
      "x",
      undefined,
    ]);
  });

  it("to HEAD has the length that the body would have, or that the code says", async () => {
    const measured = await published(`return new Response("hello");`);
    // One whose end comes late is sent without it.
    expect(["5", undefined]).toContain((await ask(measured, "HEAD")).headers["content-length"]);
    const said = await published(`return new Response(null, { headers: { "content-length": "1234" } });`);
    expect((await ask(said, "HEAD")).headers["content-length"]).toBe("1234");
    expect(["0", undefined]).toContain((await ask(said)).headers["content-length"]);
  });

  it("has its own frame, and each of its cookies", async () => {
    const url = await published(`
      const headers = new Headers({ "transfer-encoding": "gzip", connection: "close", trailer: "x" });
      headers.append("set-cookie", "a=1"); headers.append("set-cookie", "b=2, 3; Path=/");
      return new Response("hello", { headers });`);
    const { headers, bytes } = await ask(url);
    // Of svc, which has the length only if the content comes in one piece.
    expect([undefined, "chunked"]).toContain(headers["transfer-encoding"]);
    expect([headers["set-cookie"], headers.trailer, bytes.toString()]).toEqual([
      ["a=1", "b=2, 3; Path=/"],
      undefined,
      "hello",
    ]);
  });

  it("is an error where the code makes what no response can be", async () => {
    const url = await published(
      `return new URL(request.url).search ? new Response(null, { status: 101 }) : new Response("tried");`,
    );
    expect((await ask(`${url}?101`)).status).toBe(500);
  });
});

it("raw() of SQL has all columns, also several of one name, and their names on request", async () => {
  const url = await published(
    `const statement = env.DB.prepare("SELECT 1 AS a, 'x' AS a, NULL AS b, true AS c WHERE $1").bind(true);
    const none = env.DB.prepare("SELECT 1 AS a, 2 AS b WHERE false");
    return Response.json([await statement.raw(), await statement.raw({ columnNames: true }), (await statement.all()).results,
      await none.raw(), await none.raw({ columnNames: true }), await statement.first("c")]);`,
    { bindings: [{ type: "sql", name: "DB", database: "raw" }] },
  );
  const row = [1, "x", null, true];
  expect(JSON.parse((await ask(url)).bytes.toString())).toEqual([
    [row],
    [["a", "a", "b", "c"], row],
    [{ a: "x", b: null, c: true }],
    [],
    [["a", "b"]],
    true,
  ]);
});

describe("the keys of a KV namespace", () => {
  const KEYS = ["/kv/any/keys", "base64url"] as const;
  const pathOf = (name: string) => `${KEYS[0]}/${Buffer.from(name).toString("base64url")}`;
  const ENCODED = `key_encoding=${KEYS[1]}`;

  it.each([".", "..", "a/b", "a?b#c", " ", "%2e", "ä/../ü", "\u{1f600}"])("can be %j", async (name) => {
    const put = await call(pathOf(name), { method: "PUT", body: { value: `of ${name}`, key_encoding: KEYS[1] } });
    expect(await put.json()).toMatchObject({ key: name });
    expect(await (await call(`${pathOf(name)}?${ENCODED}`)).json()).toMatchObject({ key: name, value: `of ${name}` });
    const listed = (await (await call(`${KEYS[0]}?prefix=${encodeURIComponent(name)}`)).json()) as { data: object[] };
    expect(listed.data).toMatchObject([{ key: name }]);
    expect((await call(`${pathOf(name)}?${ENCODED}`, { method: "DELETE" })).status).toBe(204);
    expect((await call(`${pathOf(name)}?${ENCODED}`)).status).toBe(404);
  });

  it.each(["Lg==", "L*", "_w", "AA", Buffer.alloc(513, "x").toString("base64url")])(
    "are refused as %j",
    async (written) => {
      const refused = await call(`${KEYS[0]}/${encodeURIComponent(written)}?${ENCODED}`);
      expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: "key" } }]);
    },
  );

  it("are in namespaces that a path can name", async () => {
    for (const namespace of [".", ".."]) {
      const bindings = [{ type: "kv", name: "KV", namespace }];
      const made = await call("/functions", { body: { name: "dots", code: "export default {}", bindings } });
      expect([made.status, await made.json()]).toMatchObject([400, {}]);
    }
  });
});

it("a cursor that a binding did not return, or returned for another list, is refused", async () => {
  await manage(test, "/v1/storage/buckets", { key, body: { name: "cursors" } });
  const url = await published(
    `for (const name of ["a1", "a2", "b1"]) { await env.KV.put(name, "x"); await env.FILES.put(name, "x"); }
    const failures = [];
    const pages = [];
    for (const list of [(options) => env.KV.list(options), (options) => env.FILES.list(options)]) {
      const { cursor } = await list({ prefix: "a", limit: 1 });
      pages.push(await list({ prefix: "a", cursor }).then((page) => (page.keys ?? page.objects).map((one) => one.name ?? one.key)));
      for (const wrong of [{ cursor: "a1" }, { prefix: "a", cursor: "made-up" }, { prefix: "b", cursor }])
        failures.push(await list(wrong).then(() => "listed", ({ message }) => message));
    }
    return Response.json({ pages, failures });`,
    {
      bindings: [
        { type: "kv", name: "KV", namespace: "cursors" },
        { type: "object", name: "FILES", bucket: "cursors" },
      ],
    },
  );
  const wrong = "This cursor does not belong to this list; start again without it.";
  expect(JSON.parse((await ask(url)).bytes.toString())).toEqual({
    pages: [["a2"], ["a2"]],
    failures: Array.from({ length: 6 }, () => wrong),
  });
});
