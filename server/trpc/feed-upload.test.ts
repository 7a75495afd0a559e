import { octetInputParser } from "@trpc/server/http";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../kernel/errors";
import { feedOf } from "./feed-upload";
import { serveTrpc } from "./serve-trpc";
import { publicProcedure, router, scoped, type TrpcCtx } from "./trpc";

const ORIGIN = "https://svc.example";
const FACTS = { requestId: "req_1", address: "203.0.113.9", userAgent: "test" };
const MEBIBYTE = 1024 * 1024;

const testRouter = router({
  upload: publicProcedure.input(octetInputParser).mutation(async ({ input }) => {
    let bytes = 0;
    for await (const chunk of input as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
    return bytes;
  }),
  guarded: scoped("ads:write")
    .input(octetInputParser)
    .mutation(() => "taken"),
  rename: publicProcedure.input(z.object({ name: z.string() })).mutation(({ input }) => input.name),
});

async function send(procedure: string, headers: Record<string, string>) {
  const request = new Request(`${ORIGIN}/api/trpc/${procedure}`, {
    method: "POST",
    headers,
    body: new Uint8Array(MEBIBYTE),
  });
  const ctx = { request: FACTS, requestHeaders: request.headers, publicOrigin: ORIGIN, account: {} };
  const response = await serveTrpc(request, testRouter, {
    facts: FACTS,
    createContext: () => ctx as unknown as TrpcCtx,
    onInternal: () => undefined,
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const FILE = { "content-type": "application/octet-stream" };

describe("a file that a page sends", () => {
  it("streams past the limit of JSON bodies", async () => {
    const { status, body } = await send("upload", { ...FILE, origin: ORIGIN });
    expect([status, body.result.data.json]).toEqual([200, MEBIBYTE]);
  });

  it("is refused from another site, as every write is", async () => {
    expect((await send("upload", { ...FILE, origin: "https://evil.example" })).status).toBe(403);
  });

  it("is refused before a byte is read when nobody is logged in", async () => {
    const { status, body } = await send("guarded", { ...FILE, origin: ORIGIN });
    expect([status, body.error.json.data.failure.code]).toEqual([401, "unauthorized"]);
  });

  it("is no way around a procedure's own input", async () => {
    expect((await send("rename", { ...FILE, origin: ORIGIN })).status).toBe(400);
  });
});

describe("what the headers of an upload say", () => {
  it("names the campaign, and merges unless they say to replace", () => {
    const headers = new Headers({ "x-svc-campaign": "cmp_01jd0z3k5q8v6w2x4y7a9b1c3d" });
    expect(feedOf(headers)).toEqual({ id: "cmp_01jd0z3k5q8v6w2x4y7a9b1c3d", mode: "merge" });
    headers.set("x-svc-feed-mode", "replace");
    expect(feedOf(headers).mode).toBe("replace");
  });

  it.each([
    ["no campaign", {}, "id"],
    ["an unknown mode", { "x-svc-campaign": "cmp_01jd0z3k5q8v6w2x4y7a9b1c3d", "x-svc-feed-mode": "wipe" }, "mode"],
  ])("is refused with %s", (_, headers, param) => {
    expect(() => feedOf(new Headers(headers))).toThrow(expect.objectContaining({ code: "invalid_request", param }));
    expect(() => feedOf(new Headers(headers))).toThrow(ServiceError);
  });
});
