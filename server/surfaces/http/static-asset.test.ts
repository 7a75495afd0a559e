import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type AssetBytes, staticAsset } from "./static-asset";

const TEXT = "one();".repeat(1000);
const FORMS: [string, AssetBytes][] = [
  ["plain", { plain: Buffer.from(TEXT) }],
  ["zipped", { gzip: gzipSync(TEXT) }],
];

describe.each(FORMS)("a file that is kept %s", (_, bytes) => {
  const answer = staticAsset(bytes, { "content-type": "text/javascript" });
  const ask = async (headers: Record<string, string> = {}, method = "GET") =>
    answer(new Request("http://localhost/a.js", { method, headers }), { address: "127.0.0.1" });

  it.each(["gzip", "br, gzip;q=0.5", "*", "GZIP"])("is sent compressed to a client that accepts %s", async (accept) => {
    const response = await ask({ "accept-encoding": accept });
    expect([response.headers.get("content-encoding"), response.headers.get("vary")]).toEqual([
      "gzip",
      "Accept-Encoding",
    ]);
    expect(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(TEXT);
  });

  it.each(["", "br", "gzip;q=0", "identity, *;q=0", "x-gzipped"])(
    "is sent uncompressed to one that accepts %s",
    async (accept) => {
      const response = await ask({ "accept-encoding": accept });
      expect([response.headers.get("content-encoding"), await response.text()]).toEqual([null, TEXT]);
    },
  );

  it("is sent once to a browser that keeps it, each form under its own tag", async () => {
    const tags = await Promise.all(
      ["gzip", "identity"].map(async (accept) => (await ask({ "accept-encoding": accept })).headers.get("etag") ?? ""),
    );
    expect(new Set(tags).size).toBe(2);
    const again = await ask({ "accept-encoding": "gzip", "if-none-match": `"other", W/${tags[0]}` });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await ask({ "if-none-match": tags[0] ?? "" })).status).toBe(200);
  });

  it("has a length without a body for HEAD, and no other method", async () => {
    const head = await ask({}, "HEAD");
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(TEXT.length),
      "",
    ]);
    const post = await ask({}, "POST");
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("is converted into its other form once", async () => {
    const own = "plain" in bytes ? { plain: Buffer.from(bytes.plain) } : { gzip: Buffer.from(bytes.gzip) };
    const only = staticAsset(own, {});
    const accept = "plain" in own ? "gzip" : "identity";
    const bodyOf = async () =>
      (
        await only(new Request("http://localhost/a.js", { headers: { "accept-encoding": accept } }), { address: "" })
      ).arrayBuffer();
    const first = await bodyOf();
    for (const buffer of Object.values(own)) buffer.fill(0);
    expect(await bodyOf()).toEqual(first);
  });
});
