import { route, routeGroup } from "../../../operation/route";
import { createClusterKubeconfig } from "./create-cluster-kubeconfig";
import { listNodeGroups } from "./list-node-groups";

export const clusterRoutes = routeGroup("Clusters", "Kubernetes clusters, which are resources of the service cks", [
  route("POST", "/v1/clusters/{rid}/kubeconfig", createClusterKubeconfig),
  route("GET", "/v1/clusters/{rid}/node-groups", listNodeGroups),
]);
