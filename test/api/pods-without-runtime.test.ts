import { afterEach, describe, expect, it } from "vitest";
import { directPaths } from "../../server/direct-paths";
import type { StartedRuntime } from "../../server/engines/start-runtime";
import { eventually, makeTenant, type TestApp, testApp } from "../factories/app";
import { platformKey } from "../factories/calls";
import { shellLayer } from "../factories/image-layers";
import { idleNode, PodClient } from "../factories/pod-scene";
import { startRegistryDouble } from "../factories/registry-double";
import { SHELL_CONFIG } from "../factories/runtime-scene";

let test: TestApp;
afterEach(() => test.stop());

async function clientOf(started: TestApp): Promise<PodClient> {
  test = started;
  return new PodClient(
    test,
    await platformKey(await makeTenant(test), { mode: "test", scopes: ["pods:read", "pods:write"] }),
  );
}

describe("without a runtime", () => {
  it("creating a pod is 503 with the reason of each runtime, and svc runs as usual", async () => {
    const reason = "No runtime can run workloads on this node. namespaces: it needs Linux.";
    const runtime: StartedRuntime = {
      choice: async () => ({ runtime: undefined, reason }),
      stop: async () => undefined,
    };
    const client = await clientOf(await testApp({ runtime }));
    expect(await client.call("", { body: { image: "alpine" } })).toMatchObject({
      status: 503,
      body: { error: { code: "unavailable", message: reason, details: { reason: "no_runtime", reasons: [reason] } } },
    });
    expect(await test.app.cloud.db.pod.count()).toBe(0);
  });

  it("creating a pod is 503 where RUNTIME is off", async () => {
    const client = await clientOf(await testApp({ env: { RUNTIME: "off" } }));
    expect(await client.call("", { body: { image: "alpine" } })).toMatchObject({
      status: 503,
      body: {
        error: { message: "This installation runs no pods: RUNTIME is off.", details: { reason: "no_runtime" } },
      },
    });
  });

  it("creating a pod with ports or a volume is 503 where no node can reach or keep them, and an estimate says so", async () => {
    const client = await clientOf(await testApp());
    await idleNode(test);
    await test.app.cloud.db.podNode.updateMany({ data: { reachesPorts: false } });
    const details = { reason: "ports_unsupported" };
    expect(await client.call("", { body: { image: "alpine", ports: [80] } })).toMatchObject({
      status: 503,
      body: { error: { code: "unavailable", param: "ports", details } },
    });
    expect(await client.call("/estimate", { body: { ports: [80] } })).toMatchObject({
      body: { fits_now: false, blocked_by: { code: "ports_unsupported" } },
    });
    expect((await client.call("", { body: { image: "alpine" } })).status).toBe(202);
    const size = { image: "alpine", volume: { size_gb: 101 } };
    expect(await client.create(size)).toMatchObject({
      volume: { mount_path: "/workspace", size_gb: 101, size_enforced: null },
      status_reason: { code: "no_disk", message: expect.stringContaining("100 of 100 GiB are free") },
    });
    expect((await client.call("", { body: { ...size, volume: { size_gb: 924 } } })).body.error).toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining("GiB of volumes"),
    });
    for (const mount_path of [
      "/",
      "work",
      "/a/../b",
      "/a//b",
      "/a/",
      "/dev/shm",
      "/run/svc",
      "/proc",
      "/etc",
      "/a:b",
    ]) {
      const { status, body } = await client.call("", { body: { image: "alpine", volume: { size_gb: 1, mount_path } } });
      expect([mount_path, status, body.error?.param]).toEqual([mount_path, 400, "volume.mount_path"]);
    }
    await test.app.cloud.db.podNode.updateMany({ data: { keepsVolumes: false } });
    const noVolume = { reason: "volume_unsupported" };
    expect(await client.call("", { body: size })).toMatchObject({
      status: 503,
      body: { error: { code: "unavailable", param: "volume", details: noVolume } },
    });
    expect((await client.call<object>("/estimate", { body: { volume: { size_gb: 1 } } })).body).toMatchObject({
      blocked_by: { code: "volume_unsupported" },
    });
    for (const ports of [[0], [65_536], [3127], [80, 80], [1, 2, 3, 4, 5, 6, 7, 8, 9]]) {
      const { status, body } = await client.call("", { body: { image: "alpine", ports } });
      expect([status, body.error?.param?.startsWith("ports")]).toEqual([400, true]);
    }
  });

  it("creating a pod is 503 in a process that serves requests only, while none that runs workloads reports", async () => {
    const client = await clientOf(await testApp({ env: { RUNTIME: "auto", ROLE: "web" } }));
    const { status, body } = await client.call("", { body: { image: "alpine" } });
    expect([status, body.error?.details?.reason]).toEqual([503, "no_runtime"]);
    expect(body.error?.message).toContain("ROLE=worker");
  });
});

const layer = await shellLayer();
const PEER = { address: "127.0.0.1" };
const HANDSHAKE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-protocol": "terminal.svc.v1",
};
const bodyOf = async (response: Response | Promise<Response>): Promise<unknown> => (await response).json();

describe.skipIf(process.platform !== "linux" || typeof layer === "string")("with plain processes", () => {
  it("pods of test keys run without isolation, and those of live keys are 503, as an estimate and /readyz say", async () => {
    const client = await clientOf(await testApp({ env: { RUNTIME: "process" } }));
    const registry = await startRegistryDouble();
    const { reference: image } = registry.add("shell", { layers: [layer as { bytes: Buffer }], config: SHELL_CONFIG });
    const { id } = await client.create({
      image,
      command: ["/bin/sh", "-c", "echo from the image; while :; do sleep 0.05; done"],
    });
    const { runtime } = await client.until(id, "ready");
    expect(runtime).toMatchObject({
      kind: "process",
      limits_enforced: false,
      isolation: expect.stringMatching(/^None/),
    });
    await client.said(id, "from the image\n");
    const headers = { ...HANDSHAKE, authorization: `Bearer ${client.key}` };
    const terminal = new Request(`http://svc/v1/pods/${id}/terminal`, { headers });
    expect(await bodyOf(test.app.platform.fetch(terminal, PEER))).toMatchObject({
      error: { code: "unavailable", details: { reason: "not_supported" } },
    });
    const liveKey = await platformKey(await makeTenant(test), { mode: "live", scopes: ["pods:read", "pods:write"] });
    const live = new PodClient(test, liveKey);
    const message = expect.stringContaining("for test keys only");
    const { status, body } = await live.call("", { body: { image } });
    expect([status, body.error]).toMatchObject([503, { message, details: { reason: "no_runtime" } }]);
    const estimate = await live.call("/estimate", { body: {} });
    expect(estimate.body).toMatchObject({ fits_now: false, blocked_by: { code: "no_runtime", message } });
    const { paths } = directPaths(test.config, { app: test.app, engines: test.engines, isStopping: () => false });
    const readyz = paths.find(({ path }) => path === "/readyz") ?? expect.fail("there is no /readyz");
    expect(await bodyOf(readyz.answer(new Request("http://localhost/readyz"), PEER))).toMatchObject({
      runtimes: [{ kind: "process", reason: message }],
    });
    // A run that was placed while the node ran pods in another way.
    await client.call(`/${id}/stop`, { method: "POST" });
    await client.until(id, "stopped");
    const { db } = test.app.cloud;
    const { id: nodeId } = await db.podNode.findFirstOrThrow();
    const run = { id: `${id}-2`, number: 2, createdAt: new Date(), placedAt: new Date(), nodeId };
    const data = { mode: "live", status: "pending", runNumber: 2, stopRequestedAt: null } as const;
    await db.pod.update({ where: { id }, data: { ...data, startedAt: null, stoppedAt: null, runs: { create: run } } });
    await eventually(async () => (await db.pod.findUniqueOrThrow({ where: { id } })).status === "failed");
    expect(await db.pod.findUnique({ where: { id } })).toMatchObject({ reasonCode: "no_runtime", reasonText: message });
    await db.pod.update({ where: { id }, data: { deletedAt: new Date() } });
    await eventually(async () => (await test.app.cloud.db.podRun.count({ where: { removedAt: null } })) === 0);
    await registry.stop();
  });
});
