import { dashboardRead, route, routeGroup } from "../../../operation/route";
import { createEdgeFunction } from "./create-edge-function";
import { deleteEdgeFunction } from "./delete-edge-function";
import { deleteEdgeKvKey } from "./delete-edge-kv-key";
import { getEdgeFunction } from "./get-edge-function";
import { getEdgeKvValue } from "./get-edge-kv-value";
import { getEdgeLogs, readEdgeLogs } from "./get-edge-logs";
import { getEdgeVersion } from "./get-edge-version";
import { listEdgeFunctions } from "./list-edge-functions";
import { listEdgeKvKeys } from "./list-edge-kv-keys";
import { listEdgeVersions } from "./list-edge-versions";
import { publishEdgeFunction } from "./publish-edge-function";
import { putEdgeKvValue } from "./put-edge-kv-value";
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
    route("GET", "/v1/edge/kv/{namespace}/keys", listEdgeKvKeys),
    route("GET", "/v1/edge/kv/{namespace}/keys/{key}", getEdgeKvValue),
    route("PUT", "/v1/edge/kv/{namespace}/keys/{key}", putEdgeKvValue),
    route("DELETE", "/v1/edge/kv/{namespace}/keys/{key}", deleteEdgeKvKey),
    dashboardRead(readEdgeLogs),
  ],
);
