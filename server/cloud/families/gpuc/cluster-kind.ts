import { capacitiesOf } from "../../compute/clusters/cluster-capacity";
import type { ClusterParts } from "../../compute/clusters/cluster-ctx";
import { type ClusterCapacity, namespaceOf } from "../../compute/clusters/cluster-manifests";
import {
  applyCluster,
  type ClusterObjects,
  closeCluster,
  deleteCluster,
  hasCapacity,
  readClusters,
} from "../../compute/clusters/cluster-objects";
import { ClusterSpec } from "../../compute/clusters/cluster-spec";
import type { DesiredResource, Kind, Observation, PlanStep } from "../../core/kinds/kind";

/** A cluster: a namespace of the Kubernetes of the installation, with an account that can use it alone. */
export const clusterKind = (parts: () => ClusterParts): Kind<ClusterSpec> => ({
  spec: ClusterSpec,
  blockerOf: ({ version }) => parts().clusterHost.blocker(version),
  plan: planOf,
  provision: async (desired) => {
    const { db, clusterHost } = parts();
    await clusterHost.use((api) => applyCluster({ db }, api, desired));
    return (await lookAt(parts(), [desired])).get(desired.rid) ?? { is: "absent" };
  },
  observe: (all) => lookAt(parts(), all),
  remove: async (desired) => {
    const { db, clusterHost } = parts();
    const isGone = await clusterHost.use((api) => deleteCluster(api, desired.rid));
    if (isGone) await db.clusterNodes.deleteMany({ where: { clusterId: desired.rid } });
    return isGone;
  },
  suspend: async (desired) => {
    await parts().clusterHost.use((api) => closeCluster(api, desired.rid));
    return true;
  },
  endpoints: (_wanted, { server }) => (typeof server === "string" ? [{ protocol: "kubernetes", url: server }] : []),
  tryIt: ({ rid }) => [
    {
      title: "Get a kubeconfig, which works for an hour",
      command: `svc clusters kubeconfig ${rid} --json | jq -r .kubeconfig > kubeconfig.json`,
    },
    { title: "List its pods", command: "kubectl --kubeconfig kubeconfig.json get pods" },
  ],
});

async function lookAt(
  parts: ClusterParts,
  all: readonly DesiredResource<ClusterSpec>[],
): Promise<ReadonlyMap<string, Observation>> {
  const { db, clusterHost } = parts;
  const [found, capacities, { server }] = await Promise.all([
    clusterHost.use(readClusters),
    capacitiesOf(db, all),
    clusterHost.endpoint(),
  ]);
  return new Map(
    all.flatMap((desired): [string, Observation][] => {
      const objects = found.get(namespaceOf(desired.rid));
      const capacity = capacities.get(desired.rid);
      return capacity ? [[desired.rid, observationOf(desired, { objects, capacity, server })]] : [];
    }),
  );
}

interface Look {
  objects: ClusterObjects | undefined;
  capacity: ClusterCapacity;
  server: string;
}

function observationOf({ rid, mode }: DesiredResource<ClusterSpec>, { objects, capacity, server }: Look): Observation {
  // What is missing is made again.
  if (!objects?.isActive || !objects.isIsolated || !objects.hasPolicy || !objects.hasAccess) return { is: "absent" };
  if (!hasCapacity(objects.hard, capacity)) return { is: "absent" };
  const observed = {
    server,
    namespace: namespaceOf(rid),
    isolation: "namespace",
    cores: capacity.cores,
    memory_gib: capacity.memoryGib,
    pods_max: capacity.pods,
    gpus: capacity.gpus,
    simulated_gpus: mode === "test",
  };
  return { is: "present", observed };
}

const planOf = ({ subnets }: ClusterSpec, name: string): PlanStep[] => [
  {
    step: "namespace",
    what: `A namespace for "${name}" with a quota, default limits and the Pod Security level baseline`,
    proof: "kubectl get resourcequota shows svc-capacity",
  },
  {
    step: "isolate",
    what: `A network policy: its pods reach each other and its DNS alone${subnets.length > 0 ? "; subnets are kept in the record" : ""}`,
    proof: "A pod of another namespace cannot connect to a pod of it",
  },
  {
    step: "admission",
    what: "A policy of the whole Kubernetes: no services with external addresses, and no tokens without an end",
    proof: "kubectl apply of a service with externalIPs is forbidden",
  },
  {
    step: "access",
    what: "A service account that can use this namespace alone",
    proof: "kubectl with a kubeconfig of POST /v1/clusters/{rid}/kubeconfig applies a ConfigMap",
  },
];
