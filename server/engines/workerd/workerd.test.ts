import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { INTERNET, INTERNET_NAME } from "../../../test/factories/internet-double";
import { openForFile } from "../../../test/factories/open-for-file";
import { WORKERD_LIMITS } from "./limits";
import type { WorkerCall, WorkerReply } from "./worker-call";
import { Workerd } from "./workerd";

const MIB = 1024 ** 2;
const dir = fileFolder("svc-workerd-");
const workerd = await openForFile(
  new Workerd({
    rootDir: process.cwd(),
    dir,
    network: INTERNET,
    limits: { residentBytesMax: 300 * MIB },
    log: { info: () => undefined, warn: () => undefined },
  }),
);

/** Calls a worker whose `fetch` has this body. */
const call = (body: string, more: Partial<WorkerCall> = {}): Promise<WorkerReply> =>
  workerd.call({
    group: "one",
    tenant: "one",
    worker: body,
    timeoutMs: 10_000,
    bodyBytesMax: 1000,
    load: async () => codeOf(`export default { async fetch(request) {${body}} };`),
    request: { method: "POST", path: "/path?query", headers: { "x-name": "value" }, body: "text" },
    ...more,
  });

const codeOf = (main: string) => ({
  mainModule: "main.js",
  modules: { "main.js": main },
  compatibilityDate: "2026-11-01",
  outbound: true,
});

const textOf = async (reply: Promise<WorkerReply>): Promise<string> => (await reply).body.toString();

const LOOP = `
  import { env } from "cloudflare:workers";
  export default {
    async fetch() {
      await env.SVC.fetch("http://svc/", { method: "POST" });
      for (;;);
    }
  };`;
const HOLD = `
  import { env } from "cloudflare:workers";
  export default { fetch: () => env.SVC.fetch("http://svc/", { method: "POST" }) };`;
const READY = `return new Response("ready");`;

describe("workers", () => {
  it("receive a request and send a response", async () => {
    const reply = await call(`
      const { method, url, headers } = request;
      const body = [method, url, headers.get("x-name"), await request.text()].join(" ");
      return new Response(body, { status: 201, headers: { "x-reply": "yes" } });`);
    expect(reply.body.toString()).toBe("POST http://worker/path?query value text");
    expect(reply.status).toBe(201);
    expect(reply.headers).toContainEqual(["x-reply", "yes"]);
  });

  it("fail with the line of an error of syntax, the error that they throw, a late end and a long response", async () => {
    const source = "export default {\n  fetch() { return 5 +; }\n}";
    const load = async () => codeOf(source);
    await expect(call(source, { load })).rejects.toMatchObject({
      reason: "load_failed",
      message: expect.stringMatching(/main\.js:2:\d/),
    });
    await expect(call(`throw new TypeError("no");`)).rejects.toMatchObject({ reason: "threw", message: "no" });
    const late = call("await new Promise((resolve) => setTimeout(resolve, 60_000));", { timeoutMs: 50 });
    await expect(late).rejects.toMatchObject({ reason: "timed_out" });
    await expect(call(`return new Response("x".repeat(1001));`)).rejects.toMatchObject({
      reason: "response_too_large",
    });
    expect(await textOf(call(READY))).toBe("ready");
  });

  it("reach public addresses, and neither this machine, other ports, files nor a socket of svc", async () => {
    const sends = `
      const urls = JSON.parse(await request.text());
      const responses = urls.map((url) => fetch(url).then((response) => response.status, (cause) => cause.name));
      return Response.json(await Promise.all(responses));`;
    const urls = [
      `http://${INTERNET_NAME}/found`,
      `http://${INTERNET_NAME}:22/`,
      "http://127.0.0.1:80/",
      "http://[::1]/",
      "http://169.254.169.254/latest/meta-data/",
      "http://10.0.0.1/",
      "https://localhost/",
      "file:///etc/passwd",
    ];
    const request = { method: "POST", path: "/", headers: {}, body: JSON.stringify(urls) };
    const statuses = JSON.parse(await textOf(call(sends, { request })));
    expect(statuses).toEqual([200, 403, 403, 403, 403, 403, 502, "TypeError"]);
    const escapes = `
      const { connect } = await import("cloudflare:sockets");
      const { readFileSync } = await import("node:fs");
      const { execSync } = await import("node:child_process");
      const tries = [
        async () => connect("127.0.0.1:22").opened,
        async () => readFileSync("/etc/passwd"),
        async () => readFileSync("/proc/self/environ"),
        async () => execSync("id"),
        async () => import("workerd:unsafe"),
      ];
      const outcomes = tries.map((attempt) => attempt().then(() => "escaped", () => "failed"));
      return Response.json(await Promise.all(outcomes));`;
    expect(JSON.parse(await textOf(call(escapes)))).toEqual(Array(5).fill("failed"));
  });

  it("ask svc for something in their own name only, and send the parts of a response as they become ready", async () => {
    const asks = `
      import { env } from "cloudflare:workers";
      export default {
        async fetch(request) {
          const response = await env.SVC.fetch("http://svc/another", { method: "POST", body: await request.text() });
          const { readable, writable } = new TransformStream();
          const writer = writable.getWriter();
          const parts = async () => {
            await writer.write(new TextEncoder().encode(await response.text()));
            await new Promise((resolve) => setTimeout(resolve, 300));
            await writer.write(new TextEncoder().encode(new URL(request.url).origin));
            await writer.close();
          };
          void parts();
          return new Response(readable);
        }
      };`;
    const parts: string[] = [];
    const ask = (worker: string) =>
      call("", {
        worker,
        load: async () => ({ ...codeOf(asks), asksSvc: true }),
        request: { method: "POST", origin: "https://a.example", path: "/", headers: {}, body: "asked" },
        respond: async (request) => Buffer.from(`${worker} ${request.toString()}`),
        receive: async (part) => void parts.push(part.toString()),
      });
    await ask("asking");
    expect(parts).toEqual(["asking asked", "https://a.example"]);
    await ask("other");
    expect(parts).toEqual(expect.arrayContaining(["other asked"]));
  });

  it("that never end are ended within 2 seconds, and the calls that waited behind them run", async () => {
    await call(READY);
    const elsewhere = call("await new Promise((resolve) => setTimeout(resolve, 2500)); return new Response();", {
      group: "two",
    });
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const loop = call("", {
      worker: "loop",
      load: async () => ({ ...codeOf(LOOP), asksSvc: true }),
      respond: async () => {
        begin();
        return Buffer.alloc(0);
      },
    });
    // A call that begins beside it could be the one that blocks the process.
    await begun;
    await sleep(200);
    await expect
      .poll(() => Promise.race([call(READY, { timeoutMs: 30 }).catch(({ reason }) => reason)]))
      .toBe("timed_out");
    const waiting = call(READY);
    await expect(loop).rejects.toMatchObject({
      reason: "blocked",
      message: expect.stringContaining(`${WORKERD_LIMITS.blockedMs} ms`),
    });
    expect(await textOf(waiting)).toBe("ready");
    expect((await elsewhere).status).toBe(200);
  });

  it("that use too much memory are ended, on the heap and beside it", async () => {
    // It is full long before the time ends in which a worker may block its process, also on a slow machine.
    const heap = "const kept = []; for (;;) kept.push(new Array(1e6).fill(kept.length));";
    const buffers =
      "const kept = []; for (;;) { kept.push(new Uint8Array(8e6).fill(1)); await new Promise((resolve) => setTimeout(resolve)); }";
    // On a busy machine it takes long to fill the memory.
    const timeoutMs = 120_000;
    await Promise.all(
      [heap, buffers].map((body, group) =>
        expect(call(body, { group: `bomb ${group}`, timeoutMs })).rejects.toMatchObject({ reason: "out_of_memory" }),
      ),
    );
    expect(await textOf(call(READY, { group: "bomb 0" }))).toBe("ready");
  });

  it("of a tenant with calls in many projects leave processes to others, and its own wait in its own queue", async () => {
    const few = new Workerd({
      rootDir: process.cwd(),
      dir: path.join(dir, "few"),
      network: INTERNET,
      limits: { processesMax: 4, placesWaitingMax: 1, placeWaitMs: 60_000 },
      log: { info: () => undefined, warn: () => undefined },
    });
    let end: (body: Buffer) => void = () => undefined;
    const ended = new Promise<Buffer>((resolve) => {
      end = resolve;
    });
    let begun = 0;
    const hold = (group: string) =>
      few.call({
        group,
        tenant: "greedy",
        worker: group,
        timeoutMs: 60_000,
        bodyBytesMax: 1000,
        load: async () => ({ ...codeOf(HOLD), asksSvc: true }),
        request: { method: "POST", path: "/", headers: {}, body: "" },
        respond: () => {
          begun++;
          return ended;
        },
      });
    const run = (tenant: string) =>
      few.call({
        group: `of ${tenant}`,
        tenant,
        worker: "ready",
        timeoutMs: 10_000,
        bodyBytesMax: 1000,
        load: async () => codeOf(`export default { async fetch(request) {${READY}} };`),
        request: { method: "POST", path: "/", headers: {}, body: "" },
      });
    try {
      const held = [hold("first"), hold("second")];
      await expect.poll(() => begun).toBe(2);
      const waiting = hold("third");
      await expect(hold("fourth")).rejects.toMatchObject({ reason: "busy" });
      // More tenants than there is room for, one after the other: the least recently used process ends for each.
      for (const tenant of ["a", "b", "c", "d"]) expect((await run(tenant)).body.toString()).toBe("ready");
      end(Buffer.from("done"));
      const bodies = (await Promise.all([...held, waiting])).map(({ body }) => body.toString());
      expect(bodies).toEqual(["done", "done", "done"]);
    } finally {
      await few.close();
      await rm(path.join(dir, "few"), { recursive: true });
    }
  });

  it("leave nothing when they end", async () => {
    await workerd.close();
    expect(await readdir(dir)).toEqual([]);
    await expect(call(READY, { group: "after" })).rejects.toMatchObject({ reason: "unavailable" });
  });
});
