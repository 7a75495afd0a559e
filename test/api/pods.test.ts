import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import { eventually } from "../factories/app";
import { manage } from "../factories/calls";
import { shellLayer } from "../factories/image-layers";
import { type PodClient, type PodScene, podScene, type TenantPodClient } from "../factories/pod-scene";
import { startRegistryDouble } from "../factories/registry-double";
import { SHELL_CONFIG } from "../factories/runtime-scene";

const scene = await podScene();
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";
const LOOP = "while :; do sleep 0.05; done";
/** The first process of a container ignores signals that it does not handle. */
const REVEAL_MISSING = { reason: "scope_missing", scope: "secrets:reveal" };
const FOREVER = `trap "exit 0" TERM; ${LOOP}`;
const sh = (script: string) => ["/bin/sh", "-c", script];

describe.skipIf(skipped)(`a pod on a runtime of this node${skipped}`, () => {
  const { test, shell, registry, client: newClient, close } = scene as PodScene;
  let client: TenantPodClient;
  beforeAll(async () => {
    client = await newClient();
  });
  afterAll(() => close());

  const { db } = skipped ? ({} as PodScene["test"]["app"]["cloud"]) : test.app.cloud;
  const typesOf = async (id: string) => {
    const rows = await db.event.findMany({ orderBy: { sequence: "asc" }, where: { tenantId: client.tenantId } });
    const of = ({ data }: { data: unknown }) => data as { id?: string; pod_id?: string };
    return rows.filter((row) => of(row).id === id || of(row).pod_id === id).map(({ type }) => type);
  };
  const usageOf = (podId: string) => db.podUsage.findMany({ where: { podId } });

  it("runs the image's process, shows its output, and is metered by the second", async () => {
    const made = await client.create({
      image: shell,
      command: sh("echo hello from $NAME; sleep 1.2"),
      env: { NAME: "pod" },
    });
    expect(made).toMatchObject({ status: "pending", runs: 1, simulated: false, gpu: null, region: null, exit: null });
    const done = await client.until(made.id, "completed");
    expect(done).toMatchObject({ exit: { code: 0, signal: null, oom_killed: false }, status_reason: null });
    expect(done.runtime).toMatchObject({ kind: "namespaces", gpu: "none" });
    expect(await client.logs(made.id)).toBe("hello from pod\n");
    const [used, ...more] = await usageOf(made.id);
    expect([used?.from, used?.to, more]).toEqual([new Date(done.started_at ?? 0), new Date(done.stopped_at ?? 0), []]);
    const ms = (used?.to.getTime() ?? 0) - (used?.from.getTime() ?? 0);
    expect(ms).toBeGreaterThan(1000);
    expect([used?.seconds, done.metered_seconds]).toEqual([Math.ceil(ms / 1000), Math.ceil(ms / 1000)]);
    expect(await typesOf(made.id)).toEqual(["pod.created", "pod.ready", "pod.completed"]);
  });

  it("is stopped with SIGTERM to all its processes, which have time to end, and can be started again", async () => {
    const child = `(trap "sleep 0.2; echo child saved; exit" TERM; echo up; ${LOOP})`;
    const { id } = await client.create({
      image: shell,
      command: sh(`trap "echo parent" TERM; ${child} & wait; wait; exit 3`),
    });
    await client.until(id, "ready");
    await client.said(id, "up");
    const stopping = await client.call(`/${id}/stop`, { method: "POST" });
    expect([stopping.status, stopping.body.status]).toEqual([200, "stopping"]);
    expect((await client.call(`/${id}/stop`, { method: "POST" })).body.status).toBe("stopping");
    const conflict = await client.call(`/${id}/start`, { method: "POST" });
    expect(conflict).toMatchObject({ status: 409, body: { error: { details: { reason: "stopping" } } } });
    const stopped = await client.until(id, "stopped");
    expect(stopped).toMatchObject({ exit: { code: 3 }, status_reason: { code: "stop_requested" } });
    // A shell says "Terminated" of a program that the signal ended.
    const lines = (await client.logs(id)).split("\n").filter((line) => line !== "Terminated");
    expect(lines.sort()).toEqual(["", "child saved", "parent", "up"]);
    expect((await client.call(`/${id}/stop`, { method: "POST" })).body.status).toBe("stopped");

    const again = await client.call(`/${id}/start`, { method: "POST" });
    expect(again.body).toMatchObject({ status: "pending", runs: 2, exit: null, stopped_at: null });
    expect(await client.until(id, "ready")).toMatchObject({ runs: 2 });
    await client.said(id, "up");
    expect(await client.logs(id)).toBe("up\n");
    await client.call(`/${id}/stop`, { method: "POST" });
    const twice = await client.until(id, "stopped");
    const used = await usageOf(id);
    expect(used.map(({ runId }) => runId).sort()).toEqual([`${id}-1`, `${id}-2`]);
    expect(twice.metered_seconds).toBe(used.reduce((sum, { seconds }) => sum + seconds, 0));
  });

  it("fails with its exit code, the signal that ended it, or the limit that it exceeded", async () => {
    const failed = await client.create({
      image: shell,
      command: sh("echo broken; exit 7"),
      labels: { job: "training" },
    });
    expect(await client.until(failed.id, "failed")).toMatchObject({
      exit: { code: 7 },
      status_reason: { code: "exit_code", message: "The process ended with exit code 7." },
    });
    expect(await typesOf(failed.id)).toEqual(["pod.created", "pod.ready", "pod.failed", "training.run.failed"]);
    const trained = await client.create({ image: shell, labels: { job: "training" } });
    await client.until(trained.id, "completed");
    expect((await typesOf(trained.id)).at(-1)).toBe("training.run.completed");
    const limits = test.app.cloud.db.podNode.findFirstOrThrow();
    if (!(await limits).limitsEnforced) return;
    const hungry = await client.create({ image: shell, command: ["tail", "/dev/zero"], memory_mb: 64 });
    expect(await client.until(hungry.id, "failed")).toMatchObject({
      exit: { code: null, signal: "SIGKILL", oom_killed: true },
      status_reason: { code: "out_of_memory" },
    });
  });

  it("fails with the reason of the runtime if its image or program does not exist", async () => {
    const unknown = await client.create({ image: `${registry.host}/no-such-image:1`, labels: { job: "training" } });
    const failed = await client.until(unknown.id, "failed");
    expect(failed).toMatchObject({ status_reason: { code: "image_not_found" }, exit: null, metered_seconds: 0 });
    expect(failed.status_reason?.message).toContain("no-such-image");
    expect(await usageOf(unknown.id)).toEqual([]);
    const noProgram = await client.create({ image: shell, command: ["/bin/no-such-program"] });
    expect((await client.until(noProgram.id, "failed")).status_reason?.message).toContain("/bin/no-such-program");
    const { body } = await client.call("", { body: { image: "Not An Image" } });
    expect(body.error).toMatchObject({ code: "invalid_request", param: "image" });
  });

  it("receives secrets, which are in no record and are redacted in its output, also in parts of it", async () => {
    const value = `hunter2-${randomUUID()}`;
    await manage(test, "/v1/secrets", { key: client.key, body: { name: "TOKEN", value } });
    const env = { TOKEN: { secret: "TOKEN" }, PLAIN: "visible" };
    const { id } = await client.create({ image: shell, command: sh(`echo "<$TOKEN> $PLAIN"; ${FOREVER}`), env });
    await client.said(id, "visible");
    expect(await client.logs(id)).toBe("<[redacted]> visible\n");
    // A tail that begins within the value.
    const tail = await client.call<{ text: string }>(`/${id}/logs?tail_bytes=${"> visible\n".length + 20}`);
    expect(tail.body.text).not.toContain(value.slice(-20));
    expect(tail.body.text).toContain("> visible\n");
    const pod = await client.get(id);
    expect(pod.env).toEqual(env);
    const rows = [
      await db.pod.findMany(),
      await db.podRun.findMany(),
      await db.event.findMany(),
      await db.auditEntry.findMany(),
    ];
    const stored = JSON.stringify(rows, (_, part) => (typeof part === "bigint" ? String(part) : part));
    expect(stored).not.toContain(value);
    const missing = await client.call("", { body: { image: shell, env: { X: { secret: "NONE" } } } });
    expect(missing).toMatchObject({ status: 422, body: { error: { details: { reason: "no_such_secret" } } } });
    await client.call(`/${id}`, { method: "DELETE" });
  });

  it("runs a private image with credentials of its registry, which it never sees", async () => {
    const credentials = { username: "ada", password: "token-of-a-registry" };
    const closed = await startRegistryDouble({ auth: "basic", credentials });
    const layer = await shellLayer();
    if (typeof layer === "string") throw new Error(layer);
    const { reference: image } = closed.add("private", { layers: [layer], config: SHELL_CONFIG });
    await manage(test, "/v1/secrets", { key: client.key, body: { name: "REGISTRY", value: credentials.password } });
    const command = sh("env; cat /proc/self/environ");
    const without = await client.create({ image, command });
    expect((await client.until(without.id, "failed")).status_reason?.code).toBe("registry_unauthorized");
    const registry_credentials = { username: "ada", password: { secret: "REGISTRY" } };
    const { id } = await client.create({ image, command, registry_credentials });
    expect(await client.until(id, "completed")).toMatchObject({ registry_credentials });
    expect(await client.logs(id)).not.toContain(credentials.password);
    // Its layers are on the node by now; who may not read it in the registry cannot run it.
    const again = await client.create({ image, command });
    expect((await client.until(again.id, "failed")).status_reason?.code).toBe("registry_unauthorized");
    await closed.stop();
  });

  it("can be followed while it runs, to its end", async () => {
    const { id } = await client.create({ image: shell, command: sh("echo one; sleep 0.5; echo two") });
    await client.until(id, "ready");
    const response = await manage(test, `/v1/pods/${id}/logs?follow=true`, { key: client.key });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = (await response.text())
      .split("\n\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line.slice(6)));
    expect(events.at(-1)).toEqual({ ended: true });
    expect(events.map(({ text = "" }) => text).join("")).toBe("one\ntwo\n");
  });

  it("has a timeline of what happened", async () => {
    const { id } = await client.create({ image: shell, gpu: "h100", gpu_count: 2 });
    await client.until(id, "completed");
    const { body } = await client.call<{ data: { type: string }[] }>(`/${id}/events`);
    expect(body.data.map(({ type }) => type)).toEqual(["completed", "ready", "placed", "created"]);
    const page = await client.call<{ data: object[]; next_cursor: string }>(`/${id}/events?limit=3`);
    const next = await client.call<{ data: object[] }>(`/${id}/events?limit=3&cursor=${page.body.next_cursor}`);
    expect([...page.body.data, ...next.body.data]).toEqual(body.data);
  });

  it("is deleted with its processes and files, while its usage stays", async () => {
    const { id } = await client.create({ image: shell, command: sh(`trap "" TERM; echo up; ${LOOP}`) });
    await client.said(id, "up");
    await client.until(id, "ready");
    expect(await client.call(`/${id}`, { method: "DELETE" })).toEqual({ status: 204, body: {} });
    expect((await client.call(`/${id}`)).status).toBe(404);
    await eventually(async () => (await db.podRun.count({ where: { podId: id, removedAt: null } })) === 0);
    expect(await usageOf(id)).toHaveLength(1);
    expect(await typesOf(id)).toEqual(["pod.created", "pod.ready", "pod.deleted"]);
  });

  it("causes no event after its deletion, however far its start was", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => client.create({ image: shell, command: sh(FOREVER) })),
    );
    for (const { id } of made) await client.call(`/${id}`, { method: "DELETE" });
    const ofMade = { podId: { in: made.map(({ id }) => id) } };
    await eventually(async () => (await db.podRun.count({ where: { ...ofMade, removedAt: null } })) === 0);
    for (const { id } of made) expect((await typesOf(id)).at(-1)).toBe("pod.deleted");
    expect(await db.podTimelineEntry.count({ where: ofMade })).toBe(0);
    expect(await db.podRun.count({ where: { ...ofMade, endedAt: null } })).toBe(0);
  });

  it("has simulated GPUs with a test key, and says so", async () => {
    const made = await client.create({ image: shell, gpu: "h200", gpu_count: 8, region: "euw" });
    expect(made).toMatchObject({ simulated: true, price_per_hour: "26.352" });
    expect(made.allocation).toMatchObject({ pool: "euw/h200", devices: [0, 1, 2, 3, 4, 5, 6, 7] });
    expect(await client.until(made.id, "completed")).toMatchObject({ runtime: { gpu: "simulated" }, allocation: null });
    expect(await db.gpuDevice.count({ where: { runId: `${made.id}-1` } })).toBe(0);
    expect((await client.create({ image: shell, gpu: "gb200/gb300 NVL72" })).gpu).toBe("gb200");
  });

  it("runs further programs in it, bounded in time and output, and never shows values of secrets nor runs any for keys that may not read them", async () => {
    await manage(test, "/v1/secrets", { key: client.key, body: { name: "EXEC_TOKEN", value: "very-secret-token" } });
    const { id } = await client.create({
      image: shell,
      command: sh(FOREVER),
      env: { TOKEN: { secret: "EXEC_TOKEN" } },
    });
    await client.until(id, "ready");
    const exec = (body: object) => client.call<Record<string, unknown>>(`/${id}/exec`, { body });
    const said = await exec({ command: sh("read line; echo $line $TOKEN; echo bad >&2; exit 3"), stdin: "hi\n" });
    expect(said).toMatchObject({
      status: 200,
      body: { exit_code: 3, signal: null, stdout: "hi [redacted]\n", stderr: "bad\n", truncated: false, run: 1 },
    });
    const weaker = await client.withScopes(["pods:read", "pods:write"]);
    const refusal = await weaker.call(`/${id}/exec`, { body: { command: sh("echo $TOKEN | rev") } });
    expect([refusal.status, refusal.body.error?.details]).toEqual([403, REVEAL_MISSING]);
    const plain = await client.create({ image: shell, command: sh(FOREVER), env: { PLAIN: "text" } });
    await client.until(plain.id, "ready");
    expect((await weaker.call(`/${plain.id}/exec`, { body: { command: sh("echo") } })).status).toBe(200);
    const late = await exec({ command: sh(`echo begun; ${LOOP}`), timeout_seconds: 1 });
    expect(late.body).toMatchObject({ timed_out: true, exit_code: null, signal: "SIGKILL", stdout: "begun\n" });
    const much = await exec({
      command: sh("while :; do echo 0123456789012345678901234567890123456789; done"),
      timeout_seconds: 1,
    });
    expect([String(much.body.stdout).length, much.body.truncated]).toEqual([1024 * 1024, true]);
    const missing = await exec({ command: ["/no/such/program"] });
    expect([missing.status, missing.body.error?.param]).toEqual([422, "command"]);
    expect((await client.get(id)).status).toBe("ready");
    const entries = await db.auditEntry.findMany({ where: { tenantId: client.tenantId, action: "pod.executed" } });
    expect(entries.map(({ targets }) => targets)).toContainEqual([{ type: "pod", id, name: expect.any(String) }]);
    expect((await (await newClient()).call(`/${id}/exec`, { body: { command: ["true"] } })).status).toBe(404);
    await client.call(`/${id}`, { method: "DELETE" });
    const ended = await client.create({ image: shell });
    await client.until(ended.id, "completed");
    const refused = await client.call(`/${ended.id}/exec`, { body: { command: ["true"] } });
    expect(refused).toMatchObject({ status: 409, body: { error: { details: { reason: "not_running" } } } });
  });

  it("runs with a live key without GPUs, and is refused with them", async () => {
    const live = await newClient({ mode: "live" });
    const { id } = await live.create({ image: shell });
    expect(await live.until(id, "completed")).toMatchObject({ mode: "live", simulated: false });
    const refused = await live.call("", { body: { image: shell, gpu: "h100" } });
    expect(refused).toMatchObject({ status: 503, body: { error: { details: { reason: "no_capacity" } } } });
  });

  it("is visible to keys of its own project and mode only", async () => {
    const { id } = await client.create({ image: shell, labels: { team: "a b" } });
    const other = await newClient();
    for (const [path, method] of [
      ["", "GET"],
      ["", "DELETE"],
      ["/stop", "POST"],
      ["/start", "POST"],
      ["/logs", "GET"],
      ["/events", "GET"],
    ] as const)
      expect((await other.call(`/${id}${path}`, { method })).status).toBe(404);
    const ids = async (of: PodClient, query: string) =>
      (await of.call<{ data: Pod[] }>(query)).body.data.map((pod) => pod.id);
    expect(await ids(other, "")).toEqual([]);
    await client.until(id, "completed");
    expect(await ids(client, "?label=team%3Da%20b")).toEqual([id]);
    expect(await ids(client, "?label=team%3Da%20b&status=failed")).toEqual([]);
    expect(await ids(client, "?label=team%3Da%20b&status=completed")).toEqual([id]);
  });

  it("waits with the reason while no node has its GPUs, and runs as soon as they are released", async () => {
    const fields = { image: shell, command: sh(FOREVER), gpu: "l40s", gpu_count: 8, region: "apac", memory_mb: 64 };
    const [first, second] = [await client.create(fields), await client.create(fields)];
    expect([first.allocation?.node, second.allocation?.node].sort()).toEqual(["l40s-1", "l40s-2"]);
    const waiting = await client.create({ ...fields, gpu_count: 1 });
    expect(waiting).toMatchObject({
      status: "pending",
      allocation: null,
      status_reason: {
        code: "no_gpus",
        message: expect.stringMatching(/^On-demand pods can have 0 more GPUs of this pool/),
      },
    });
    await client.call(`/${first.id}/stop`, { method: "POST" });
    expect((await client.until(waiting.id, "ready")).allocation?.node).toBe(first.allocation?.node);
    const never = await client.create({
      ...fields,
      gpu: undefined,
      gpu_count: undefined,
      region: undefined,
      memory_mb: 4_194_304,
    });
    expect(never.status_reason?.code).toBe("no_memory");
    await client.create({ ...fields, gpu: undefined, gpu_count: undefined, region: undefined });
    // What is free changes with every pod: the reason follows, and the timeline says once that the pod waits.
    await expect
      .poll(async () => (await client.call<Pod>(`/${never.id}`)).body.status_reason?.message)
      .not.toBe(never.status_reason?.message);
    const timeline = await client.call<{ data: { type: string }[] }>(`/${never.id}/events`);
    expect(timeline.body.data.map(({ type }) => type).sort()).toEqual(["created", "waiting"]);
    expect((await client.call(`/${never.id}/stop`, { method: "POST" })).body.status).toBe("stopped");
  });

  it("counts its GPUs against the quota of the region exactly: of 200 creations at once with one GPU left, one succeeds", async () => {
    const tenant = await newClient();
    const fields = { image: shell, command: sh(FOREVER), gpu: "h100", region: "apac", memory_mb: 4_194_304 };
    for (const gpu_count of [8, 8, 8, 7]) await tenant.create({ ...fields, gpu_count });
    const answers = await Promise.all(Array.from({ length: 200 }, () => tenant.call("", { body: fields })));
    const refused = answers.filter(({ status }) => status !== 202);
    expect(answers.length - refused.length).toBe(1);
    for (const { status, body } of refused) {
      expect([status, body.error?.code, body.error?.details]).toEqual([
        429,
        "quota_exceeded",
        { resource: "gpus_h100_apac", limit: 32 },
      ]);
    }
    const made = answers.find(({ status }) => status === 202)?.body.id;
    await tenant.call(`/${made}`, { method: "DELETE" });
    expect((await tenant.call("", { body: fields })).status).toBe(202);
    expect((await tenant.call("", { body: fields })).status).toBe(429);
  });

  it("has its node claimed again at once when the connection that holds the claim is lost", async () => {
    const { sql } = test.app.cloud;
    const holder = async () => {
      const { rows } = await sql.query<{ pid: number }>(
        `SELECT l.pid FROM pod_nodes r JOIN pg_locks l
           ON (l.classid::bigint << 32) | l.objid::bigint = hashtextextended('pod-node:' || r.id, 0)
         WHERE l.locktype = 'advisory' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows[0]?.pid;
    };
    const before = await holder();
    expect(before).toBeDefined();
    await sql.query("SELECT pg_terminate_backend($1)", [before]);
    await eventually(async () => ![undefined, before].includes(await holder()), 10_000);
  });

  it("ends after 30 days, and cannot be started again", async () => {
    const { id, expires_at, created_at } = await client.create({ image: shell, command: sh(FOREVER) });
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(30 * 24 * 3600 * 1000);
    await client.until(id, "ready");
    await db.pod.update({ where: { id }, data: { expiresAt: new Date() } });
    expect(await client.until(id, "stopped")).toMatchObject({ status_reason: { code: "lifetime_ended" } });
    const again = await client.call(`/${id}/start`, { method: "POST" });
    expect(again).toMatchObject({ status: 409, body: { error: { details: { reason: "lifetime_ended" } } } });
  });
});
