import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Exec } from "@kubernetes/client-node";
import { afterEach, describe, expect, it } from "vitest";
import {
  endExecution,
  exitReport,
  type KubernetesDouble,
  startKubernetesDouble,
} from "../../../../../test/factories/kubernetes-double";
import { waitFor } from "../../../../../test/factories/wait-for";
import { systemClock } from "../../../../kernel/clock";
import type { Allocation } from "../../runtime";
import { KubernetesApi } from "../kubernetes-api";
import { KubernetesRuntime } from "../kubernetes-runtime";
import { PodStore } from "../pod-store";
import { probeCluster } from "../probe-cluster";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** Programs of the agent succeed at once. */
async function startDouble(): Promise<KubernetesDouble> {
  const double = await startKubernetesDouble();
  open.push(double);
  double.state.onExec = (execution) => {
    if (execution.container === "svc-agent") endExecution(execution, "", exitReport(0));
  };
  return double;
}

function runtimeOn(double: KubernetesDouble, { nodeId = "node-1", retryMs = 60_000 } = {}): KubernetesRuntime {
  const config = double.config();
  const store = new PodStore({ api: new KubernetesApi(config), namespace: "svc", nodeId });
  const runtime = new KubernetesRuntime({
    store,
    exec: new Exec(config),
    agentImage: "busybox:1.36",
    clock: systemClock,
    retryMs,
    hasVolumes: true,
  });
  open.push(runtime);
  return runtime;
}

const allocation = (id: string, more: Partial<Allocation> = {}): Allocation => ({
  id,
  image: { reference: "alpine:3" },
  command: ["true"],
  network: "none",
  ...more,
});

/** The pod of the only workload, once it exists. */
const podOf = (double: KubernetesDouble): Promise<string> =>
  waitFor(
    () => {
      const [name, ...others] = double.pods();
      if (name === undefined || others.length > 0) throw new Error(`${others.length + (name ? 1 : 0)} pods`);
      return name;
    },
    { interval: 5 },
  );

async function running(double: KubernetesDouble, more: Partial<Allocation> = {}) {
  const runtime = runtimeOn(double);
  const started = runtime.ensure(allocation("pod_a-1", more));
  const name = await podOf(double);
  double.run(name);
  await started;
  return { runtime, name };
}

describe("a workload on the double of a cluster", () => {
  it("starts once when two processes start it at the same time, and its Secrets belong to its pod", async () => {
    const double = await startDouble();
    const both = [runtimeOn(double), runtimeOn(double)];
    const env = { TOKEN: "hunter2" };
    const started = both.map((runtime) => runtime.ensure(allocation("pod_a-1", { env })));
    const name = await podOf(double);
    double.run(name);
    await Promise.all(started);
    expect(double.requests.filter((line) => line === "POST /api/v1/namespaces/svc/pods").length).toBe(2);
    const secret = double.objects.get(double.secrets()[0] ?? "");
    expect(secret?.metadata.ownerReferences?.[0]?.uid).toBe(double.objects.get(`pods/${name}`)?.metadata.uid);
    for (const runtime of both) expect((await runtime.observe("pod_a-1")).state).toBe("running");
  });

  it.each(["500", "lost", "cut"] as const)("is made once although a reply is bad: %s", async (kind) => {
    const double = await startDouble();
    double.failures.push({ method: "POST", kind });
    const { runtime, name } = await running(double);
    expect(double.pods()).toEqual([name]);
    double.failures.push({ method: "DELETE", kind });
    const ended = runtime.terminate("pod_a-1", 5);
    await waitFor(() => expect(double.objects.get(`pods/${name}`)?.metadata.deletionTimestamp).toBeDefined());
    double.exit(name, 0);
    expect(await ended).toMatchObject({ state: "exited", exitCode: 0 });
  });

  it("is watched further after the watch was cut, and after its version is gone", async () => {
    const double = await startDouble();
    const { runtime, name } = await running(double);
    await waitFor(() => expect(double.watchCount()).toBe(1));
    for (const gone of [false, true]) {
      double.cutWatches({ gone });
      await waitFor(() => expect(double.watchCount()).toBe(1));
    }
    const asked = double.requests.length;
    double.exit(name, 3);
    await waitFor(async () => expect(await runtime.observe("pod_a-1")).toMatchObject({ state: "exited", exitCode: 3 }));
    expect(double.requests.slice(asked)).toEqual([]);
  });

  it.each([
    ["ErrImagePull", 'rpc error: manifest unknown: "alpine:3" not found', "image_not_found"],
    ["ErrImagePull", "401 Unauthorized", "registry_unauthorized"],
    ["InvalidImageName", "couldn't parse image name", "image_invalid"],
  ])("leaves nothing behind when its image cannot be used: %s, %s", async (reason, message, expected) => {
    const double = await startDouble();
    const runtime = runtimeOn(double);
    const started = runtime.ensure(allocation("pod_a-1", { env: { A: "b" } }));
    const name = await podOf(double);
    double.waiting(name, reason, message);
    await expect(started).rejects.toMatchObject({ reason: expected, message: expect.stringContaining("alpine:3") });
    expect([double.pods(), double.secrets()]).toEqual([[], []]);
  });

  it("waits for a registry that does not respond, and fails when it does not come back", async () => {
    const double = await startDouble();
    const runtime = runtimeOn(double, { retryMs: 300 });
    const started = runtime.ensure(allocation("pod_a-1"));
    double.waiting(await podOf(double), "ErrImagePull", "dial tcp: connection refused");
    await expect(started).rejects.toMatchObject({ reason: "registry_unreachable" });
    expect(double.pods()).toEqual([]);
  });

  it("leaves nothing behind when its node rejects it", async () => {
    const double = await startDouble();
    const started = runtimeOn(double).ensure(allocation("pod_a-1"));
    double.setStatus(await podOf(double), "Failed", {});
    await expect(started).rejects.toMatchObject({ reason: "start_failed" });
    expect(double.pods()).toEqual([]);
  });

  it("is preparing while no node has room, and absent after an end then", async () => {
    const double = await startDouble();
    const runtime = runtimeOn(double);
    const started = expect(runtime.ensure(allocation("pod_a-1"))).rejects.toMatchObject({ reason: "terminated" });
    await podOf(double);
    expect((await runtime.observe("pod_a-1")).state).toBe("preparing");
    expect(await runtime.terminate("pod_a-1", 30)).toEqual({ state: "absent" });
    await started;
    expect(double.pods()).toEqual([]);
  });

  it.each([
    [0, "Completed", { exitCode: 0, signal: null, oomKilled: false, cause: "exit" }],
    [137, "OOMKilled", { exitCode: null, signal: "SIGKILL", oomKilled: true, cause: "exit" }],
    [143, "Error", { exitCode: null, signal: "SIGTERM", oomKilled: false, cause: "exit" }],
    [137, "ContainerStatusUnknown", { exitCode: null, signal: null, cause: "supervisor_lost" }],
  ])("reports how it ended: exit code %i, %s", async (code, reason, expected) => {
    const double = await startDouble();
    const { runtime, name } = await running(double);
    double.exit(name, code, reason);
    await waitFor(async () => expect(await runtime.observe("pod_a-1")).toMatchObject({ state: "exited", ...expected }));
  });

  it("is lost, and can be removed, when its node has not ended it in time", async () => {
    const double = await startDouble();
    const { runtime, name } = await running(double);
    const pod = double.objects.get(`pods/${name}`);
    if (pod) pod.metadata.deletionTimestamp = new Date(Date.now() - 120_000).toISOString();
    double.run(name);
    await waitFor(async () => expect(await runtime.observe("pod_a-1")).toMatchObject({ cause: "supervisor_lost" }));
    await runtime.remove("pod_a-1");
    expect(double.pods()).toEqual([]);
  });

  it("keeps its final status after an end with grace, until it is removed", async () => {
    const double = await startDouble();
    const { runtime, name } = await running(double, { env: { A: "b" } });
    const ended = runtime.terminate("pod_a-1", 30);
    await waitFor(() => expect(double.executions.map(({ command }) => command.at(-1))).toEqual(["TERM"]));
    expect(double.objects.get(`pods/${name}`)?.metadata.deletionGracePeriodSeconds).toBe(30);
    double.exit(name, 7);
    expect(await ended).toMatchObject({ state: "exited", exitCode: 7, cause: "exit" });
    expect(await runtimeOn(double).observe("pod_a-1")).toMatchObject({ state: "exited", exitCode: 7 });
    await runtime.remove("pod_a-1");
    expect([double.pods(), double.secrets()]).toEqual([[], []]);
    expect(await runtime.observe("pod_a-1")).toEqual({ state: "absent" });
  });

  it("is listed until it is removed, and other installations do not see it", async () => {
    const double = await startDouble();
    const { runtime } = await running(double, { env: { A: "b" } });
    expect(await runtime.list()).toEqual(["pod_a-1"]);
    const other = runtimeOn(double, { nodeId: "node-2" });
    expect(await other.list()).toEqual([]);
    await other.remove("pod_a-1");
    expect(await runtimeOn(double).list()).toEqual(["pod_a-1"]);
    double.exit(double.pods()[0] ?? "", 0);
    await runtime.remove("pod_a-1");
    expect(await runtime.list()).toEqual([]);
  });

  it("gets its notice through the agent, and signals", async () => {
    const double = await startDouble();
    const { runtime } = await running(double);
    await runtime.notify("pod_a-1", "reclaim.json", '{"a":1}');
    await runtime.signal("pod_a-1", "SIGUSR1");
    expect(double.executions.map(({ command }) => command.slice(-2))).toEqual([
      ["reclaim.json", '{"a":1}'],
      ["USR1", "-1"],
    ]);
  });

  it("has no checkpoints, and says so", async () => {
    const double = await startDouble();
    const runtime = runtimeOn(double);
    await expect(text(runtime.snapshot("pod_a-1"))).rejects.toMatchObject({ reason: "not_supported" });
    const restore = Readable.from(["files"]);
    await expect(runtime.ensure(allocation("pod_a-1"), { restore })).rejects.toMatchObject({ reason: "not_supported" });
    expect(restore.destroyed).toBe(true);
    expect(double.pods()).toEqual([]);
  });
});

describe("a program in a workload", () => {
  it("gets its input, and its output and exit code come back", async () => {
    const double = await startDouble();
    const { runtime } = await running(double);
    double.state.onExec = (execution) =>
      void waitFor(() => expect(execution.socket.received(0)).toBe("hello")).then(() =>
        endExecution(execution, "echo hello", exitReport(3)),
      );
    const execution = await runtime.exec("pod_a-1", ["cat"], { stdin: Readable.from([Buffer.from("hello")]) });
    expect(await text(execution.stdout)).toBe("echo hello");
    expect(await execution.exited).toEqual({ exitCode: 3, signal: null });
  });

  it("fails when the image does not contain it, and when the workload does not run", async () => {
    const double = await startDouble();
    const { runtime, name } = await running(double);
    const message = 'exec: "nope": executable file not found in $PATH';
    double.state.onExec = (execution) => endExecution(execution, "", { status: "Failure", message });
    await expect(runtime.exec("pod_a-1", ["nope"])).rejects.toMatchObject({ reason: "start_failed" });
    double.exit(name, 0);
    await waitFor(() => expect(runtime.exec("pod_a-1", ["true"])).rejects.toMatchObject({ reason: "not_running" }));
  });

  it("has a terminal that changes its size, and ends with the signal when it is killed", async () => {
    const double = await startDouble();
    const { runtime } = await running(double);
    double.state.onExec = ({ socket }) => socket.send(1, "$ ");
    const execution = await runtime.exec("pod_a-1", ["sh"], { terminal: { columns: 80, rows: 24 } });
    await waitFor(() => expect(double.executions[0]?.socket.received(4)).toBe('{"height":24,"width":80}'));
    execution.resize({ columns: 132, rows: 50 });
    await waitFor(() => expect(double.executions[0]?.socket.received(4)).toContain('{"height":50,"width":132}'));
    execution.kill("SIGKILL");
    expect(await execution.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
  });
});

describe("a volume", () => {
  it("is a claim that is made once, survives the pod and is deleted by itself", async () => {
    const double = await startDouble();
    const volume = { id: "pod_a-1", path: "/workspace" };
    const { runtime, name } = await running(double, { volumes: [volume] });
    for (const _ of [1, 2]) await runtime.volumes?.make("pod_a-1", { bytes: 1024 ** 3 });
    double.exit(name, 0);
    await runtime.remove("pod_a-1");
    expect(await runtime.volumes?.list()).toEqual({ ids: ["pod_a-1"], bytesMax: null });
    const unsupported = { reason: "not_supported" };
    const restore = Readable.from(["files"]);
    await expect(runtime.volumes?.make("pod_a-2", { bytes: 1024 ** 3, restore })).rejects.toMatchObject(unsupported);
    for (const _ of [1, 2]) await runtime.volumes?.remove("pod_a-1");
    expect(await runtime.volumes?.list()).toMatchObject({ ids: [] });
  });
});

describe("the output of a workload", () => {
  it("is followed over a connection that is cut, from the last bytes on, to its end", async () => {
    const double = await startDouble();
    const { runtime, name } = await running(double);
    double.write(name, "0123456789");
    const all = text(runtime.logs("pod_a-1", { follow: true, tailBytes: 4 }));
    await waitFor(() => expect(double.requests.filter((line) => line.endsWith("/log")).length).toBe(2));
    double.write(name, "ab");
    await new Promise((resolve) => setTimeout(resolve, 50));
    double.cutLogs(name);
    double.write(name, "cd");
    double.exit(name, 0);
    expect(await all).toBe("6789abcd");
    expect(await text(runtime.logs("pod_a-1", { tailBytes: 3 }))).toBe("bcd");
    expect(await text(runtime.logs("unknown"))).toBe("");
  });
});

describe("the trial of a cluster", () => {
  it("runs a pod and removes it", async () => {
    const double = await startDouble();
    const runtime = runtimeOn(double);
    const tried = probeCluster(runtime);
    const name = await podOf(double);
    double.run(name);
    await waitFor(() => expect(double.executions.length).toBe(1));
    double.exit(name, 0);
    await tried;
    expect(double.pods()).toEqual([]);
  });

  it("says which permission is missing, and that the version is too old", async () => {
    const double = await startDouble();
    double.denied.add("create secrets");
    await expect(probeCluster(runtimeOn(double))).rejects.toThrow("in the namespace svc svc may not create secrets");
    double.state.minor = "28+";
    await expect(probeCluster(runtimeOn(double))).rejects.toThrow("svc needs 1.30 or newer");
  });

  it("fails when a pod has a network in spite of the policy", async () => {
    const double = await startDouble();
    const tried = expect(probeCluster(runtimeOn(double))).rejects.toThrow("does not enforce NetworkPolicy");
    const name = await podOf(double);
    double.run(name);
    await waitFor(() => expect(double.executions.length).toBe(1));
    double.exit(name, 3);
    await tried;
    expect(double.pods()).toEqual([]);
  });
});
