import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../server/cloud/compute/sandboxes/sandbox";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { eventually } from "../factories/app";
import { manage } from "../factories/calls";
import { programLayer } from "../factories/image-layers";
import { PERL_CLIENT } from "../factories/internet-double";
import { type HttpResult, type PodScene, podScene, type TenantPodClient } from "../factories/pod-scene";
import { commandOf, processTree } from "../factories/process-tree";
import { SHELL_CONFIG } from "../factories/runtime-scene";

const scene = await podScene();
const layer = await programLayer(["sh", "sleep", "cat", "ls", "mkdir", "ln", "tail", "perl", "setsid"]);
const missing = typeof scene === "string" ? scene : typeof layer === "string" ? layer : undefined;
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;
const processesSaying = (text: string) => processTree(1).filter((pid) => commandOf(pid).includes(text));
const sh = (script: string) => ["/bin/sh", "-c", script];

type Executed = Pick<Sandbox, "exit_code" | "signal" | "timed_out" | "stdout" | "stderr">;
interface Sending {
  body?: object;
  method?: string;
  headers?: Record<string, string>;
  key?: string;
}

// Most of the time is starts and ends, for which they need not wait one after another.
const TOGETHER = { concurrent: true };

describe.skipIf(missing !== undefined)(`a sandbox on a runtime of this node${skipped}`, TOGETHER, () => {
  const { test, registry, client: newClient, close } = scene as PodScene;
  const { db } = missing === undefined ? test.app.cloud : ({} as PodScene["test"]["app"]["cloud"]);
  let client: TenantPodClient;
  let image: string;
  beforeAll(async () => {
    client = await newClient();
    image = registry.add("programs", { layers: [layer as { bytes: Buffer }], config: SHELL_CONFIG }).reference;
  });
  afterAll(() => close());

  async function call<T = Sandbox>(path = "", { key = client.key, ...sent }: Sending = {}): Promise<HttpResult<T>> {
    const response = await manage(test, `/v1/sandboxes${path}`, { key, ...sent });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  }
  async function create(fields: object): Promise<Sandbox> {
    const { status, body } = await call("", { body: { image, ...fields } });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }
  const exec = async (id: string, command: string[], fields: object = {}) =>
    (await call<Executed>(`/${id}/exec`, { body: { command, ...fields } })).body;
  const eventsOf = async (id: string) => {
    const rows = await db.event.findMany({ orderBy: { sequence: "asc" }, where: { tenantId: client.tenantId } });
    return rows.filter(({ data }) => (data as { id?: string }).id === id).map(({ type }) => type);
  };
  const removed = (id: string) =>
    eventually(async () => (await db.podRun.count({ where: { podId: id, removedAt: null } })) === 0);

  it("runs a command without its secrets in the output, returns the result, and is removed and metered", async () => {
    const value = `hunter2-${randomUUID()}`;
    await manage(test, "/v1/secrets", { key: client.key, body: { name: "TOKEN", value } });
    const env = { TOKEN: { secret: "TOKEN" }, NAME: "x" };
    const made = await create({ command: sh('echo "out $NAME $TOKEN"; echo err >&2; exit 3'), env });
    const output = { stdout: "out x [redacted]\n", stderr: "err\n", truncated: false };
    expect(made).toMatchObject({
      status: "ended",
      exit_code: 3,
      signal: null,
      timed_out: false,
      ...output,
      env,
      status_reason: { code: "command_ended" },
    });
    await removed(made.id);
    await eventually(async () => (await eventsOf(made.id)).length === 2);
    expect(await eventsOf(made.id)).toEqual(["sandbox.created", "sandbox.ended"]);
    expect((await call(`/${made.id}`)).body).toMatchObject({ status: "ended", ...output });
    const { data } = (await call<{ data: Sandbox[] }>("?status=ended")).body;
    expect(data.find(({ id }) => id === made.id)).toMatchObject({ exit_code: 3, stdout: null });
    expect((await client.call<{ data: object[] }>("")).body.data).toEqual([]);
    expect((await client.call(`/${made.id}`)).status).toBe(404);
    const usage = await manage(test, "/v1/usage?group_by=service", { key: client.key });
    expect(((await usage.json()) as { data: object[] }).data).toMatchObject([{ service: "sandboxes", unit: "second" }]);
  });

  it("with secrets runs no command and shows no file for a key that may not read them", async () => {
    await manage(test, "/v1/secrets", { key: client.key, body: { name: "HELD", value: "a-held-value" } });
    const { id } = await create({ env: { HELD: { secret: "HELD" } } });
    const { key } = await client.withScopes(["sandboxes:read", "sandboxes:write"]);
    const of = async (path: string, sent: object = {}) => {
      const response = await manage(test, `/v1/sandboxes/${id}${path}`, { key, ...sent });
      return [response.status, ((await response.json()) as { error?: { details?: object } }).error?.details];
    };
    const missing = { reason: "scope_missing", scope: "secrets:reveal" };
    for (const refused of [
      await of("/exec", { body: { command: sh("echo $HELD | rev") } }),
      await of("/files?path=/proc/self/environ"),
      await of("/folder?path=/"),
      await of("/files", { method: "PUT", body: { path: "/x", content: "" } }),
    ]) {
      expect(refused).toEqual([403, missing]);
    }
    expect(await exec(id, sh("echo ok"))).toMatchObject({ stdout: "ok\n" });
  });

  it("is kept alive for further commands and files until it is deleted", async () => {
    const { id, ...made } = await create({});
    expect(made).toMatchObject({ status: "running", command: null, ended_at: null });
    const [pi, bytes] = ["π\n", Buffer.from([0, 255, 10])];
    const put = (body: object) => call<{ size: number }>(`/${id}/files`, { method: "PUT", body });
    const read = (path: string) => call<{ content: string }>(`/${id}/files?path=${encodeURIComponent(path)}`);
    expect((await put({ path: "/new/folder/a b.txt", content: pi })).body).toMatchObject({ size: 3 });
    await put({ path: "/new/bytes", content: bytes.toString("base64"), encoding: "base64" });
    expect(await exec(id, ["cat"], { stdin: "read" })).toMatchObject({ exit_code: 0, stdout: "read", stderr: "" });
    expect(await exec(id, sh('cat "/new/folder/a b.txt"; exit 2'))).toMatchObject({ exit_code: 2, stdout: pi });
    expect((await read("/new/folder/a b.txt")).body).toMatchObject({ content: pi, encoding: "utf8" });
    expect((await read("/new/bytes")).body).toMatchObject({ content: "AP8K", encoding: "base64", size: 3 });
    const listed = await call<{ data: object[] }>(`/${id}/folder?path=/new`);
    expect(listed.body.data).toEqual([
      { name: "bytes", type: "file", size: 3 },
      expect.objectContaining({ name: "folder", type: "folder" }),
    ]);
    expect(await read("/none")).toMatchObject({
      status: 404,
      body: { error: { details: { reason: "no_such_file" } } },
    });
    expect(await read("/new")).toMatchObject({ status: 422, body: { error: { details: { reason: "is_folder" } } } });
    expect((await read("new")).body.error).toMatchObject({ code: "invalid_request", param: "path" });
    expect(await exec(id, ["/no/program"])).toMatchObject({ error: { details: { reason: "start_failed" } } });
    expect((await call(`/${id}`, { method: "DELETE" })).status).toBe(204);
    expect((await call(`/${id}/exec`, { body: { command: ["ls"] } })).status).toBe(404);
    expect(await eventsOf(id)).toEqual(["sandbox.created", "sandbox.ended"]);
    const entries = await db.auditEntry.findMany({
      where: { tenantId: client.tenantId, targets: { array_contains: [{ id }] } },
    });
    const actions = [...new Set(entries.map(({ action }) => action))].sort();
    expect(actions).toEqual(["created", "deleted", "executed", "file_written"].map((verb) => `sandbox.${verb}`));
    await removed(id);
  });

  it("ends a program at its deadline with what it left in another session, and does not wait for what one leaves behind", async () => {
    const { id } = await create({});
    const away = "setsid /bin/sleep 86451 &";
    const late = await exec(id, sh(`${away} /bin/sleep 86452`), { timeout_seconds: 2 });
    expect(late).toMatchObject({ timed_out: true, exit_code: null, signal: "SIGKILL" });
    await eventually(() => processesSaying("/bin/sleep 8645").length === 0);
    const early = await exec(id, sh(`${away} echo done`), { timeout_seconds: 300 });
    expect(early).toMatchObject({ timed_out: false, exit_code: 0, stdout: "done\n" });
    await call(`/${id}`, { method: "DELETE" });
    await removed(id);
    expect(processesSaying("/bin/sleep 8645")).toEqual([]);
  });

  it("is ended when its time is over, whatever runs in it, also without a request that waits", async () => {
    const left = call("", { body: { image, name: "left", command: ["sleep", "60"] } });
    const [looped, idle] = await Promise.all([
      create({ command: sh("while :; do :; done"), timeout_seconds: 1 }),
      create({ timeout_seconds: 1 }),
    ]);
    expect(looped).toMatchObject({ status: "ended", timed_out: true, exit_code: null, signal: "SIGKILL" });
    expect(looped.status_reason).toMatchObject({ code: "timed_out" });
    await eventually(async () => (await call(`/${idle.id}`)).body.status === "ended");
    expect((await call(`/${idle.id}`)).body.status_reason).toMatchObject({ code: "timed_out" });
    // As if the process that ran its command had been killed.
    const { id } = await db.pod.findFirstOrThrow({ where: { tenantId: client.tenantId, name: "left" } });
    const leasedUntil = async () => (await db.sandbox.findUniqueOrThrow({ where: { id } })).leaseUntil;
    await eventually(async () => (await leasedUntil()) !== null);
    await db.sandbox.update({ where: { id }, data: { leaseUntil: new Date(0) } });
    expect((await left).body).toMatchObject({ status: "ended", status_reason: { code: "interrupted" } });
    expect(await exec(idle.id, ["ls"])).toMatchObject({ error: { details: { reason: "not_running" } } });
  });

  it("goes on after its command with keep_alive, and is ended when the client of its command disconnects", async () => {
    const kept = await create({ command: sh("echo x > /file"), keep_alive: true });
    expect(kept).toMatchObject({ status: "running", exit_code: 0 });
    expect(await exec(kept.id, ["cat", "/file"])).toMatchObject({ stdout: "x\n" });
    const leaving = new AbortController();
    const body = JSON.stringify({ image, name: "leaving", command: ["sleep", "60"] });
    const headers = { authorization: `Bearer ${client.key}`, "content-type": "application/json" };
    const sent = { method: "POST", headers, body, signal: leaving.signal };
    const url = "http://localhost:3000/v1/sandboxes";
    void test.app.platform.fetch(new Request(url, sent), { address: "127.0.0.1" });
    const running = async () =>
      (await call<{ data: Sandbox[] }>("?status=running")).body.data.find(({ name }) => name === "leaving");
    await eventually(async () => (await running()) !== undefined);
    const { id = "" } = (await running()) ?? {};
    leaving.abort();
    await eventually(async () => (await call(`/${id}`)).body.status === "ended");
    expect((await call(`/${id}`)).body.status_reason).toMatchObject({ code: "disconnected" });
    await call(`/${kept.id}`, { method: "DELETE" });
  });

  it("is created once with an Idempotency-Key, and each of the requests has the result", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const sent = { headers, body: { image, name: "once", command: sh("sleep 0.3; echo once") } };
    const first = call("", sent);
    const isMade = async () => (await db.pod.count({ where: { tenantId: client.tenantId, name: "once" } })) === 1;
    await eventually(isMade);
    let one = await call("", sent);
    // The record can be there a moment before its request counts as done; a client retries.
    await eventually(async () => {
      if (one.status === 409) one = await call("", sent);
      return one.status !== 409;
    });
    const two = await first;
    expect([one.status, one.body.stdout, one.body.id]).toEqual([201, "once\n", two.body.id]);
    expect(two.body.stdout).toBe("once\n");
  });

  it("counts against a quota that parallel requests do not exceed", async () => {
    const other = await newClient();
    await setQuota(test.app.account, { tenant_id: other.tenantId, resource: "sandboxes", limit: 2 });
    const all = await Promise.all(
      Array.from({ length: 4 }, () => call("", { key: other.key, body: { image, command: ["sleep", "0.5"] } })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429]);
    expect((await call("", { key: other.key, body: { image, command: ["ls"] } })).status).toBe(201);
  });

  it("is a tool for agents, which report its progress", async () => {
    const given = { image, command: sh("sleep 1.1; echo 42"), timeout_seconds: 30 };
    const params = { name: "svc_sandbox_create", arguments: given, _meta: { progressToken: 1 } };
    const response = await manage(test, "/v1/mcp", {
      key: client.key,
      headers: { accept: "application/json, text/event-stream" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    });
    const text = await response.text();
    expect(text).toContain("notifications/progress");
    const [, result = ""] = /^data: (.*"id":1.*)$/m.exec(text) ?? [];
    const { structuredContent } = (JSON.parse(result) as { result: { structuredContent: Sandbox } }).result;
    expect(structuredContent).toMatchObject({ status: "ended", exit_code: 0, stdout: "42\n" });
  });

  it("says why it could not start", async () => {
    const [unknown, noProgram] = await Promise.all([
      create({ image: `${registry.host}/no-such-image:1`, command: ["ls"] }),
      create({ command: ["/no/program"] }),
    ]);
    expect(unknown).toMatchObject({ status: "ended", exit_code: null, status_reason: { code: "image_not_found" } });
    expect(noProgram).toMatchObject({ status: "ended", exit_code: null, status_reason: { code: "start_failed" } });
  });

  describe("contains hostile code:", () => {
    it("a fork bomb and a memory bomb end at the limits of their sandbox, and others go on", async () => {
      if (!(await db.podNode.findFirstOrThrow()).limitsEnforced) return;
      const { id } = await create({});
      const bomb = "my $n = 0; while (defined(my $p = fork)) { $n++; if (!$p) { sleep 60; exit } } print qq($n\\n)";
      const [forks, memory, beside] = await Promise.all([
        create({ command: ["perl", "-e", bomb], memory_mb: 2048 }),
        create({ command: ["tail", "/dev/zero"], memory_mb: 64 }),
        exec(id, sh("echo fine")),
      ]);
      expect([forks.status, Number(forks.stdout) > 500, Number(forks.stdout) <= 1024]).toEqual(["ended", true, true]);
      expect(memory).toMatchObject({ status: "ended", signal: "SIGKILL", timed_out: false });
      expect(beside).toMatchObject({ stdout: "fine\n" });
      await call(`/${id}`, { method: "DELETE" });
    });

    it("it reaches no server of the node, no metadata, no file outside, and no other sandbox", async () => {
      const [one, two] = await Promise.all([create({}), create({ env: { CLIENT: PERL_CLIENT } })]);
      await call(`/${one.id}/files`, { method: "PUT", body: { path: "/secret", content: "of another" } });
      const connect = `socket(S,2,1,0); print connect(S,pack("S n C4 x8",2,${registry.host.split(":")[1]},127,0,0,1)) ? 1 : 0`;
      const asks = ["127.0.0.1:443", "169.254.169.254:80", "[::1]:443", "10.0.0.1:443"];
      const asked = asks.map((target) => `perl -e "$CLIENT" CONNECT ${target}`).join(";");
      const script = `perl -e '${connect}'; echo; ${asked}; ls /proc; ln -s /../../../../etc/shadow /link; cat /link /../secret`;
      const { stdout, stderr } = await exec(two.id, sh(script));
      const lines = (stdout ?? "").split("\n");
      expect(lines.slice(0, 5)).toEqual(["0", ...asks.map(() => expect.stringMatching(/ 403 /))]);
      const processes = lines.slice(5).filter((line) => /^\d+$/.test(line));
      expect(processes.length).toBeLessThan(6);
      expect(stderr).toContain("/link");
      expect(stderr).toContain("/../secret");
      const shadow = await readFile("/etc/shadow", "utf8").catch(() => "root:");
      for (const path of ["/../../etc/shadow", "/link", "/proc/1/root/../../etc/shadow"]) {
        const { body } = await call<{ content?: string }>(`/${two.id}/files?path=${encodeURIComponent(path)}`);
        expect([body.content === shadow, body.error?.code], path).toEqual([false, "not_found"]);
      }
      const stranger = await newClient();
      for (const path of [`/${one.id}`, `/${one.id}/files?path=/secret`, `/${one.id}/folder?path=/`])
        expect((await call(path, { key: stranger.key })).status).toBe(404);
      for (const { id } of [one, two]) await call(`/${id}`, { method: "DELETE" });
    });
  });
});
