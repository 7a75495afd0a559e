import { readdir } from "node:fs/promises";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hostClient } from "../factories/host-client";
import { shellLayer } from "../factories/image-layers";
import { startRegistryDouble } from "../factories/registry-double";
import { SHELL_CONFIG } from "../factories/runtime-scene";
import { safetensorsFile } from "../factories/safetensors";
import { type ServerProcess, startServerProcess } from "../factories/server-process";
import { waitFor } from "../factories/wait-for";
import { missingForWorkloads } from "../factories/workload-node";

const layer = await shellLayer();
const missing = missingForWorkloads() ?? (typeof layer === "string" ? layer : undefined);
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;
/** Tools have a limit of calls per minute. */
const POLLING = { timeout: 60_000, interval: 500 };
const sh = (script: string) => ["/bin/sh", "-c", script];

let server: ServerProcess;
let registry: Awaited<ReturnType<typeof startRegistryDouble>>;
let client: Client;
let image: string;
beforeAll(async () => {
  if (missing !== undefined) return;
  [server, registry] = await Promise.all([startServerProcess(), startRegistryDouble()]);
  image = registry.add("shell", { layers: [layer as { bytes: Buffer }], config: SHELL_CONFIG }).reference;
  const headers = { authorization: `Bearer ${server.demo.api.test_key}` };
  client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/v1/mcp?schemas=full`), { requestInit: { headers } }),
  );
  // The client checks each result against the schema that it has listed.
  await client.listTools();
});
afterAll(async () => {
  if (server && client) {
    // Those of a test that failed half way: pods outlive svc.
    for (const { id } of await listed("svc_pods_list")) await call("svc_pods_delete", { pod_id: id });
    for (const { id } of await listed("svc_sandbox_list")) await call("svc_sandbox_delete", { sandbox_id: id });
    const workloads = path.join(server.dataDir, "runtime/workloads");
    await waitFor(async () => expect(await readdir(workloads).catch(() => [])).toEqual([]));
  }
  await client?.close();
  await server?.stop();
  await registry?.stop();
});

/** Calls a tool that succeeds; returns its structured content. */
async function call<T = Record<string, unknown>>(name: string, given: object = {}): Promise<T> {
  const result = await client.callTool({ name, arguments: { ...given } });
  expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
  return result.structuredContent as T;
}

const listed = async (name: string) => (await call<{ data: { id: string }[] }>(name)).data;

interface Presigned {
  method: string;
  url: string;
  headers: Record<string, string>;
}

async function send({ method, url, headers }: Presigned, body?: string): Promise<string> {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

it.skipIf(missing !== undefined)(
  `an agent stores a file, computes with it, runs a pod and reads the bill${skipped}`,
  async () => {
    const bucket = "agent-files";
    await call("svc_storage_buckets_create", { name: bucket });
    const stored = { bucket, key: "numbers.txt" };
    await send(await call("svc_storage_objects_presign", { ...stored, operation: "put_object" }), "40\n2\n");
    const text = await send(await call("svc_storage_objects_presign", { ...stored, operation: "get_object" }));

    const sandbox = await call<{ id: string; status: string }>("svc_sandbox_create", { image, timeout_seconds: 120 });
    expect(sandbox.status).toBe("running");
    const inside = { sandbox_id: sandbox.id };
    await call("svc_sandbox_write_file", { ...inside, path: "/tmp/numbers.txt", content: text });
    const command = sh("n=0; while read -r line; do n=$((n + line)); done < /tmp/numbers.txt; echo $n");
    expect(await call("svc_sandbox_exec", { ...inside, command })).toMatchObject({ exit_code: 0, stdout: "42\n" });
    await call("svc_sandbox_delete", inside);

    const fn = await call<{ id: string }>("svc_functions_create", { name: "double" });
    const code = "export default ({ n }) => ({ twice: 2 * n })";
    await call("svc_functions_deploy", { function_id: fn.id, code });
    const invoked = await call("svc_functions_invoke", { function_id: fn.id, payload: { n: 21 } });
    expect(invoked).toMatchObject({ status: "succeeded", result: { twice: 42 } });

    const edgeCode = 'export default { fetch: (request) => new Response("edge " + new URL(request.url).pathname) }';
    const { id: edge_id } = await call<{ id: string }>("svc_edge_create", { name: "hello", code: edgeCode });
    const { url } = await call<{ url: string }>("svc_edge_publish", { edge_id });
    const hosts = hostClient(server.port);
    expect(await hosts.ask(`${url}path`)).toMatchObject({ status: 200, body: "edge /path" });
    hosts.close();

    const { id: scan_id } = await call<{ id: string }>("svc_shield_scan", { bucket });
    const scanned = await call("svc_shield_scans_get", { scan_id, wait_seconds: 20 });
    expect(scanned).toMatchObject({ status: "completed", progress: { objects: 1 } });

    const pod = await call<{ id: string }>("svc_pods_create", {
      name: "worker",
      image,
      memory_mb: 64,
      command: sh('trap "exit 0" TERM; echo ready; while :; do sleep 0.1; done'),
    });
    const ofPod = { pod_id: pod.id };
    const statusOf = async () => (await call<{ status: string }>("svc_pods_get", ofPod)).status;
    const output = async () => (await call<{ text: string }>("svc_pods_logs", ofPod)).text;
    await expect.poll(output, POLLING).toContain("ready");
    await call("svc_pods_stop", ofPod);
    await expect.poll(statusOf, POLLING).toBe("stopped");
    await call("svc_pods_delete", ofPod);

    const billed = async () => {
      const { data } = await call<{ data: { service: string }[] }>("svc_billing_usage");
      return data.map(({ service }) => service);
    };
    await expect.poll(billed, POLLING).toEqual(expect.arrayContaining(["pods", "sandboxes"]));
  },
);

interface Shown {
  rid: string;
  name: string;
  state: string;
  observed: Record<string, unknown> & { pod_id: string };
}

/** The resource with an id in a list, once it is ready. */
async function ready(list: string, rid: string): Promise<Shown> {
  let found: Shown | undefined;
  await expect
    .poll(async () => {
      const { data } = await call<{ data: Shown[] }>(list);
      found = data.find((one) => one.rid === rid);
      return found?.state === "ready" ? "ready" : JSON.stringify(found);
    }, POLLING)
    .toBe("ready");
  return found as Shown;
}

const byApi = (path: string, method = "GET") =>
  fetch(`${server.url}/v1/resources/${path}`, {
    method,
    headers: { authorization: `Bearer ${server.demo.api.test_key}` },
  });

/** A Slurm, which no tool lists, once it is ready. */
async function slurmOf(rid: string): Promise<Shown> {
  const get = async () => (await byApi(rid)).json() as Promise<Shown>;
  await expect.poll(async () => (await get()).state, POLLING).toBe("ready");
  return get();
}

/** Deletes what has no tool for it; it is gone then. */
async function deletedByApi(rid: string): Promise<void> {
  await byApi(rid, "DELETE");
  await expect.poll(async () => (await byApi(rid)).status, POLLING).toBe(404);
}

it.skipIf(missing !== undefined)(
  `an agent activates, creates, uses and deletes compute and infrastructure, and reads what it costs${skipped}`,
  async () => {
    const used = [
      "gpu",
      "cpu",
      "baremetal",
      "object",
      "tensorizer",
      "flc",
      "nlc",
      "dfs",
      "observe",
      "cks",
      "sunk",
      "net",
    ];
    for (const service of used) await call("gpuc_activate", { service });
    const { data: active } = await call<{ data: { service: string }[] }>("gpuc_activations_list");
    expect(active.map(({ service }) => service)).toEqual(expect.arrayContaining(used));
    const prices = await call<{ data: { sku: string }[] }>("gpuc_skus", { category: "gpu" });
    expect(prices.data.map(({ sku }) => sku)).toContain("H100");

    const gpu = await call<Shown>("gpuc_gpu_create", { name: "trainer", sku: "H100", image_id: image });
    const cpu = await call<Shown>("gpuc_cpu_create", { name: "builder", sku: "Genoa", image_id: image });
    const metal = await call<Shown>("gpuc_baremetal_create", { name: "node", sku: "A100", image_id: image });
    for (const { rid } of [gpu, cpu, metal]) {
      const { observed } = await ready("gpuc_instances_list", rid);
      const ran = await call("svc_pods_exec", { pod_id: observed.pod_id, command: sh("echo $((6 * 7))") });
      expect(ran).toMatchObject({ exit_code: 0, stdout: "42\n" });
    }
    await call("gpuc_instance_stop", { instance_id: gpu.rid });
    const stopped = await ready("gpuc_instances_list", gpu.rid);
    expect(stopped.observed).toMatchObject({ status: "stopped" });
    await call("gpuc_instance_start", { instance_id: gpu.rid });

    const upgrade = await call<Shown>("gpuc_flc_upgrade", { target_version: "2.0.0" });
    const upgraded = await ready("gpuc_flc_upgrades_list", upgrade.rid);
    expect(upgraded.observed).toMatchObject({ nodes: 1, upgraded: 1 });
    const [node_name] = upgraded.observed.node_names as string[];
    await ready("gpuc_instances_list", metal.rid);
    await call("gpuc_nlc_event", { node_name, signal: "xid_79", severity: "warn" });
    const noted = await call<{ data: { node_name: string }[] }>("gpuc_nlc_events_list");
    expect(noted.data).toMatchObject([{ node_name, severity: "warn", cordoned: false }]);

    const { rid: bucket_id } = await call<Shown>("gpuc_object_create", { name: "models" });
    const { observed: made } = await ready("gpuc_object_list", bucket_id);
    const stored = { bucket: made.bucket, key: "tiny.safetensors" };
    const put = await call<Presigned>("svc_storage_objects_presign", { ...stored, operation: "put_object" });
    const bytes = new Uint8Array(Float32Array.of(1, 2).buffer);
    const model = safetensorsFile([{ name: "weight", dtype: "F32", shape: [2], bytes }]);
    const sent = await fetch(put.url, { method: put.method, headers: put.headers, body: new Uint8Array(model) });
    expect(sent.status).toBe(200);
    const converted = await call<Shown>("gpuc_tensorizer_create", {
      name: "half",
      source_model: `s3://${made.bucket}/tiny.safetensors`,
      target_uri: `s3://${made.bucket}/half/`,
      dtype: "f16",
    });
    await ready("gpuc_tensorizer_list", converted.rid);
    const shard = { bucket: made.bucket, key: "half/model-00001-of-00001.safetensors" };
    const text = await send(await call("svc_storage_objects_presign", { ...shard, operation: "get_object" }));
    expect(text).toContain('"F16"');

    const volume = await call<Shown>("gpuc_dfs_create", { name: "shared", capacity_gb: 1 });
    if (volume.state !== "placeholder") {
      await ready("gpuc_dfs_list", volume.rid);
      const volumes = [{ volume: volume.rid, mount_path: "/shared" }];
      const outputOf = async (script: string) => {
        const { id: pod_id } = await call<{ id: string }>("svc_pods_run", {
          image,
          name: "uses-shared",
          memory_mb: 64,
          command: sh(script),
          volumes,
        });
        const status = async () => (await call<{ status: string }>("svc_pods_get", { pod_id })).status;
        await expect.poll(status, POLLING).toBe("completed");
        const { text: output } = await call<{ text: string }>("svc_pods_logs", { pod_id });
        await call("svc_pods_delete", { pod_id });
        return output;
      };
      await outputOf("echo written > /shared/file");
      expect(await outputOf("cat /shared/file")).toBe("written\n");
    }

    const network = await call<Shown>("gpuc_net_create", { name: "private", kind: "vpc", cidr: "10.20.0.0/24" });
    const address = await call<Shown>("gpuc_net_create", { name: "address", kind: "eip" });
    if (network.state !== "placeholder") {
      await ready("gpuc_net_list", network.rid);
      const join = { image, memory_mb: 64, network: network.rid };
      const { id: pod_id } = await call<{ id: string }>("svc_pods_run", {
        ...join,
        name: "member",
        command: sh("cat /etc/hosts; sleep 60"),
      });
      const hosts = async () => (await call<{ text: string }>("svc_pods_logs", { pod_id })).text;
      await expect.poll(hosts, POLLING).toMatch(/10\.20\.0\.\d+\s.*member/);
      await call("svc_pods_delete", { pod_id });
    }
    await ready("gpuc_net_list", address.rid);

    const store = await call<Shown & { secrets: { ingest_token: string } }>("gpuc_observe_create", {
      name: "logs",
      kind: "log",
      retention_days: 7,
    });
    await ready("gpuc_observe_list", store.rid);
    const record = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: "it works" } }] }] }] };
    const taken = await fetch(`${server.url}/v1/observe/${store.rid}/otlp/v1/logs`, {
      method: "POST",
      headers: { authorization: `Bearer ${store.secrets.ingest_token}`, "content-type": "application/json" },
      body: JSON.stringify(record),
    });
    expect(taken.status).toBe(200);
    const kept = await fetch(`${server.url}/v1/observe/${store.rid}/records`, {
      headers: { authorization: `Bearer ${server.demo.api.test_key}` },
    });
    expect(await kept.json()).toMatchObject({ data: [{ body: "it works" }] });

    // Without a Kubernetes a cluster is a placeholder, which can have a Slurm.
    const cluster = await call<Shown>("gpuc_cks_create", { name: "cluster", subnets: [] });
    const group = { cluster_id: cluster.rid, name: "workers", sku: "H100" };
    const planned = await call<Shown>("gpuc_cks_node_group_create", group);
    expect([cluster.state, planned.state]).toEqual(["placeholder", "placeholder"]);
    const groups = await call<{ data: Shown[] }>("gpuc_cks_node_groups_list", { cluster_id: cluster.rid });
    expect(groups.data.map(({ rid }) => rid)).toEqual([planned.rid]);
    const slurm = await call<Shown>("gpuc_cks_sunk_install", { cluster_id: cluster.rid });
    if (slurm.state !== "placeholder") {
      const { observed } = slurm.state === "ready" ? slurm : await slurmOf(slurm.rid);
      const job = await call("svc_pods_exec", { pod_id: observed.pod_id, command: ["srun", "sh", "-c", "echo ran"] });
      expect(job).toMatchObject({ exit_code: 0, stdout: "ran\n" });
    }

    for (const { rid } of [planned, cluster]) await call("gpuc_cks_delete", { cluster_id: rid });
    await call("gpuc_dfs_delete", { volume_id: volume.rid });
    const gone = (list: string, rid: string) => async () =>
      (await call<{ data: Shown[] }>(list)).data.every((one) => one.rid !== rid);
    for (const { rid } of [network, address]) {
      await call("gpuc_net_delete", { network_id: rid });
      await expect.poll(gone("gpuc_net_list", rid), POLLING).toBe(true);
    }
    for (const rid of [slurm.rid, store.rid, converted.rid, upgrade.rid]) await deletedByApi(rid);
    for (const { rid } of [gpu, cpu, metal]) await call("gpuc_instance_delete", { instance_id: rid });
    await call("gpuc_object_delete", { bucket_id });
    const left = async () => (await call<{ data: Shown[] }>("gpuc_instances_list")).data.length;
    await expect.poll(left, POLLING).toBe(0);

    const usage = await call<{ total: string; data: { service: string; amount: string }[] }>("gpuc_usage");
    const sum = usage.data.reduce((total, { amount }) => total + Math.round(Number(amount) * 1e9), 0);
    expect(Math.round(Number(usage.total) * 1e9)).toBe(sum);
    expect(usage.data.map(({ service }) => service)).toEqual(expect.arrayContaining(["gpu", "cpu", "baremetal"]));
  },
);
