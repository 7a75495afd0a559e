import type { KubernetesApi } from "../../../engines/runtime/kubernetes/kubernetes-api";
import { canonicalJson } from "../../../kernel/canonical-json";
import type { DesiredResource } from "../../core/kinds/kind";
import { capacitiesOf } from "./cluster-capacity";
import type { ClusterParts } from "./cluster-ctx";
import {
  accountPath,
  bindingPath,
  CLUSTER_LABEL,
  type ClusterCapacity,
  clusterManifests,
  hardOf,
  namespaceOf,
  namespacePath,
  quotaManifest,
} from "./cluster-manifests";
import { POLICIES_PATH, policyManifests } from "./cluster-policy";
import { sameQuantity } from "./quantity";

interface Listed {
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; deletionTimestamp?: string };
  spec?: { hard?: Record<string, string> };
  status?: { phase?: string };
  data?: Record<string, string>;
}

/** What Kubernetes has of a cluster. */
export interface ClusterObjects {
  isActive: boolean;
  isIsolated: boolean;
  /** Whether the Kubernetes rejects what no tenant may have. */
  hasPolicy: boolean;
  hasAccess: boolean;
  hard: Record<string, string> | undefined;
}

/** Makes or repairs every object of a cluster. */
export async function applyCluster(
  { db }: Pick<ClusterParts, "db">,
  api: KubernetesApi,
  desired: Pick<DesiredResource, "rid" | "tenantId" | "mode">,
): Promise<void> {
  const capacity = await capacityOf(db, desired);
  // The policy before the access.
  for (const { path, body } of [...policyManifests(), ...clusterManifests({ ...desired, capacity })]) {
    await api.apply(path, body);
  }
  await applyQuota({ db }, api, desired);
}

/** Gives a cluster the quota of its node groups, also if another process changes them meanwhile. */
export async function applyQuota(
  { db }: Pick<ClusterParts, "db">,
  api: KubernetesApi,
  cluster: Pick<DesiredResource, "rid" | "mode">,
): Promise<void> {
  for (let applied = ""; ; ) {
    const capacity = await capacityOf(db, cluster);
    if (canonicalJson(capacity) === applied) return;
    const { path, body } = quotaManifest(namespaceOf(cluster.rid), capacity);
    await api.apply(path, body);
    applied = canonicalJson(capacity);
  }
}

const capacityOf = async (
  db: ClusterParts["db"],
  cluster: Pick<DesiredResource, "rid" | "mode">,
): Promise<ClusterCapacity> => {
  const found = (await capacitiesOf(db, [cluster])).get(cluster.rid);
  if (!found) throw new Error(`no capacity of ${cluster.rid}`);
  return found;
};

/** What Kubernetes has of all clusters, by their namespace, with as many calls as for one. */
export async function readClusters(api: KubernetesApi): Promise<ReadonlyMap<string, ClusterObjects>> {
  const [namespaces, accounts, bindings, networkPolicies, quotas, policies] = await Promise.all([
    listOf(api, "/api/v1/namespaces"),
    listOf(api, "/api/v1/serviceaccounts"),
    listOf(api, "/apis/rbac.authorization.k8s.io/v1/rolebindings"),
    listOf(api, "/apis/networking.k8s.io/v1/networkpolicies"),
    listOf(api, "/api/v1/resourcequotas"),
    listOf(api, POLICIES_PATH),
  ]);
  const [accountIn, boundIn, isolatedIn] = [accounts, bindings, networkPolicies].map(placesOf);
  const hardIn = new Map(quotas.map(({ metadata, spec }) => [metadata.namespace, spec?.hard]));
  return new Map(
    namespaces.map(({ metadata: { name, deletionTimestamp }, status }) => [
      name,
      {
        isActive: deletionTimestamp === undefined && status?.phase !== "Terminating",
        isIsolated: isolatedIn?.has(name) ?? false,
        hasPolicy: policies.length > 0,
        hasAccess: (accountIn?.has(name) && boundIn?.has(name)) ?? false,
        hard: hardIn.get(name),
      },
    ]),
  );
}

/** Objects with a label, of all namespaces. */
export async function listOf(api: KubernetesApi, path: string, label = CLUSTER_LABEL): Promise<Listed[]> {
  const { items } = await api.call<{ items: Listed[] }>({ path, query: { labelSelector: `${label}=true` } });
  return items;
}

const placesOf = (objects: readonly Listed[]) => new Set(objects.map(({ metadata }) => metadata.namespace));

/** Whether a quota is that of a capacity; Kubernetes may write an amount in another unit. */
export const hasCapacity = (hard: Record<string, string> | undefined, capacity: ClusterCapacity): boolean =>
  Object.entries(hardOf(capacity)).every(([name, amount]) => sameQuantity(hard?.[name], amount));

/** Ends the access of the tenant, with every token, and the pods; other objects stay. */
export async function closeCluster(api: KubernetesApi, rid: string): Promise<void> {
  const namespace = namespaceOf(rid);
  if (!(await api.find({ path: namespacePath(namespace) }))) return;
  for (const path of [bindingPath(namespace), accountPath(namespace)]) await api.find({ method: "DELETE", path });
  const closed = quotaManifest(namespace, { cores: 0, memoryGib: 0, pods: 0, gpus: 0 });
  await api.apply(closed.path, closed.body);
  await api.find({ method: "DELETE", path: `${namespacePath(namespace)}/pods` });
}

/** Deletes the namespace with all that is in it. Returns true when it is gone. */
export async function deleteCluster(api: KubernetesApi, rid: string): Promise<boolean> {
  const path = namespacePath(namespaceOf(rid));
  if (!(await api.find({ path }))) return true;
  await api.find({ method: "DELETE", path });
  return (await api.find({ path })) === undefined;
}
