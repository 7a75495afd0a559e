import type { RuntimeConfig } from "../../../engines/start-runtime";
import type { Part } from "../../../identity/part";
import { ClusterHost } from "./cluster-host";
import { clusterRoutes } from "./clusters.routes";

interface Needs {
  config: Pick<RuntimeConfig, "runtime" | "kubernetes">;
}

interface Gives {
  /** The Kubernetes in which clusters are made. */
  clusterHost: ClusterHost;
}

/** Clusters. Where RUNTIME names another runtime, they are not made in the Kubernetes of a developer's KUBECONFIG. */
export const clustersPart: Part<Needs, Gives, typeof clusterRoutes> = {
  name: "clusters",
  routes: [clusterRoutes],
  start: ({ config: { runtime, kubernetes } }) => ({
    gives: {
      clusterHost: new ClusterHost(runtime === "auto" || runtime === "kubernetes" ? kubernetes?.access : undefined),
    },
  }),
};
