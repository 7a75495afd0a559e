import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "kubernetes-models/admissionregistration.k8s.io/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { Role, RoleBinding } from "kubernetes-models/rbac.authorization.k8s.io/v1";
import { ConfigMap, LimitRange, Namespace, ResourceQuota, ServiceAccount } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { BASE_CAPACITY, clusterManifests, groupManifest, hardOf, type Manifest } from "./cluster-manifests";
import { hasCapacity } from "./cluster-objects";
import { policyManifests } from "./cluster-policy";

const rid = "res_01jd0z3k5q8v6w2x4y7a9b1c3d";
const SCHEMAS = {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Namespace,
  NetworkPolicy,
  ResourceQuota,
  LimitRange,
  Role,
  ServiceAccount,
  RoleBinding,
  ConfigMap,
};

/** With UPDATE_GOLDEN=1 the file is written. */
function golden(name: string, value: unknown): unknown {
  const file = path.join(import.meta.dirname, "golden", `${name}.json`);
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  return JSON.parse(readFileSync(file, "utf8"));
}

function validate({ body }: Manifest): void {
  const { kind } = body as { kind: keyof typeof SCHEMAS };
  new SCHEMAS[kind](structuredClone(body) as never).validate();
}

describe("the objects of a cluster", () => {
  it("are the golden ones, which Kubernetes' schemas accept", () => {
    const capacity = { ...BASE_CAPACITY, cores: 200, memoryGib: 2064, gpus: 8 };
    const manifests = clusterManifests({ rid, tenantId: "ten_a", capacity });
    for (const manifest of manifests) validate(manifest);
    expect(manifests).toEqual(golden("cluster", manifests));
  });

  it("include a policy that rejects what would reach other tenants, for every namespace of a cluster", () => {
    const manifests = policyManifests();
    for (const manifest of manifests) validate(manifest);
    expect(manifests).toEqual(golden("policy", manifests));
    const text = JSON.stringify(manifests);
    for (const refused of ["externalIPs", "kubernetes.io/service-account-token", "system-", "nodeName"])
      expect(text).toContain(refused);
    expect(text).toContain('"failurePolicy":"Fail"');
    expect(text).toContain('"validationActions":["Deny"]');
  });

  it("of a node group are the golden ones", () => {
    const taints = [{ key: "gpu", value: "", effect: "NoSchedule" as const }];
    const group = { clusterId: rid, rid, name: "train", sku: "H100", nodes: 2, gpus: 16, labels: { a: "b" }, taints };
    const manifest = groupManifest(group);
    validate(manifest);
    expect(manifest).toEqual(golden("node-group", manifest));
  });

  it("are rejected by the schemas when a field has another type, so that they do check", () => {
    const [first] = clusterManifests({ rid, tenantId: "ten_a", capacity: BASE_CAPACITY });
    const wrong = { path: "", body: { ...first?.body, metadata: { name: 1 } } };
    expect(() => validate(wrong)).toThrow(/string/);
  });
});

describe("the quota of a cluster", () => {
  it("is that of its capacity in any unit that Kubernetes writes, and no other", () => {
    const capacity = { cores: 8, memoryGib: 2048, pods: 50, gpus: 8 };
    const same = { ...hardOf(capacity), "limits.memory": "2Ti", "requests.cpu": "8000m" };
    expect(hasCapacity(same, capacity)).toBe(true);
    expect(hasCapacity({ ...same, pods: "51" }, capacity)).toBe(false);
    expect(hasCapacity(undefined, capacity)).toBe(false);
  });
});
