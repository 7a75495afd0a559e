import { route, routeGroup } from "../../operation/route";
import { createEdgeFunction } from "./create-edge-function";
import { deleteEdgeFunction } from "./delete-edge-function";
import { getEdgeFunction } from "./get-edge-function";
import { getEdgeLogs } from "./get-edge-logs";
import { getEdgeVersion } from "./get-edge-version";
import { listEdgeFunctions } from "./list-edge-functions";
import { listEdgeVersions } from "./list-edge-versions";
import { publishEdgeFunction } from "./publish-edge-function";
import { restoreEdgeVersion } from "./restore-edge-version";
import { updateEdgeFunction } from "./update-edge-function";

export const edgeRoutes = routeGroup(
  "Edge functions",
  "JavaScript that responds to the requests of a host of its own: draft, publish, roll back",
  [
    route("POST", "/v1/edge/functions", createEdgeFunction),
    route("GET", "/v1/edge/functions", listEdgeFunctions),
    route("GET", "/v1/edge/functions/{id}", getEdgeFunction),
    route("PATCH", "/v1/edge/functions/{id}", updateEdgeFunction),
    route("DELETE", "/v1/edge/functions/{id}", deleteEdgeFunction),
    route("POST", "/v1/edge/functions/{id}/publish", publishEdgeFunction),
    route("POST", "/v1/edge/functions/{id}/restore", restoreEdgeVersion),
    route("GET", "/v1/edge/functions/{id}/versions", listEdgeVersions),
    route("GET", "/v1/edge/functions/{id}/versions/{version}", getEdgeVersion),
    route("GET", "/v1/edge/functions/{id}/logs", getEdgeLogs),
  ],
);
