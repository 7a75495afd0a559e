import { once } from "node:events";
import { readdir } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signUp } from "../../server/identity/sign-up/sign-up";
import { eventually, makeTenant, TEST_REQUEST } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { PASSWORD } from "../factories/identity";
import { shellLayer } from "../factories/image-layers";
import { newPodClient, PodClient } from "../factories/pod-scene";
import { commandOf } from "../factories/process-tree";
import { startRegistryDouble } from "../factories/registry-double";
import { SHELL_CONFIG } from "../factories/runtime-scene";
import { servedSvc } from "../factories/served-svc";
import { TerminalClient } from "../factories/terminal-client";
import { typeLine } from "../factories/typed-line";
import { waitFor } from "../factories/wait-for";
import { missingForWorkloads } from "../factories/workload-node";

const layer = await shellLayer();
const missing = missingForWorkloads() ?? (typeof layer === "string" ? layer : undefined);
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;
const FOREVER = ["/bin/sh", "-c", 'trap "exit 0" TERM; while :; do sleep 0.05; done'];
const SECRET = "very-secret-token";

describe.skipIf(missing !== undefined)(`a terminal in a pod${skipped}`, () => {
  let svc: Awaited<ReturnType<typeof servedSvc>>;
  let registry: Awaited<ReturnType<typeof startRegistryDouble>>;
  let client: Awaited<ReturnType<typeof newPodClient>>;
  let image: string;
  let id: string;
  beforeAll(async () => {
    svc = await servedSvc({ RUNTIME: "namespaces" });
    registry = await startRegistryDouble();
    image = registry.add("shell", { layers: [layer as { bytes: Buffer }], config: SHELL_CONFIG }).reference;
    await eventually(async () => (await svc.test.app.cloud.db.podNode.count()) > 0);
    client = await newPodClient(svc.test);
    await manage(svc.test, "/v1/secrets", { key: client.key, body: { name: "TOKEN", value: SECRET } });
    const env = { TOKEN: { secret: "TOKEN" } };
    id = (await client.create({ image, command: FOREVER, env })).id;
    await client.until(id, "ready");
  });
  afterAll(async () => {
    const { db } = svc.test.app.cloud;
    await db.pod.updateMany({ where: { deletedAt: null }, data: { deletedAt: new Date() } });
    await eventually(async () => (await db.podRun.count({ where: { removedAt: null } })) === 0);
    await svc.stop();
    await registry.stop();
  });

  const urlOf = (pod: string, query = "") => `${svc.url}/v1/pods/${pod}/terminal${query}`;
  const bearer = () => ({ authorization: `Bearer ${client.key}` });
  const open = (query?: string) => TerminalClient.open(urlOf(id, query), bearer());
  const processesSaying = async (text: string) => {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
    return pids.filter((pid) => pid !== process.pid && commandOf(pid).includes(text));
  };

  it("is a shell that knows its size, is interrupted by Ctrl-C, shows no secrets, and says how it ended", async () => {
    const terminal = await open("?columns=100&rows=40");
    terminal.type('echo "$TERM $(stty size)"; sleep 4242\n');
    await terminal.until("xterm-256color 40 100\r\n");
    await waitFor(async () => expect(await processesSaying("sleep 4242")).not.toEqual([]));
    terminal.resize(132, 50);
    terminal.type("\x03");
    terminal.type('until [ "$(stty size)" = "50 132" ]; do sleep 0.01; done; echo $TOKEN; exit 7\n');
    await terminal.until("[redacted]\r\n");
    expect(await terminal.closed).toBe(1000);
    expect(terminal.messages).toEqual([{ type: "exit", code: 7, signal: null }]);
    expect(terminal.shown).not.toContain(SECRET);
    const { db } = svc.test.app.cloud;
    expect(await db.auditEntry.count({ where: { tenantId: client.tenantId, action: "pod.executed" } })).toBe(1);
  });

  it("is opened by svc pods shell, which ends as its program does", async () => {
    const { done, written, said } = typeLine(["pods", "shell", id], {
      key: client.key,
      svc: svc.url,
      input: "exit 7\n",
    });
    expect([await done, said.err]).toEqual([7, ""]);
    expect(written().toString()).toContain("exit 7\r\n");
    const ended = typeLine(["pods", "shell", "pod_none"], { key: client.key, svc: svc.url });
    expect([await ended.done, ended.said.err]).toEqual([1, expect.stringContaining("(404)")]);
  });

  it("runs another program with its arguments, whose bytes arrive unchanged", async () => {
    const program = `command=/bin/sh&command=-c&command=${encodeURIComponent("printf '\\377\\200a b'")}`;
    const terminal = await open(`?${program}`);
    await terminal.closed;
    expect(Buffer.concat(terminal.received).toString("latin1")).toBe("\xff\x80a b");
    expect(terminal.messages).toEqual([{ type: "exit", code: 0, signal: null }]);
  });

  it("holds up a program whose output is not read, which goes on when it is", async () => {
    const terminal = await open();
    const countOf = async () => {
      const { body } = await client.call<{ stdout: string }>(`/${id}/exec`, { body: { command: ["cat", "/count"] } });
      return Number(body.stdout);
    };
    terminal.type("pad=; i=0; while [ $i -lt 500 ]; do i=$((i+1)); pad=$pad''0123456789; done\n");
    terminal.type("while :; do i=$((i+1)); echo $i > /count; echo $pad; done\n");
    await terminal.until("0123456789".repeat(400));
    terminal.socket.pause();
    let before = -1;
    const held = await waitFor(
      async () => {
        const [last, count] = [before, await countOf()];
        before = count;
        expect(count).toBe(last);
        return count;
      },
      { interval: 100 },
    );
    // The buffers of the kernel for the connection, and little more.
    expect(held * 5000).toBeLessThan(32 * 1024 * 1024);
    terminal.socket.resume();
    await waitFor(async () => expect(await countOf()).toBeGreaterThan(held));
    terminal.type("\x03exit\n");
    expect(await terminal.closed).toBe(1000);
  });

  it("ends its programs when the client has gone, and ends with the pod", async () => {
    const gone = await open();
    gone.type("sleep 4343 & sleep 4344\n");
    await waitFor(async () => expect(await processesSaying("sleep 4344")).not.toEqual([]));
    gone.socket.terminate();
    await waitFor(async () => expect(await processesSaying("sleep 4344")).toEqual([]));
    const made = await client.create({ image, command: FOREVER });
    await client.until(made.id, "ready");
    const ended = await TerminalClient.open(urlOf(made.id), bearer());
    await client.call(`/${made.id}`, { method: "DELETE" });
    expect(await ended.closed).toBe(1000);
    expect(ended.messages).toEqual([{ type: "exit", code: null, signal: "SIGKILL" }]);
  });

  /** The response to a handshake that is refused. */
  async function refused(pod: string, headers: Record<string, string>) {
    const handshake = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-protocol": "terminal.svc.v1",
    };
    const sent = request(urlOf(pod), { headers: { ...handshake, ...headers } }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    let text = "";
    for await (const part of response.setEncoding("utf8")) text += part;
    const { error } = JSON.parse(text) as { error: Record<string, unknown> };
    expect(error.request_id).toBe(response.headers["x-request-id"]);
    return [response.statusCode, error.code, (error.details as { reason?: string })?.reason ?? error.param];
  }

  it("is refused like every call, before the connection becomes a terminal", async () => {
    const other = await newPodClient(svc.test);
    const reading = await makeTenant(svc.test);
    await raiseRate(svc.test, reading.tenantId);
    const readKey = await platformKey(reading, { mode: "test", scopes: ["pods:read"] });
    const stopped = await client.create({ image, command: ["/bin/sh", "-c", "exit 0"] });
    await client.until(stopped.id, "completed");
    const none = { authorization: `Bearer svc_test_${"a".repeat(48)}` };
    expect(await refused(id, none)).toEqual([401, "unauthorized", undefined]);
    expect(await refused(id, { authorization: `Bearer ${other.key}` })).toEqual([404, "not_found", undefined]);
    expect(await refused(id, { authorization: `Bearer ${readKey}` })).toEqual([403, "forbidden", "scope_missing"]);
    // The pod has a secret, which its programs can show.
    const weaker = await client.withScopes(["pods:read", "pods:write"]);
    expect(await refused(id, { authorization: `Bearer ${weaker.key}` })).toEqual([403, "forbidden", "scope_missing"]);
    expect(await refused(stopped.id, bearer())).toEqual([409, "conflict", "not_running"]);
    expect(await refused(id, { ...bearer(), "sec-websocket-protocol": "chat" })).toEqual([
      400,
      "invalid_request",
      "sec-websocket-protocol",
    ]);
    expect(await refused(id, { ...bearer(), "sec-websocket-version": "8" })).toEqual([
      400,
      "invalid_request",
      "sec-websocket-key",
    ]);
    expect(await refused(id, { ...bearer(), upgrade: "h2c" })).toEqual([400, "invalid_request", "upgrade"]);
    const plain = await fetch(urlOf(id), { headers: bearer() });
    expect([plain.status, await plain.json()]).toMatchObject([400, { error: { param: "upgrade" } }]);
    expect((await client.call(`/${id}/terminal?rows=0`)).status).toBe(400);
  });

  it("opens for the session of the dashboard, but for no page of another site", async () => {
    const visitor = { ...svc.test.app.account, request: TEST_REQUEST };
    const signedUp = await signUp.run(visitor, { email: "terminal@example.com", password: PASSWORD });
    const cookie = signedUp.cookie.split(";")[0] ?? "";
    const session = await svc.test.app.session(cookie);
    const actor = session?.actor ?? expect.fail("the sign-up opened no session");
    await raiseRate(svc.test, actor.tenantId);
    const ctx = { ...svc.test.app.ads, actor, request: TEST_REQUEST };
    const own = new PodClient(svc.test, await platformKey(ctx, { mode: "test", scopes: ["pods:read", "pods:write"] }));
    const pod = await own.create({ image, command: FOREVER });
    await own.until(pod.id, "ready");
    for (const origin of ["https://evil.example", "null", `${svc.url}.evil.example`]) {
      expect(await refused(pod.id, { cookie, origin })).toEqual([403, "forbidden", "foreign_origin"]);
    }
    expect(await refused(pod.id, { cookie })).toEqual([403, "forbidden", "foreign_origin"]);
    const terminal = await TerminalClient.open(urlOf(pod.id), { cookie, origin: svc.url });
    terminal.type("exit\n");
    expect(await terminal.closed).toBe(1000);
  });
});
