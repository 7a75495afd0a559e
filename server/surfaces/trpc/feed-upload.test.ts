import { describe, expect, it } from "vitest";
import { z } from "zod";
import { importProducts } from "../../ads/products/import-products";
import { ServiceError } from "../../kernel/errors";
import type { PersonActor } from "../../operation/actor";
import { operationsOf } from "../../operation/operation";
import { parseInput } from "../../operation/parse-input";
import { feedInputOf } from "./feed-upload";
import { mutation, upload } from "./procedures";
import { serveTrpc } from "./serve-trpc";
import { router, type TrpcCtx } from "./trpc";

const ORIGIN = "https://svc.example";
const META = { requestId: "req_1", address: "203.0.113.9", userAgent: "test", isForwarded: false };
const MEBIBYTE = 1024 * 1024;

const operation = operationsOf<{ actor: PersonActor }>("test");
const shared = { id: "test", summary: "" } as const;
const file = { ...shared, input: z.strictObject({}), output: z.number(), example: { input: {}, output: 0 } } as const;

const testRouter = router({
  upload: upload(
    operation({
      ...file,
      access: "public",
      run: async (_: object, __, { body } = {}) => {
        let bytes = 0;
        for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
        return bytes;
      },
    }),
    () => ({}),
  ),
  guarded: upload(operation({ ...file, access: "ads:write", run: async () => 1 }), () => ({})),
  rename: mutation(
    operation({
      ...shared,
      access: "public",
      output: z.string(),
      example: { input: { name: "n" }, output: "n" },
      input: z.object({ name: z.string() }),
      run: async (_: object, input) => input.name,
    }),
  ),
});

const PIPELINE = { countCall: async () => [], contextOf: () => ({}) };
const UNCOUNTED = { responseHeaders: new Headers(), onCounted: () => undefined, pipeline: PIPELINE };

const feedOf = (headers: Headers) => parseInput(importProducts.input, feedInputOf(headers));

async function send(procedure: string, headers: Record<string, string>) {
  const request = new Request(`${ORIGIN}/api/trpc/${procedure}`, {
    method: "POST",
    headers,
    body: new Uint8Array(MEBIBYTE),
  });
  const ctx = { request: META, requestHeaders: request.headers, publicOrigin: ORIGIN, ...UNCOUNTED };
  const response = await serveTrpc(request, testRouter, {
    meta: META,
    createContext: () => ctx as unknown as TrpcCtx,
    onInternal: () => undefined,
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const FILE = { "content-type": "application/octet-stream" };

describe("a file that a page sends", () => {
  it("may be larger than the limit of JSON bodies", async () => {
    const { status, body } = await send("upload", { ...FILE, origin: ORIGIN });
    expect([status, body.result.data]).toEqual([200, MEBIBYTE]);
  });

  it("is rejected from another site, as every write is", async () => {
    expect((await send("upload", { ...FILE, origin: "https://evil.example" })).status).toBe(403);
  });

  it("is rejected before a byte is read when no one is logged in", async () => {
    const { status, body } = await send("guarded", { ...FILE, origin: ORIGIN });
    expect([status, body.error.data.failure.code]).toEqual([401, "unauthorized"]);
  });

  it("does not bypass a procedure's own input", async () => {
    expect((await send("rename", { ...FILE, origin: ORIGIN })).status).toBe(400);
  });
});

describe("the headers of an upload", () => {
  it("name the campaign, and merge unless the mode is replace", () => {
    const headers = new Headers({ "x-svc-campaign": "cmp_01jd0z3k5q8v6w2x4y7a9b1c3d" });
    expect(feedOf(headers)).toEqual({ id: "cmp_01jd0z3k5q8v6w2x4y7a9b1c3d", mode: "merge" });
    headers.set("x-svc-feed-mode", "replace");
    expect(feedOf(headers).mode).toBe("replace");
  });

  it.each([
    ["no campaign", {}, "id"],
    ["an unknown mode", { "x-svc-campaign": "cmp_01jd0z3k5q8v6w2x4y7a9b1c3d", "x-svc-feed-mode": "wipe" }, "mode"],
  ])("is rejected with %s", (_, headers, param) => {
    expect(() => feedOf(new Headers(headers))).toThrow(expect.objectContaining({ code: "invalid_request", param }));
    expect(() => feedOf(new Headers(headers))).toThrow(ServiceError);
  });
});
