import type { ClusterParts } from "../../compute/clusters/cluster-ctx";
import { applyCluster, closeCluster, deleteCluster } from "../../compute/clusters/cluster-objects";
import { ClusterSpec } from "../../compute/clusters/cluster-spec";
import { readClusterStates } from "../../compute/clusters/read-cluster-states";
import type { Kind, PlanStep } from "../../core/kinds/kind";

/** A cluster: a namespace of the Kubernetes of the installation, with an account that can use it alone. */
export const clusterKind = (parts: () => ClusterParts): Kind<ClusterSpec> => ({
  spec: ClusterSpec,
  blockerOf: ({ version }) => parts().clusterHost.blocker(version),
  plan: planOf,
  provision: async (desired) => {
    const { db, clusterHost } = parts();
    await clusterHost.use((api) => applyCluster({ db }, api, desired));
    return (await readClusterStates(parts(), [desired])).get(desired.rid) ?? { is: "absent" };
  },
  observe: (all) => readClusterStates(parts(), all),
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
