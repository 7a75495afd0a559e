import { TRPCError } from "@trpc/server";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ERROR_STATUS, type ErrorCode, ServiceError } from "../../kernel/errors";
import { type PersonActor, type Role, scopesOfRole } from "../../operation/actor";
import { operationsOf } from "../../operation/operation";
import { mutation, query } from "./procedures";
import { serveTrpc } from "./serve-trpc";
import { router, type TrpcCtx } from "./trpc";

const ORIGIN = "https://svc.example";
const META = { requestId: "req_1", address: "203.0.113.9", userAgent: "test", isForwarded: false };

const operation = operationsOf<{ actor: PersonActor }>("test");
const shared = { id: "test", summary: "", example: { input: {}, output: "" } } as const;
const open = { ...shared, access: "public" } as const;
const nothing = z.strictObject({});

const testRouter = router({
  fail: query(
    operation({
      ...open,
      input: z.object({ code: z.string() }),
      output: z.string(),
      example: { input: { code: "internal" }, output: "" },
      run: async (_: object, input): Promise<string> => {
        throw new ServiceError(input.code as ErrorCode, "origins[0]: expected an origin.", {
          param: "origins[0]",
          details: { reason: "origin_shape" },
          cause: new Error("secret cause"),
        });
      },
    }),
  ),
  crash: query(
    operation({
      ...open,
      input: nothing,
      output: z.string(),
      run: async (): Promise<string> => {
        throw new Error("password=hunter2");
      },
    }),
  ),
  crashAsTrpc: query(
    operation({
      ...open,
      input: nothing,
      output: z.string(),
      run: async (): Promise<string> => {
        throw new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: "SELECT * FROM users" });
      },
    }),
  ),
  typed: query(
    operation({
      ...open,
      input: z.object({ name: z.string().min(1), caps: z.array(z.object({ count: z.int() })) }),
      output: z.string(),
      example: { input: { name: "n", caps: [] }, output: "n" },
      run: async (_: object, input) => input.name,
    }),
  ),
  read: query(operation({ ...open, input: nothing, output: z.string(), run: async () => "read" })),
  write: mutation(operation({ ...open, input: nothing, output: z.string(), run: async () => "written" })),
  take: mutation(
    operation({
      ...open,
      input: z.object({ text: z.string() }),
      output: z.number(),
      example: { input: { text: "" }, output: 0 },
      run: async (_: object, input) => input.text.length,
    }),
  ),
  mine: query(
    operation({
      ...shared,
      access: "person",
      input: nothing,
      output: z.string(),
      run: async ({ actor }: { actor: PersonActor }) => actor.tenantId,
    }),
  ),
  makeKey: mutation(
    operation({ ...shared, access: "keys:write", input: nothing, output: z.string(), run: async () => "key" }),
  ),
  makeChannel: mutation(
    operation({ ...shared, access: "ads:write", input: nothing, output: z.string(), run: async () => "channel" }),
  ),
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
    pipeline: { countCall: async () => [], contextOf: (_: unknown, { actor }: { actor: unknown }) => ({ actor }) },
    onCounted: () => undefined,
    request: META,
    requestHeaders: headers,
    responseHeaders: new Headers(),
    publicOrigin: ORIGIN,
  }) as unknown as TrpcCtx;

async function call(path: string, { input, method = "GET", headers = {}, role }: Call = {}) {
  const json = JSON.stringify(input);
  const url = `${ORIGIN}/api/trpc/${path}${method === "GET" && input ? `?input=${encodeURIComponent(json)}` : ""}`;
  const request = new Request(url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "POST" ? { body: json ?? "{}" } : {}),
  });
  const response = await serveTrpc(request, testRouter, {
    meta: META,
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

const failureIn = (answer: { body: { error: { data: { failure: unknown } } } }) => answer.body.error.data.failure;

describe("errors", () => {
  it("keeps code, message, param, details and request id of every code, with its HTTP status", async () => {
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

  it("never returns the message or the stack of an unknown failure", async () => {
    for (const path of ["crash", "crashAsTrpc"]) {
      const answer = await call(path);
      expect(answer.status).toBe(500);
      expect(failureIn(answer)).toMatchObject({ code: "internal", request_id: "req_1" });
      expect(answer.text).not.toMatch(/hunter2|SELECT|trpc\.test|stack/);
    }
  });

  it("names every invalid field", async () => {
    const answer = await call("typed", { input: { name: "", caps: [{ count: 1 }, { count: "x" }] } });
    expect(answer.status).toBe(400);
    expect(failureIn(answer)).toMatchObject({
      code: "invalid_request",
      param: "name",
      fields: [{ param: "name" }, { param: "caps[1].count" }],
    });
  });

  it("returns not_found for an unknown procedure", async () => {
    const answer = await call("nothing.here");
    expect(answer.status).toBe(404);
    expect(failureIn(answer)).toMatchObject({ code: "not_found" });
  });
});

describe("writes", () => {
  const write = (headers: Record<string, string>) => call("write", { method: "POST", input: {}, headers });

  it("are accepted from svc's own pages", async () => {
    expect((await write({ origin: ORIGIN })).status).toBe(200);
    expect((await write({ "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  it("are rejected from anywhere else, logged in or not", async () => {
    for (const headers of [{}, { origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const answer = await write(headers as Record<string, string>);
      expect(answer.status).toBe(403);
      expect(failureIn(answer)).toMatchObject({ code: "forbidden", details: { reason: "foreign_origin" } });
      expect((await call("makeChannel", { method: "POST", input: {}, headers, role: "owner" })).status).toBe(403);
    }
  });

  it("cannot be sent with GET", async () => {
    expect((await call("write", { headers: { origin: ORIGIN } })).status).toBe(405);
  });
});

it("allows reads without an origin: a top-level navigation sends none", async () => {
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
    const options = { meta: META, createContext, onInternal: () => undefined };
    const response = await serveTrpc(request, testRouter, options);
    return { status: response.status, body: await response.json() };
  };
  const textOf = (length: number) => JSON.stringify({ text: "x".repeat(length) });

  it("may carry 200 KB", async () => {
    expect((await post("take", textOf(200_000))).status).toBe(200);
  });

  it.each([
    ["JSON", {}],
    ["a form", { "content-type": "multipart/form-data; boundary=x" }],
    ["bytes", { "content-type": "application/octet-stream" }],
  ])("is read up to a little more than 256 KiB when it is endless %s", async (_, more) => {
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

  it("that its client aborts fails as such, and not as an unavailable database", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
    });
    const { status, body } = await post("take", broken);
    expect(status).toBe(400);
    expect(failureIn({ body })).toMatchObject({ code: "invalid_request", details: { reason: "client_closed" } });
  });

  it("has a method that the dashboard uses", async () => {
    const request = new Request(`${ORIGIN}/api/trpc/take`, { method: "PUT", headers, body: "{}" });
    const createContext = () => contextOf(request.headers, undefined);
    const response = await serveTrpc(request, testRouter, { meta: META, createContext, onInternal: () => undefined });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });

  it("names what was too large, alone and in a batch", async () => {
    const alone = await post("take", textOf(300_000));
    expect(alone.status).toBe(413);
    expect(failureIn(alone)).toMatchObject({ code: "payload_too_large", request_id: "req_1" });
    const batch = await post("take,write?batch=1", JSON.stringify({ 0: JSON.parse(textOf(300_000)) }));
    expect(failureIn({ body: batch.body[0] })).toMatchObject({ code: "payload_too_large" });
  });

  it("contains at most 20 calls", async () => {
    const batch = (calls: number) => call(`${Array(calls).fill("read").join(",")}?batch=1`);
    expect((await batch(20)).status).toBe(200);
    const refused = await batch(21);
    expect(refused.status).toBe(400);
    expect(failureIn(refused)).toMatchObject({ code: "invalid_request" });
  });
});

describe("who may call", () => {
  const headers = { origin: ORIGIN };

  it("returns 401 for a procedure that requires a login", async () => {
    expect((await call("mine")).status).toBe(401);
    expect((await call("makeKey", { method: "POST", input: {}, headers })).status).toBe(401);
    expect((await call("mine", { role: "member" })).status).toBe(200);
  });

  it("checks the scopes of each role: a member changes ads but creates no keys", async () => {
    expect((await call("makeChannel", { method: "POST", input: {}, headers, role: "member" })).status).toBe(200);
    const refused = await call("makeKey", { method: "POST", input: {}, headers, role: "member" });
    expect(refused.status).toBe(403);
    expect(failureIn(refused)).toMatchObject({ code: "forbidden", details: { scope: "keys:write" } });
    expect((await call("makeKey", { method: "POST", input: {}, headers, role: "admin" })).status).toBe(200);
  });
});

it("responses are never cached and have the request id", async () => {
  const { headers } = await call("read");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-request-id")).toBe("req_1");
});
