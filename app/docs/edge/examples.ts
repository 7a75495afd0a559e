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
  { "type": "queue", "name": "JOBS", "queue": "emails" }
]`;

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
