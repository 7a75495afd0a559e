import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { OpenAPIHono, createRoute, z } from "@hono/zod-openapi";
import { adsTest, makeCampaign } from "../../../test/factories/ads";
import { adsManagementRows } from "../../http/ads-management.rows";
import { importProducts, ImportProducts } from "./import-products";

it("imports the real one", async () => {
  const ads = await adsTest();
  const ctx = (await ads.tenant()).key("live");
  const { id } = await makeCampaign(ctx);
  for (const mode of ["merge", "replace"]) {
    const body = Readable.toWeb(createReadStream("/work/shared/data/relevance/catalog.ndjson.gz")) as ReadableStream<Uint8Array>;
    globalThis.gc?.();
    const before = process.memoryUsage();
    let peak = 0;
    const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss); }, 20);
    const t = performance.now(); const c = process.cpuUsage();
    const r = await importProducts(ctx, { ...ImportProducts.parse({ id, mode, content_type: "application/gzip" }), body });
    clearInterval(timer);
    console.log(mode, JSON.stringify(r).slice(0, 300), Math.round(performance.now() - t), "ms cpu", process.cpuUsage(c).user / 1000, "rss before/peak MB", before.rss / 1e6, peak / 1e6);
  }
  // 400k lines, heap
  const { id: big } = await makeCampaign(ctx);
  let n = 0; let peak = 0; const base = process.memoryUsage().heapUsed;
  const body = new ReadableStream<Uint8Array>({ pull(c) {
    let s = ""; for (let i = 0; i < 200; i++, n++) s += `{"id":"${n % 20000}","title":"Boot ${n % 20000} with a somewhat longer title","link":"https://shop.example/${n}","price":"49.95 USD"}\n`;
    c.enqueue(Buffer.from(s)); peak = Math.max(peak, process.memoryUsage().heapUsed); if (n >= 200000) c.close(); } });
  const t = performance.now();
  const r = await importProducts(ctx, { ...ImportProducts.parse({ id: big, mode: "replace", content_type: "application/x-ndjson" }), body });
  console.log("200k", JSON.stringify(r), Math.round(performance.now() - t), "ms heap base/peak MB", base / 1e6, peak / 1e6);
  await ads.close();
}, 300_000);

it("openapi", () => {
  const app = new OpenAPIHono();
  for (const row of adsManagementRows) {
    const route = createRoute({ method: row.method.toLowerCase() as "get", path: row.path, request: row.method === "POST" || row.method === "PATCH" ? { body: { content: { "application/json": { schema: row.input } } } } : { query: row.input }, responses: row.status === 204 ? { 204: { description: "x" } } : { [row.status]: { description: "x", content: { "application/json": { schema: row.output } } } } } as never);
    app.openAPIRegistry.registerPath(route as never);
  }
  const doc = app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "t", version: "1" } });
  console.log(JSON.stringify(doc.paths?.["/v1/ads/campaigns"]?.post?.requestBody, null, 1).slice(0, 5000));
  console.log(JSON.stringify(doc.paths?.["/v1/ads/channels"]?.post?.requestBody));
});
