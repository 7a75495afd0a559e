import { route, routeGroup } from "../../operation/route";
import { createPod } from "./create-pod";
import { deletePod } from "./delete-pod";
import { executeInPod } from "./execute-in-pod";
import { getPod } from "./get-pod";
import { getPodLogs } from "./get-pod-logs";
import { listPodEvents } from "./list-pod-events";
import { listPods } from "./list-pods";
import { startPod } from "./start-pod";
import { stopPod } from "./stop-pod";

export const podRoutes = routeGroup("Pods", "Processes from container images: create, stop, start again, read output", [
  route("POST", "/v1/pods", createPod),
  route("GET", "/v1/pods", listPods),
  route("GET", "/v1/pods/{id}", getPod),
  route("DELETE", "/v1/pods/{id}", deletePod),
  route("POST", "/v1/pods/{id}/stop", stopPod),
  route("POST", "/v1/pods/{id}/start", startPod),
  route("GET", "/v1/pods/{id}/logs", getPodLogs),
  route("POST", "/v1/pods/{id}/exec", executeInPod),
  route("GET", "/v1/pods/{id}/events", listPodEvents),
]);
