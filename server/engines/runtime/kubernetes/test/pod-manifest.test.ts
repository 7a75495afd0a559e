import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { V1Pod } from "@kubernetes/client-node";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PersistentVolumeClaim, Pod, Secret } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import type { Allocation } from "../../runtime";
import { claimManifest } from "../claim-store";
import { type PodPlacement, podManifest } from "../pod-manifest";
import { networkPolicy, secretManifests } from "../secret-manifests";

const DIR = path.join(import.meta.dirname, "golden");
const base: Allocation = {
  id: "pod_aa11-1",
  image: { reference: "ghcr.io/owner/train@sha256:0000000000000000000000000000000000000000000000000000000000000000" },
  command: ["python3", "train.py", "--price=$HOME", "$(PATH)"],
  hostname: "pod-aa11",
  limits: { memoryBytes: 2 * 1024 ** 3, cpuMillis: 1500, diskBytes: 1024 ** 3 },
  network: "none",
};
const CREDENTIALS = { username: "ada", password: "correct horse" };
const CASES: readonly [name: string, allocation: Allocation, placement?: PodPlacement][] = [
  ["plain", base],
  ["minimal", { id: "a", image: { reference: "alpine" }, args: ["true"], network: "none" }],
  ["gpu", base, { purchase: "on-demand", gpus: { by: "device-plugin", count: 8 } }],
  ["spot-on-node", base, { purchase: "spot", node: "gpu-node-7" }],
  ["gpu-claim", base, { purchase: "reserved", gpus: { by: "claim", template: "h100-x8" } }],
  ["private-image", { ...base, image: { ...base.image, credentials: CREDENTIALS } }],
  ["volume", { ...base, volumes: [{ id: "pod_aa11-1", path: "/workspace" }] }],
  ["secrets", { ...base, env: { TOKEN: "hunter2", LEVEL: "info" }, user: "1000:1000", workingDir: "/work" }],
];
const PLACE = { nodeId: "node-1", namespace: "svc" };

describe("the manifest of a workload", () => {
  it.each(CASES)("%s: is the golden one, which Kubernetes' schemas accept", (name, allocation, placement) => {
    const pod = podManifest({ ...PLACE, allocation, agentImage: "busybox:1.36", placement });
    const secrets = secretManifests({ ...PLACE, allocation, podUid: "11111111-1111-4111-8111-111111111111" });
    new Pod(wire(pod)).validate();
    for (const secret of secrets) new Secret(wire(secret)).validate();
    expect({ pod, secrets }).toEqual(golden(name, { pod, secrets }));
  });

  it("of a volume is a claim of its size, which the pod of the case before names", () => {
    const claim = claimManifest({ ...PLACE, id: "pod_aa11-1", bytes: 50 * 1024 ** 3 });
    new PersistentVolumeClaim(wire(claim)).validate();
    expect(claim).toEqual(golden("volume-claim", claim));
    const pod = podManifest({
      ...PLACE,
      allocation: { ...base, volumes: [{ id: "pod_aa11-1", path: "/workspace" }] },
      agentImage: "busybox:1.36",
    });
    const [, volume] = pod.spec?.volumes ?? [];
    expect(volume?.persistentVolumeClaim?.claimName).toBe(claim.metadata?.name);
  });

  it("is rejected by the schemas when a field has another type, so that they do check", () => {
    const pod = podManifest({ ...PLACE, allocation: base, agentImage: "busybox:1.36" });
    const wrong = { ...pod, spec: { ...pod.spec, terminationGracePeriodSeconds: "30" } };
    expect(() => new Pod(wire(wrong)).validate()).toThrow(/integer/);
  });

  it("denies all traffic to and from the pods that it makes", () => {
    const policy = networkPolicy("svc");
    new NetworkPolicy(wire(policy)).validate();
    expect(policy).toEqual(golden("network-policy", policy));
    const pod: V1Pod = podManifest({ ...PLACE, allocation: base, agentImage: "busybox:1.36" });
    expect(pod.metadata?.labels).toMatchObject(policy.spec?.podSelector?.matchLabels ?? { none: "" });
  });

  it("has no value of the environment and no password in the pod", () => {
    const allocation = { ...base, env: { TOKEN: "hunter2" }, image: { ...base.image, credentials: CREDENTIALS } };
    const text = JSON.stringify(podManifest({ ...PLACE, allocation, agentImage: "busybox:1.36" }));
    expect(text).not.toMatch(/hunter2|correct horse/);
  });

  it.each([{ user: "ada" }, { hostname: "Pod_1" }])("rejects what a pod cannot express: %o", (change) => {
    const make = () => podManifest({ ...PLACE, allocation: { ...base, ...change }, agentImage: "busybox:1.36" });
    expect(make).toThrow(/on Kubernetes/);
  });
});

/** As it is sent. */
const wire = <T>(value: object): T => JSON.parse(JSON.stringify(value)) as T;

/** With UPDATE_GOLDEN=1 the file is written; read the difference before it is committed. */
function golden(name: string, value: object): unknown {
  const file = path.join(DIR, `${name}.json`);
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  return JSON.parse(readFileSync(file, "utf8"));
}
