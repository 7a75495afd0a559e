export const CODE = `export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    const cached = await env.CACHE.get(pathname);
    if (cached !== null) return new Response(cached);
    const page = \`<h1>\${pathname}</h1>\`;
    ctx.waitUntil(env.CACHE.put(pathname, page, { expirationTtl: 300 }));
    return new Response(page, { headers: { "content-type": "text/html" } });
  },
};`;

export const BINDINGS = `[
  { "type": "kv", "name": "CACHE", "namespace": "pages" },
  { "type": "object", "name": "FILES", "bucket": "my-bucket" },
  { "type": "queue", "name": "JOBS", "queue": "emails" },
  { "type": "sql", "name": "DB", "database": "shop" }
]`;

export const VARIABLES = `{
  "GREETING": "Hello",
  "SMTP_PASSWORD": { "secret": "SMTP_PASSWORD" }
}`;

export const SQL_CALLS = `const add = env.DB.prepare("INSERT INTO items (name, price) VALUES ($1, $2)");
await env.DB.batch([                                            // in one transaction
  env.DB.prepare("CREATE TABLE IF NOT EXISTS items (id serial PRIMARY KEY, name text, price numeric)"),
  add.bind("hat", 15),
  add.bind("scarf", "9.50"),
]);
const { results, meta } = await env.DB.prepare("SELECT * FROM items WHERE price < $1").bind(12).all();
await env.DB.prepare("SELECT 1 AS a, 2 AS a").raw({ columnNames: true });   // [["a", "a"], [1, 2]]
await env.DB.prepare("SELECT count(*) AS n FROM items").first("n");   // without a name the first row, or null
await env.DB.prepare("DELETE FROM items WHERE id = $1").bind(1).run();  // { results, success, meta: { changes, duration } }`;

export const KV_REST = `curl -X PUT "$SVC_URL/v1/edge/kv/pages/keys/user%2F42" -H "Authorization: Bearer $SVC_API_KEY" \\
  -H "Content-Type: application/json" -d '{"value": "Ada", "ttl_seconds": 3600}'
curl "$SVC_URL/v1/edge/kv/pages/keys?prefix=user/" -H "Authorization: Bearer $SVC_API_KEY"
curl "$SVC_URL/v1/edge/kv/pages/keys/Li4?key_encoding=base64url" -H "Authorization: Bearer $SVC_API_KEY"   # the key ..`;

export const BINDING_CALLS = `// A KV namespace
await env.CACHE.put("key", "text", { expirationTtl: 3600 });   // or { expiration: seconds since 1970 }
await env.CACHE.get("key");                                     // null: there is no such key
await env.CACHE.get("key", "json");                             // or "arrayBuffer", "stream"
await env.CACHE.list({ prefix: "user/", limit: 100 });          // { keys: [{ name, expiration? }], list_complete, cursor }
await env.CACHE.delete("key");

// A bucket
await env.FILES.put("a/b.png", request.body, { contentType: "image/png" });
const file = await env.FILES.get("a/b.png");                    // null, or { key, size, etag, contentType, uploaded, body }
await file.text();                                              // or json(), arrayBuffer()
await env.FILES.list({ prefix: "a/", delimiter: "/" });         // { objects, prefixes, cursor }
await env.FILES.delete("a/b.png");

// A queue
await env.JOBS.send({ to: "ada@example.com" }, { groupId: "user-42", delaySeconds: 10 });
await env.JOBS.sendBatch([{ body: "one" }, { body: "two" }]);`;

export const DEPLOY = `svc edge deploy hello --file hello.js
svc edge logs hello --follow
svc edge rollback hello --version 1`;
