import { route, routeGroup } from "../../../operation/route";
import { listNodeEvents } from "./list-node-events";
import { reportNodeEvent } from "./report-node-event";

export const nodeEventRoutes = routeGroup("Node health", "Health events of nodes that an instance has for itself", [
  route("POST", "/v1/node-events", reportNodeEvent),
  route("GET", "/v1/node-events", listNodeEvents),
]);
