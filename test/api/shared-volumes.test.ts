import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VolumeSnapshot } from "../../server/cloud/compute/volume-snapshots/volume-snapshot";
import type { Resource } from "../../server/cloud/core/records/resource";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { eventually, makeTenant } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { programLayer } from "../factories/image-layers";
import { PodClient, type PodScene, podScene } from "../factories/pod-scene";
import { SHELL_CONFIG } from "../factories/runtime-scene";
import { canLimitWorkloads } from "../factories/workload-node";

const scene = await podScene();
const layer = await programLayer(["sh", "sleep", "cat", "fallocate"]);
const absent = [scene, layer].find((one) => typeof one === "string");
const missing = absent !== undefined ? absent : canLimitWorkloads() ? undefined : "no disks of limited size here";
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;
const WAITS = 'trap "exit 0" TERM; while :; do sleep 0.05; done';
const SCOPES = ["gpuc:read", "gpuc:write", "pods:read", "pods:write", "billing:read"] as const;
const ANY = expect.any(Number);

interface Failure {
  error?: { code: string; details?: { reason?: string } };
}
type Volume = Resource & Failure & { observed: { capacity_gb: number; pods: number } };

describe.skipIf(missing !== undefined)(`a shared volume, on a runtime of this node${skipped}`, () => {
  const { test, registry, close } = scene as PodScene;
  let pods: PodClient;
  let [key, strange, otherProject, shell] = ["", "", "", ""];
  beforeAll(async () => {
    const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
    for (const { tenantId } of [tenant, other]) await raiseRate(test, tenantId);
    key = await platformKey(tenant, { mode: "test", scopes: [...SCOPES] });
    strange = await platformKey(other, { mode: "test", scopes: [...SCOPES] });
    otherProject = await platformKey(tenant, { mode: "test", scopes: [...SCOPES] });
    pods = new PodClient(test, key);
    shell = registry.add("volumes", { layers: [layer as { bytes: Buffer }], config: SHELL_CONFIG }).reference;
    await call("/v1/activations", { body: { service: "dfs" } });
  });
  afterAll(() => close());

  async function call<T>(url: string, { as = key, ...sent }: { body?: object; method?: string; as?: string } = {}) {
    const response = await manage(test, url, { key: as, ...sent });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as T & Failure };
  }
  const reasonOf = ({ status, body }: { status: number; body: Failure }) => [
    status,
    body.error?.details?.reason ?? body.error?.code,
  ];
  async function create(name: string, spec: object): Promise<Volume> {
    const { status, body } = await call<Volume>("/v1/resources", { body: { service: "dfs", name, spec } });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }
  const get = async (rid: string) => (await call<Volume>(`/v1/resources/${rid}`)).body;
  const remove = (rid: string) => call<Volume>(`/v1/resources/${rid}`, { method: "DELETE" });
  const mount = (volume: string, more: object = {}) => ({ volumes: [{ volume, mount_path: "/shared", ...more }] });
  const start = (script: string, more: object) =>
    pods.create({ image: shell, command: ["/bin/sh", "-c", script], memory_mb: 64, ...more });
  /** What a program printed that has ended. */
  async function output(script: string, more: object): Promise<string> {
    const { id } = await start(`${script}; exit 0`, more);
    await pods.until(id, "completed");
    return pods.logs(id);
  }
  const onDisk = async () => {
    const found = await readdir(test.config.dataDir, { recursive: true });
    return (rid: string) => found.filter((file) => file.split(path.sep).includes(rid));
  };

  it("has the files of several pods at once, a limit, and survives them; it goes when no pod has it", async () => {
    const made = await create("data", { capacity_gb: 1 });
    const { rid } = made;
    expect(made).toMatchObject({
      state: "ready",
      provisioned: true,
      observed: { capacity_gb: 1, size_enforced: true },
    });
    const writer = await start(`echo one > /shared/file; echo up; ${WAITS}`, mount(rid));
    await pods.said(writer.id, "up");
    const reader = 'while read line; do echo "read $line"; done < /shared/file; echo two > /shared/answer';
    expect(await output(reader, mount(rid))).toBe("read one\n");
    const sees = ["/bin/sh", "-c", "read line < /shared/answer; echo $line"];
    const seen = await pods.call<{ stdout: string }>(`/${writer.id}/exec`, { body: { command: sees } });
    expect(seen.body.stdout).toBe("two\n");
    const refused = await output(
      "echo no > /shared/file; echo no > /shared/new; read line < /shared/file; echo $line",
      mount(rid, { read_only: true }),
    );
    expect(refused.match(/Read-only file system/g)).toHaveLength(2);
    expect(refused).toContain("one\n");
    expect(reasonOf(await remove(rid))).toEqual([409, "volume_in_use"]);
    await pods.call(`/${writer.id}`, { method: "DELETE" });
    expect(await output("fallocate -l 1100M /shared/full", mount(rid))).toContain("No space left on device");
    expect((await onDisk())(rid)).not.toEqual([]);
    expect((await remove(rid)).status).toBe(204);
    expect((await onDisk())(rid)).toEqual([]);
    expect(reasonOf(await pods.call("", { body: { image: shell, ...mount(rid) } }))).toEqual([404, "not_found"]);
  });

  it("is saved, and another one begins with its files; it grows while a pod has it, and both are billed exactly", async () => {
    const { rid } = await create("first", { capacity_gb: 1 });
    const limited = await call<Volume>(`/v1/resources/${rid}`, {
      method: "PATCH",
      body: { spec: { capacity_gb: 1, throughput_mbps: 50 } },
    });
    // A limit is that of the volume's device, which it has while a pod has it.
    const writing = await start(`echo ready; ${WAITS}`, mount(rid));
    await pods.said(writing.id, "ready");
    const limits = await readFile("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device", "utf8").catch(
      () => undefined,
    );
    const observed = { throughput_mbps: 50, throughput_enforced: limits !== undefined };
    expect(limited.body).toMatchObject({ state: "ready", observed });
    if (limits !== undefined) expect(limits).toMatch(/^7:\d+ 50000000$/m);
    await pods.call(`/${writing.id}`, { method: "DELETE" });
    await output("echo kept > /shared/file", mount(rid));
    const saving = await call<VolumeSnapshot>(`/v1/resources/${rid}/snapshots`, { method: "POST" });
    expect([saving.status, saving.body.state]).toEqual([202, "saving"]);
    const list = async () => (await call<{ data: VolumeSnapshot[] }>(`/v1/resources/${rid}/snapshots`)).body.data;
    await eventually(async () => (await list())[0]?.state === "saved");
    expect(await list()).toMatchObject([{ id: saving.body.id, rid, size_bytes: ANY, capacity_gb: 1 }]);
    const copy = await create("second", { capacity_gb: 1, snapshot_id: saving.body.id });
    const snapshot = `/v1/resources/${rid}/snapshots/${saving.body.id}`;
    // One that waits to be made with it.
    const { db } = test.app.cloud;
    const { nextAt } = await db.resource.findUniqueOrThrow({ where: { id: copy.rid } });
    await db.resource.update({ where: { id: copy.rid }, data: { state: "provisioning", nextAt: null } });
    expect(reasonOf(await call(snapshot, { method: "DELETE" }))).toEqual([409, "in_use"]);
    await db.resource.update({ where: { id: copy.rid }, data: { state: "ready", nextAt } });
    const both = { volumes: [...mount(rid).volumes, { volume: copy.rid, mount_path: "/copy", read_only: true }] };
    const { id } = await start(`cat /copy/file; ${WAITS}`, both);
    await pods.said(id, "kept");
    test.clock.advance(3_600_000);
    const change = (spec: object) => call<Volume>(`/v1/resources/${copy.rid}`, { method: "PATCH", body: { spec } });
    const grown = await change({ capacity_gb: 2, snapshot_id: saving.body.id });
    // Some kernels let svc enlarge it only while no pod has it.
    if (grown.body.state !== "ready") expect(grown.body.reason?.code).toBe("volume_busy");
    expect(reasonOf(await change({ capacity_gb: 1, snapshot_id: saving.body.id }))).toEqual([422, "volume_shrinks"]);
    await pods.call(`/${id}`, { method: "DELETE" });
    await eventually(async () => (await get(copy.rid)).observed.capacity_gb === 2);
    expect(await output("fallocate -l 1300M /shared/large && echo larger", mount(copy.rid))).toBe("larger\n");
    for (const one of [rid, copy.rid]) await eventually(async () => (await remove(one)).status !== 409);
    const spec = { capacity_gb: 1, snapshot_id: saving.body.id };
    const elsewhere = { service: "dfs", name: "elsewhere", spec };
    expect(reasonOf(await call("/v1/resources", { as: otherProject, body: elsewhere }))).toEqual([
      422,
      "no_such_snapshot",
    ]);
    expect((await call(snapshot, { method: "DELETE" })).status).toBe(204);
    expect(await list()).toEqual([]);
    interface Usage {
      data: { rid?: string; service: string; amount: string; quantity: string }[];
    }
    const used = await call<Usage>("/v1/resources/usage?service=dfs");
    const bill = await call<Usage>("/v1/usage?group_by=service");
    const nanos = (rows: Usage["data"]) => rows.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 1e9), 0);
    const own = used.body.data.filter((row) => row.rid === rid || row.rid === copy.rid);
    expect(nanos(own)).toBeGreaterThanOrEqual(2 * 100_000);
    expect(nanos(bill.body.data.filter(({ service }) => service === "volumes"))).toBe(nanos(used.body.data));
  });

  it("is for its tenant alone, counts toward the quota exactly, and is not mounted while its service is not active", async () => {
    const [one, two] = await Promise.all(
      ["a", "b"].map((name) =>
        call<Volume>("/v1/resources", { body: { service: "dfs", name, spec: { capacity_gb: 600 } } }),
      ),
    );
    const reasons = [one, two].map((made) => [made?.body.state, made?.body.reason?.code]).sort();
    expect(reasons[0]).toEqual(["failed", expect.stringMatching(/^(quota_exceeded|no_disk)$/)]);
    for (const made of [one, two]) if (made) await remove(made.body.rid);
    const { rid } = await create("own", { capacity_gb: 1 });
    const theirs = new PodClient(test, strange);
    const body = { image: shell, ...mount(rid) };
    expect(reasonOf(await theirs.call("", { body }))).toEqual([404, "not_found"]);
    expect(reasonOf(await theirs.call("/estimate", { body }))).toEqual([404, "not_found"]);
    expect(reasonOf(await call(`/v1/resources/${rid}/snapshots`, { as: strange, method: "POST" }))).toEqual([
      404,
      "not_found",
    ]);
    const twice = { image: shell, volumes: [...mount(rid).volumes, { volume: "res_x", mount_path: "/shared/within" }] };
    expect(reasonOf(await pods.call("", { body: twice }))).toEqual([400, "invalid_request"]);
    for (const mount_path of ["/usr", "/usr/local", "/usr/local/nvidia/lib64", "/var", "/dev/x"]) {
      const { status, body: refused } = await pods.call<{ error: { param: string; message: string } }>("", {
        body: { image: shell, volumes: [{ volume: rid, mount_path }] },
      });
      expect([status, refused.error.param]).toEqual([400, "volumes[0].mount_path"]);
      expect(refused.error.message).toContain("/usr/local/nvidia, /var/run, and neither above nor below one of them");
    }
    await call("/v1/activations/dfs", { method: "DELETE" });
    await eventually(async () => (await get(rid)).state === "suspended");
    expect(reasonOf(await pods.call("", { body }))).toEqual([409, "volume_suspended"]);
    await call("/v1/activations", { body: { service: "dfs" } });
    await eventually(async () => (await get(rid)).state === "ready");
    expect(await output("echo back > /shared/file; cat /shared/file", mount(rid))).toBe("back\n");
    expect((await remove(rid)).status).toBe(204);
  });

  it("counts as what its node has stored of it: A gets no more volumes at its limit, reads and deletes, and B goes on", async () => {
    const limit = 8 * 1024 ** 2;
    const tenants = [await makeTenant(test), await makeTenant(test)];
    const [a = "", b = ""] = await Promise.all(
      tenants.map(async (tenant) => {
        await raiseRate(test, tenant.tenantId);
        await setQuota(test.app.account, { tenant_id: tenant.tenantId, resource: "stored_bytes", limit });
        const made = await platformKey(tenant, { mode: "test", scopes: [...SCOPES] });
        await call("/v1/activations", { as: made, body: { service: "dfs" } });
        return made;
      }),
    );
    const createAs = (as: string, name: string) =>
      call<Volume>("/v1/resources", { as, body: { service: "dfs", name, spec: { capacity_gb: 1 } } });
    const { rid } = (await createAs(a, "full")).body;
    const ofA = new PodClient(test, a);
    const startAs = (client: PodClient, script: string, more: object) =>
      client.create({ image: shell, command: ["/bin/sh", "-c", script], memory_mb: 64, ...more });
    const filling = "i=0; while [ $i -lt 40 ]; do cat /bin/*; i=$((i+1)); done > /shared/file; echo full";
    const { id } = await startAs(ofA, `${filling}; ${WAITS}`, mount(rid));
    await ofA.said(id, "full");
    const dir = (await readdir(test.config.dataDir, { recursive: true })).find((file) => file.endsWith(`${rid}/data`));
    await promisify(execFile)("sync", ["-f", path.join(test.config.dataDir, dir ?? "")]);
    let refused = await createAs(a, "more");
    await eventually(async () => {
      if (refused.status === 429) return true;
      await call(`/v1/resources/${refused.body.rid}`, { as: a, method: "DELETE" });
      refused = await createAs(a, "more");
      return refused.status === 429;
    });
    expect(refused.body.error).toMatchObject({
      code: "quota_exceeded",
      message: expect.stringMatching(/volumes take .* \(delete files in volumes/),
      details: {
        resource: "stored_bytes",
        limit,
        nouns: expect.arrayContaining([expect.objectContaining({ noun: "volumes" })]),
      },
    });
    const own = { image: shell, volume: { size_gb: 1 } };
    expect((await ofA.call<Failure>("", { body: own })).body.error?.code).toBe("quota_exceeded");
    // What was counted is in the table within a second.
    const estimate = () => ofA.call<{ blocked_by: { code: string } | null }>("/estimate", { body: own });
    await eventually(async () => (await estimate()).body.blocked_by?.code === "quota_exceeded");
    const reading = await ofA.call<{ exit_code: number }>(`/${id}/exec`, {
      body: { command: ["/bin/sh", "-c", "read x < /shared/file; echo more >> /shared/file"] },
    });
    expect(reading.status).toBe(200);
    const other = await createAs(b, "other");
    expect(other.status).toBe(201);
    await ofA.call(`/${id}`, { method: "DELETE" });
    const removeAs = (as: string, one: string) =>
      eventually(async () => (await call(`/v1/resources/${one}`, { as, method: "DELETE" })).status === 204);
    await removeAs(a, rid);
    let again = refused;
    await eventually(async () => {
      again = await createAs(a, "again");
      return again.status === 201;
    });
    await removeAs(a, again.body.rid);
    await removeAs(b, other.body.rid);
  });
});
