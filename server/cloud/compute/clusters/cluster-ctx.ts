import type { ResourceCtx } from "../../core/records/resource-ctx";
import type { PodsCtx } from "../pods/pods-ctx";
import type { ClusterHost } from "./cluster-host";

export interface ClusterCtx extends PodsCtx, ResourceCtx {
  /** The Kubernetes in which clusters are made. */
  clusterHost: ClusterHost;
}

/** The part of the context that is the same for every call. */
export type ClusterParts = Omit<ClusterCtx, "actor" | "request">;
