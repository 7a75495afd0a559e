import { route, routeGroup } from "../../../operation/route";
import { deleteInstance } from "./delete-instance";
import { listInstances } from "./list-instances";
import { startInstance } from "./start-instance";
import { stopInstance } from "./stop-instance";

export const instanceRoutes = routeGroup("Instances", "GPU, CPU and baremetal instances, which are resources", [
  route("GET", "/v1/instances", listInstances),
  route("POST", "/v1/instances/{rid}/start", startInstance),
  route("POST", "/v1/instances/{rid}/stop", stopInstance),
  route("DELETE", "/v1/instances/{rid}", deleteInstance),
]);
