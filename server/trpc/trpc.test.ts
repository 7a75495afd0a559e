import { TRPCError } from "@trpc/server";
import superjson from "superjson";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type PersonActor, type Role, scopesOfRole } from "../identity/actors/actor";
import { ERROR_STATUS, type ErrorCode, ServiceError } from "../kernel/errors";
import { serveTrpc } from "./serve-trpc";
import { publicProcedure, router, scoped, sessionProcedure, type TrpcCtx } from "./trpc";

const ORIGIN = "https://svc.example";
const FACTS = { requestId: "req_1", address: "203.0.113.9", userAgent: "test" };

const testRouter = router({
  fail: publicProcedure.input(z.object({ code: z.string() })).query(({ input }) => {
    throw new ServiceError(input.code as ErrorCode, "origins[0]: expected an origin.", {
      param: "origins[0]",
      details: { reason: "origin_shape" },
      cause: new Error("secret cause"),
    });
  }),
  crash: publicProcedure.query(() => {
    throw new Error("password=hunter2");
  }),
  crashAsTrpc: publicProcedure.query(() => {
    throw new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: "SELECT * FROM users" });
  }),
  typed: publicProcedure
    .input(z.object({ name: z.string().min(1), caps: z.array(z.object({ count: z.int() })) }))
    .query(({ input }) => input.name),
  read: publicProcedure.query(() => "read"),
  write: publicProcedure.mutation(() => "written"),
  take: publicProcedure.input(z.object({ text: z.string() })).mutation(({ input }) => input.text.length),
  mine: sessionProcedure.query(({ ctx }) => ctx.person.actor.tenantId),
  makeKey: scoped("keys:write").mutation(() => "key"),
  makeChannel: scoped("ads:write").mutation(() => "channel"),
});

const actorOf = (role: Role): PersonActor => ({
  kind: "person",
  tenantId: "tnt_1",
  userId: "usr_1",
  sessionId: "ses_1",
  role,
  scopes: scopesOfRole(role),
});

/** A context without engines: the procedures above touch none. */
const contextOf = (headers: Headers, role: Role | undefined) =>
  ({
    session: role && { actor: actorOf(role), user: {}, tenant: {} },
    account: {},
    ads: {},
    request: FACTS,
    requestHeaders: headers,
    responseHeaders: new Headers(),
    publicOrigin: ORIGIN,
    isLoopback: false,
  }) as unknown as TrpcCtx;

async function call(path: string, { input, method = "GET", headers = {}, role }: Call = {}) {
  const json = JSON.stringify(superjson.serialize(input));
  const url = `${ORIGIN}/api/trpc/${path}${method === "GET" && input ? `?input=${encodeURIComponent(json)}` : ""}`;
  const request = new Request(url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "POST" ? { body: json ?? "{}" } : {}),
  });
  const response = await serveTrpc(request, testRouter, {
    facts: FACTS,
    createContext: () => contextOf(request.headers, role),
    onInternal: () => undefined,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

interface Call {
  input?: unknown;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  role?: Role;
}

const failureIn = (answer: { body: { error: { json: { data: { failure: unknown } } } } }) =>
  answer.body.error.json.data.failure;

describe("errors", () => {
  it("keeps code, sentence, param, details and request id of every code, under its own HTTP status", async () => {
    for (const [code, status] of Object.entries(ERROR_STATUS)) {
      const answer = await call("fail", { input: { code } });
      expect([code, answer.status]).toEqual([code, status]);
      expect(failureIn(answer)).toEqual({
        code,
        message: "origins[0]: expected an origin.",
        param: "origins[0]",
        details: { reason: "origin_shape" },
        request_id: "req_1",
      });
      expect(answer.text).not.toContain("secret cause");
    }
  });

  it("never leaks the text or the stack of an unknown failure", async () => {
    for (const path of ["crash", "crashAsTrpc"]) {
      const answer = await call(path);
      expect(answer.status).toBe(500);
      expect(failureIn(answer)).toMatchObject({ code: "internal", request_id: "req_1" });
      expect(answer.text).not.toMatch(/hunter2|SELECT|trpc\.test|stack/);
    }
  });

  it("names every field that the schema refused", async () => {
    const answer = await call("typed", { input: { name: "", caps: [{ count: 1 }, { count: "x" }] } });
    expect(answer.status).toBe(400);
    expect(failureIn(answer)).toMatchObject({
      code: "invalid_request",
      param: "name",
      fields: [{ param: "name" }, { param: "caps[1].count" }],
    });
  });

  it("answers an unknown procedure with not_found", async () => {
    const answer = await call("nothing.here");
    expect(answer.status).toBe(404);
    expect(failureIn(answer)).toMatchObject({ code: "not_found" });
  });
});

describe("writes", () => {
  const write = (headers: Record<string, string>) => call("write", { method: "POST", input: {}, headers });

  it("are taken from our own pages", async () => {
    expect((await write({ origin: ORIGIN })).status).toBe(200);
    expect((await write({ "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  it("are refused from anywhere else, logged in or not", async () => {
    for (const headers of [{}, { origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const answer = await write(headers as Record<string, string>);
      expect(answer.status).toBe(403);
      expect(failureIn(answer)).toMatchObject({ code: "forbidden", details: { reason: "foreign_origin" } });
      expect((await call("makeChannel", { method: "POST", input: {}, headers, role: "owner" })).status).toBe(403);
    }
  });

  it("do not hide behind GET", async () => {
    expect((await call("write", { headers: { origin: ORIGIN } })).status).toBe(405);
  });
});

it("lets anybody read without an origin: a top-level navigation sends none", async () => {
  expect((await call("read")).status).toBe(200);
});

describe("one request", () => {
  const headers = { origin: ORIGIN, "content-type": "application/json" };
  const post = async (path: string, body: BodyInit, more: Record<string, string> = {}) => {
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { ...headers, ...more },
      body,
      duplex: "half",
    };
    const request = new Request(`${ORIGIN}/api/trpc/${path}`, init);
    const createContext = () => contextOf(request.headers, undefined);
    const options = { facts: FACTS, createContext, onInternal: () => undefined };
    const response = await serveTrpc(request, testRouter, options);
    return { status: response.status, body: await response.json() };
  };
  const textOf = (length: number) => JSON.stringify(superjson.serialize({ text: "x".repeat(length) }));

  it("may carry 200 KB", async () => {
    expect((await post("take", textOf(200_000))).status).toBe(200);
  });

  it.each([
    ["JSON", {}],
    ["a form", { "content-type": "multipart/form-data; boundary=x" }],
    ["bytes", { "content-type": "application/octet-stream" }],
  ])("is read no further than a little past 256 KiB when it is endless %s", async (_, more) => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 64 * 1024;
        controller.enqueue(Buffer.alloc(64 * 1024, " "));
      },
    });
    const { status } = await post("take", endless, more);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(pulled).toBeLessThanOrEqual(512 * 1024);
  });

  it("tells a caller what was too large, alone and in a batch", async () => {
    const alone = await post("take", textOf(300_000));
    expect(alone.status).toBe(413);
    expect(failureIn(alone)).toMatchObject({ code: "payload_too_large", request_id: "req_1" });
    const batch = await post("take,write?batch=1", JSON.stringify({ 0: JSON.parse(textOf(300_000)) }));
    expect(failureIn({ body: batch.body[0] })).toMatchObject({ code: "payload_too_large" });
  });

  it("carries at most 20 calls", async () => {
    const batch = (calls: number) => call(`${Array(calls).fill("read").join(",")}?batch=1`);
    expect((await batch(20)).status).toBe(200);
    const refused = await batch(21);
    expect(refused.status).toBe(400);
    expect(failureIn(refused)).toMatchObject({ code: "invalid_request" });
  });
});

describe("who may call", () => {
  const headers = { origin: ORIGIN };

  it("refuses a procedure for people who are logged in with 401", async () => {
    expect((await call("mine")).status).toBe(401);
    expect((await call("makeKey", { method: "POST", input: {}, headers })).status).toBe(401);
    expect((await call("mine", { role: "member" })).status).toBe(200);
  });

  it("asks each role for the scope: a member writes ads but makes no keys", async () => {
    expect((await call("makeChannel", { method: "POST", input: {}, headers, role: "member" })).status).toBe(200);
    const refused = await call("makeKey", { method: "POST", input: {}, headers, role: "member" });
    expect(refused.status).toBe(403);
    expect(failureIn(refused)).toMatchObject({ code: "forbidden", details: { scope: "keys:write" } });
    expect((await call("makeKey", { method: "POST", input: {}, headers, role: "admin" })).status).toBe(200);
  });
});

it("answers are never cached and carry the request id", async () => {
  const { headers } = await call("read");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-request-id")).toBe("req_1");
});
