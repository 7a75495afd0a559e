import { afterEach, describe, expect, it } from "vitest";
import type { StartedRuntime } from "../../server/engines/start-runtime";
import { makeTenant, type TestApp, testApp } from "../factories/app";
import { platformKey } from "../factories/calls";
import { idleMachine, PodClient } from "../factories/pod-scene";

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
    const reason = "No runtime can run workloads on this machine. namespaces: it needs Linux.";
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

  it("creating a pod with ports is 503 where no machine can reach them, and an estimate says so", async () => {
    const client = await clientOf(await testApp());
    await idleMachine(test);
    await test.app.cloud.db.podRunner.updateMany({ data: { reachesPorts: false } });
    const details = { reason: "ports_unsupported" };
    expect(await client.call("", { body: { image: "alpine", ports: [80] } })).toMatchObject({
      ...{ status: 503, body: { error: { code: "unavailable", param: "ports", details } } },
    });
    expect(await client.call("/estimate", { body: { ports: [80] } })).toMatchObject({
      body: { fits_now: false, blocked_by: { code: "ports_unsupported" } },
    });
    expect((await client.call("", { body: { image: "alpine" } })).status).toBe(202);
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
