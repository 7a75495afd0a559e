import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Resource } from "../../server/cloud/core/records/resource";
import { missingForSlurm } from "../../server/engines/runtime/oci/host-images";
import { eventually, makeTenant } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { type PodScene, podScene } from "../factories/pod-scene";

const missing = (await missingForSlurm()) ?? (await sceneOrReason());
const skipped = typeof missing === "string" ? ` (skipped: ${missing})` : "";

async function sceneOrReason() {
  return podScene();
}

type Installed = Resource & { observed: { pod_id: string; partitions?: { name: string; nodes: number }[] } };

describe.skipIf(typeof missing === "string")(`Slurm for a cluster, on a runtime of this node${skipped}`, () => {
  const { test, close } = missing as PodScene;
  let key = "";
  beforeAll(async () => {
    const tenant = await makeTenant(test);
    await raiseRate(test, tenant.tenantId);
    const scopes = ["gpuc:read", "gpuc:write", "pods:read", "pods:write"] as const;
    key = await platformKey(tenant, { mode: "test", scopes: [...scopes] });
    for (const service of ["cks", "sunk"]) await call("/v1/activations", { body: { service } });
  });
  afterAll(() => close());

  async function call<T = Installed>(path: string, sent: { body?: object; method?: string } = {}) {
    const response = await manage(test, path, { key, ...sent });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as T };
  }
  const create = async (service: string, name: string, { kind, spec }: { kind?: string; spec: object }) =>
    (await call("/v1/resources", { body: { service, name, ...(kind && { kind }), spec } })).body;
  const ready = async (rid: string) => {
    let seen = (await call(`/v1/resources/${rid}`)).body;
    await eventually(async () => {
      seen = (await call(`/v1/resources/${rid}`)).body;
      if (seen.state === "failed") throw new Error(JSON.stringify(seen));
      return seen.state === "ready";
    });
    return seen;
  };

  it("runs jobs of srun and sbatch, keeps its queue when svc starts again, and is gone when it is deleted", async () => {
    const cluster = await create("cks", "batch", { spec: {} });
    expect([cluster.state, cluster.reason?.code]).toEqual(["placeholder", "engine_missing"]);
    const group = { cluster_id: cluster.rid, sku: "H100", desired_size: 2 };
    await create("cks", "Train", { kind: "node_group", spec: group });
    const { rid } = await create("sunk", "slurm", { spec: { cluster_id: cluster.rid } });
    const { observed } = await ready(rid);
    expect(observed).toMatchObject({
      cluster_state: "placeholder",
      gpus: expect.stringContaining("simulated"),
      partitions: [{ name: "train", nodes: 2 }],
    });
    const pod = observed.pod_id;
    const run = async (...command: string[]) =>
      (await call<{ stdout: string; stderr: string; exit_code: number }>(`/v1/pods/${pod}/exec`, { body: { command } }))
        .body;
    const gpus = await run("srun", "--gres=gpu:h100:2", "sh", "-c", "echo $CUDA_VISIBLE_DEVICES on $SLURMD_NODENAME");
    expect([gpus.stdout, gpus.exit_code]).toEqual(["0,1 on train-1\n", 0]);
    const job = await run(
      "sbatch",
      "--parsable",
      "--nodes=2",
      "--output=/tmp/out",
      "--wrap",
      "srun --label sh -c 'echo $SLURMD_NODENAME'",
    );
    expect(job.stdout).toMatch(/^\d+\n$/);
    await eventually(async () => (await run("sort", "/tmp/out")).stdout === "0: train-1\n1: train-2\n");

    const slow = await run("sbatch", "--parsable", "--output=/tmp/slow", "--wrap", "sleep 3; echo done");
    await test.restart();
    await eventually(async () => (await run("cat", "/tmp/slow")).stdout === "done\n");
    expect(Number(slow.stdout)).toBe(Number(job.stdout) + 1);

    expect((await call(`/v1/resources/${rid}`, { method: "DELETE" })).status).toBeLessThan(300);
    await eventually(async () => (await call(`/v1/pods/${pod}`)).status === 404);
    const { db } = test.app.cloud;
    expect(await db.podRun.count({ where: { podId: pod, endedAt: null } })).toBe(0);
  });
});
