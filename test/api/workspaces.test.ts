import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Workspace } from "../../server/cloud/compute/workspaces/workspace";
import { signUp } from "../../server/identity/sign-up/sign-up";
import type { Scope } from "../../server/operation/actor";
import { eventually, TEST_REQUEST } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { PASSWORD } from "../factories/identity";
import { layerOf, programLayer } from "../factories/image-layers";
import { type HttpResult, newPodClient } from "../factories/pod-scene";
import { HTTP_SERVER } from "../factories/pod-server";
import { startRegistryDouble } from "../factories/registry-double";
import { SHELL_CONFIG } from "../factories/runtime-scene";
import { servedSvc } from "../factories/served-svc";
import { TerminalClient } from "../factories/terminal-client";
import { typeLine } from "../factories/typed-line";
import { missingForWorkloads } from "../factories/workload-node";

const shell = await programLayer(["sh", "sleep", "cat", "ls", "mkdir", "mv", "rm", "perl"]);
const missing = missingForWorkloads() ?? (typeof shell === "string" ? shell : undefined);
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;
/** No image with the real one can be pulled here: this program of that name serves HTTP and passes back WebSockets. */
const CODE_SERVER = `#!/bin/perl\n${HTTP_SERVER.replaceAll("8080", "8443")}`;
const SCOPES: Scope[] = ["workspaces:read", "workspaces:write", "billing:read"];

describe.skipIf(missing !== undefined)(`a workspace on a runtime of this node${skipped}`, () => {
  let svc: Awaited<ReturnType<typeof servedSvc>>;
  let registry: Awaited<ReturnType<typeof startRegistryDouble>>;
  let key: string;
  let cookie: string;
  let tenantId: string;
  let [plain, withEditor] = ["", ""];
  beforeAll(async () => {
    svc = await servedSvc({ RUNTIME: "namespaces" });
    registry = await startRegistryDouble();
    const editor = await layerOf([{ name: "bin/code-server", mode: 0o755, content: CODE_SERVER }]);
    const layers = [shell as { bytes: Buffer }];
    plain = registry.add("plain", { layers, config: SHELL_CONFIG }).reference;
    withEditor = registry.add("editor", { layers: [...layers, editor], config: SHELL_CONFIG }).reference;
    const visitor = { ...svc.test.app.account, request: TEST_REQUEST };
    cookie = (await signUp.run(visitor, { email: "w@example.com", password: PASSWORD })).cookie.split(";")[0] ?? "";
    const { actor } = (await svc.test.app.session(cookie)) ?? expect.fail("the sign-up opened no session");
    tenantId = actor.tenantId;
    await raiseRate(svc.test, tenantId);
    key = await platformKey({ ...svc.test.app.ads, actor, request: TEST_REQUEST }, { mode: "test", scopes: SCOPES });
    await eventually(async () => (await svc.test.app.cloud.db.podNode.count()) > 0);
  });
  afterAll(async () => {
    const { db } = svc.test.app.cloud;
    await db.pod.updateMany({ where: { deletedAt: null }, data: { deletedAt: new Date() } });
    await eventually(async () => (await db.podRun.count({ where: { removedAt: null } })) === 0);
    await svc.stop();
    await registry.stop();
  });

  interface Sending {
    body?: object;
    method?: string;
    as?: string;
  }
  async function call<T = Workspace>(path = "", { as = key, ...sent }: Sending = {}): Promise<HttpResult<T>> {
    const response = await manage(svc.test, `/v1/workspaces${path}`, { key: as, ...sent });
    const body = await response.text();
    return { status: response.status, body: body === "" ? {} : JSON.parse(body) };
  }
  async function create(fields: object): Promise<Workspace> {
    const given = { name: "w", image: plain, memory_mb: 256, disk_gb: 1, ...fields };
    const { status, body } = await call("", { body: given });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }
  const until = (id: string, status: Workspace["status"]) =>
    eventually(async () => (await call(`/${id}`)).body.status === status);
  const put = (id: string, body: object) => call<{ version: string }>(`/${id}/files`, { method: "PUT", body });
  const read = (id: string, path: string) => call<{ content: string; version: string }>(`/${id}/files?path=${path}`);
  const reasonOf = ({ status, body }: HttpResult<object>) => [status, body.error?.details?.reason ?? body.error?.code];
  const openTerminal = (id: string, headers: Record<string, string>) =>
    TerminalClient.open(`${svc.url}/v1/workspaces/${id}/terminal`, headers);
  /** The status of what refuses a WebSocket, or the first bytes after "echo" was sent on one. */
  async function upgrade(path: string, headers: http.OutgoingHttpHeaders): Promise<number | string> {
    const { host, port } = new URL(svc.url);
    const asked = {
      host,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "sec-websocket-protocol": "terminal.svc.v1",
      ...headers,
    };
    const request = http.request({ port, host: "127.0.0.1", path, headers: asked, agent: false }).end();
    return Promise.race([
      once(request, "response").then(([{ statusCode }]) => statusCode as number),
      once(request, "upgrade").then(async ([, socket]) => {
        socket.write("echo");
        const [bytes] = await once(socket, "data");
        socket.destroy();
        return String(bytes);
      }),
    ]);
  }

  it("keeps its files when it is stopped for lack of use and started again, and is metered as a workspace", async () => {
    const made = await create({ idle_timeout_seconds: 600 });
    const { id } = made;
    expect(made).toMatchObject({ status: "running", editor: "built-in", url: `${svc.url}/cloud/workspaces/${id}` });
    const written = await put(id, { path: "/workspace/src/a.txt", content: "one\n" });
    expect(written.status).toBe(200);
    const terminal = await openTerminal(id, { authorization: `Bearer ${key}` });
    terminal.type("cat src/a.txt; mv src/a.txt b.txt; exit\n");
    await terminal.until("one\r\n");
    await terminal.closed;
    svc.test.clock.advance(590_000);
    expect((await read(id, "/workspace/b.txt")).body.content).toBe("one\n");
    svc.test.clock.advance(590_000);
    expect((await call(`/${id}/exec`, { body: { command: ["ls"] } })).body).toMatchObject({ stdout: "b.txt\nsrc\n" });
    svc.test.clock.advance(600_000);
    await until(id, "stopped");
    expect((await call(`/${id}`)).body.status_reason).toMatchObject({ code: "idle" });
    expect(reasonOf(await read(id, "/workspace/b.txt"))).toEqual([409, "not_running"]);
    expect((await call(`/${id}/start`, { method: "POST" })).body).toMatchObject({ status: "running" });
    expect((await read(id, "/workspace/b.txt")).body.content).toBe("one\n");
    const line = async (verb: string, ...argv: string[]) => {
      const { done, written, said } = typeLine(["workspaces", verb, id, ...argv], { key, svc: svc.url });
      return [await done, `${said.out}${written()}`];
    };
    expect(await line("exec", "--", "/bin/sh", "-c", "cat b.txt; exit 3")).toEqual([3, "one\n"]);
    expect(await line("shell", "--", "/bin/sh", "-c", "exit 4")).toEqual([4, ""]);
    expect(await line("open")).toEqual([0, `${made.url}\n`]);
    const { db } = svc.test.app.cloud;
    const kinds = async () => {
      const events = await db.event.findMany({ orderBy: { sequence: "asc" }, where: { tenantId } });
      return events.filter(({ data }) => (data as { id?: string }).id === id).map(({ type }) => type);
    };
    await eventually(async () => (await kinds()).length === 4);
    expect((await call(`/${id}`, { method: "DELETE" })).status).toBe(204);
    const verbs = ["created", "started", "stopped", "started", "deleted"];
    expect(await kinds()).toEqual(verbs.map((verb) => `workspace.${verb}`));
    const entries = await db.auditEntry.findMany({ where: { tenantId, targets: { array_contains: [{ id }] } } });
    const actions = new Set(entries.map(({ action }) => action));
    const recorded = ["created", "deleted", "executed", "file_written", "started"];
    expect([...actions].sort()).toEqual(recorded.map((verb) => `workspace.${verb}`));
    await eventually(async () => (await db.podUsage.count({ where: { podId: id } })) === 2);
    const usage = await manage(svc.test, "/v1/usage?group_by=service", { key });
    expect(((await usage.json()) as { data: object[] }).data).toMatchObject([
      { service: "workspaces", unit: "second" },
    ]);
    expect((await call<{ data: object[] }>("")).body.data).toEqual([]);
  });

  it("notices that a file has changed meanwhile, moves and deletes files, and replaces nothing unasked", async () => {
    const { id } = await create({});
    const path = "/workspace/notes.txt";
    const { version } = (await put(id, { path, content: "a", expected_version: "none" })).body;
    expect((await read(id, path)).body).toMatchObject({ content: "a", version });
    expect((await put(id, { path, content: "b", expected_version: version })).status).toBe(200);
    for (const expected_version of [version, "none"])
      expect(reasonOf(await put(id, { path, content: "c", expected_version }))).toEqual([409, "changed"]);
    const move = (from: string, to: string) => call(`/${id}/files/move`, { body: { path: from, to } });
    expect(reasonOf(await call(`/${id}/folder`, { body: { path } }))).toEqual([409, "exists"]);
    expect((await call(`/${id}/folder`, { body: { path: "/workspace/-d/e" } })).status).toBe(201);
    expect((await move(path, "/workspace/-d/e/n.txt")).status).toBe(200);
    await put(id, { path, content: "new" });
    expect(reasonOf(await move("/workspace/-d/e/n.txt", path))).toEqual([409, "exists"]);
    expect((await call(`/${id}/files?path=/workspace/-d`, { method: "DELETE" })).status).toBe(204);
    expect((await call<{ data: object[] }>(`/${id}/folder`)).body.data).toEqual([
      { name: "notes.txt", type: "file", size: 3 },
    ]);
    const stranger = await newPodClient(svc.test);
    const own = { method: "GET", as: stranger.key };
    for (const ask of ["", `/files?path=${path}`, "/folder"])
      expect((await call(`/${id}${ask}`, own)).status).toBe(404);
    expect((await call(`/${id}/exec`, { body: { command: ["ls"] }, as: stranger.key })).status).toBe(404);
    expect(await upgrade(`/v1/workspaces/${id}/terminal`, { authorization: `Bearer ${stranger.key}` })).toBe(404);
    expect(await upgrade(`/v1/workspaces/${id}/terminal`, { cookie, origin: "https://evil.example" })).toBe(403);
    const terminal = await openTerminal(id, { cookie, origin: svc.url });
    terminal.type("cat notes.txt; exit 3\n");
    await terminal.until("new");
    expect(await terminal.closed).toBe(1000);
  });

  it("has its code-server at an origin of its own, for the session of its tenant alone", async () => {
    const { id, editor } = await create({ image: withEditor });
    expect(editor).toBe("code-server");
    const port = Number(new URL(svc.url).port);
    const host = `${id.replace("_", "-")}.workspaces.localhost:${port}`;
    const origin = `http://${host}`;
    const ask = async (path: string, headers: http.OutgoingHttpHeaders = {}, method = "GET") => {
      const request = http.request({
        port,
        host: "127.0.0.1",
        path,
        method,
        agent: false,
        headers: { host, ...headers },
      });
      const [response] = (await once(request.end(), "response")) as [IncomingMessage];
      return { status: response.statusCode, headers: response.headers, body: await text(response) };
    };
    const visit = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const link = (headers: http.OutgoingHttpHeaders, path = `/v1/workspaces/${id}/editor`) =>
      ask(path, { host: `localhost:${port}`, ...headers });
    expect((await link({ cookie })).status).toBe(401);
    expect((await link(visit)).status).toBe(401);
    expect((await link({ cookie, ...visit })).headers.location).toBe(`${origin}/_svc/begin`);
    /** The cookie of a visit of a browser, and where it is sent then. */
    const begin = async () => {
      const { headers } = await ask("/_svc/begin");
      const [proof = ""] = headers["set-cookie"] ?? [];
      expect(proof).toMatch(/^svc_workspace_visit=[^;]+; Path=\/; Max-Age=30; HttpOnly; SameSite=Lax$/);
      return { proof: proof.split(";")[0] ?? "", path: headers.location?.slice(svc.url.length) ?? "" };
    };
    const early = { "sec-purpose": "prefetch;prerender" };
    expect((await link({ cookie, ...visit, ...early })).status).toBe(503);
    expect((await ask("/_svc/begin", early)).status).toBe(503);
    const head = await ask(`/v1/workspaces/${id}/editor`, { host: `localhost:${port}`, cookie, ...visit }, "HEAD");
    expect([head.status, head.headers.allow]).toEqual([405, "GET"]);
    const { proof, path: back } = await begin();
    const { location = "" } = (await link({ cookie, ...visit }, back)).headers;
    expect(location.startsWith(`${origin}/_svc/open?ticket=`)).toBe(true);
    expect(location).not.toContain(cookie.slice("svc_session=".length));
    const entry = location.slice(origin.length);
    const otherHost = `wsp-other.workspaces.localhost:${port}`;
    expect((await ask(entry, { host: otherHost, cookie: proof })).status).toBe(401);
    // A makes the browser of B follow the link that was made for A's.
    for (const theirs of [undefined, (await begin()).proof])
      expect((await ask(entry, theirs === undefined ? {} : { cookie: theirs })).status).toBe(401);
    expect((await ask(entry, { cookie: proof, ...early })).status).toBe(503);
    const entered = await ask(entry, { cookie: proof });
    expect([entered.status, entered.headers.location]).toEqual([303, "/?folder=/workspace"]);
    const [set = ""] = entered.headers["set-cookie"] ?? [];
    expect(set).toMatch(/^svc_workspace=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    expect((await ask(entry, { cookie: proof })).status).toBe(401);
    const own = set.split(";")[0] ?? "";
    await eventually(async () => (await ask("/", { cookie: own })).status === 200);
    const page = await ask("/page?a=b", { cookie: `lang=en; ${own}`, "sec-fetch-site": "same-origin" });
    expect(page.body).toMatch(/^GET \/page\?a=b HTTP\/1\.1\r\n/);
    expect(page.body).toMatch(/^cookie: lang=en\r$/im);
    expect(page.body).not.toContain("svc_workspace");
    expect(page.headers["content-security-policy"]).toBe("frame-ancestors 'self'");
    expect((await ask("/")).status).toBe(401);
    expect((await ask("/", { cookie })).status).toBe(401);
    expect((await ask("/", { cookie: own, host: otherHost })).status).toBe(401);
    for (const foreign of [{ origin: svc.url }, { "sec-fetch-site": "same-site" }, { origin: `http://${otherHost}` }])
      expect((await ask("/", { cookie: own, ...foreign })).status).toBe(403);
    expect((await ask("/", { cookie: own }, "POST")).status).toBe(403);
    const socket = (headers: http.OutgoingHttpHeaders) => upgrade("/socket", { host, cookie: own, ...headers });
    expect([await socket({}), await socket({ origin: svc.url }), await socket({ origin })]).toEqual([403, 403, "echo"]);
    await svc.test.app.account.db.session.deleteMany();
    expect((await ask("/", { cookie: own })).status).toBe(401);
  });
});
