import { dashboardRead, route, routeGroup } from "../../../operation/route";
import { checkpointPod } from "./checkpoint-pod";
import { createPod } from "./create-pod";
import { deletePod } from "./delete-pod";
import { deletePodCheckpoint } from "./delete-pod-checkpoint";
import { estimatePod } from "./estimate-pod";
import { execPod } from "./exec-pod";
import { explainPod } from "./explain-pod";
import { getPod } from "./get-pod";
import { getPodCheckpoint } from "./get-pod-checkpoint";
import { getPodLogs, readPodLogs } from "./get-pod-logs";
import { listPodCheckpoints } from "./list-pod-checkpoints";
import { listPodEvents } from "./list-pod-events";
import { listPods } from "./list-pods";
import { reclaimPod } from "./reclaim-pod";
import { startPod } from "./start-pod";
import { stopPod } from "./stop-pod";

export const podRoutes = routeGroup(
  "Pods",
  "Processes from container images: create, stop, start again, save files, read output",
  [
    route("POST", "/v1/pods", createPod),
    route("GET", "/v1/pods", listPods),
    route("POST", "/v1/pods/estimate", estimatePod),
    route("GET", "/v1/pods/{id}", getPod),
    route("DELETE", "/v1/pods/{id}", deletePod),
    route("GET", "/v1/pods/{id}/explanation", explainPod),
    route("POST", "/v1/pods/{id}/stop", stopPod),
    route("POST", "/v1/pods/{id}/start", startPod),
    route("POST", "/v1/pods/{id}/reclaim", reclaimPod),
    route("POST", "/v1/pods/{id}/checkpoint", checkpointPod),
    route("GET", "/v1/pods/{id}/checkpoints", listPodCheckpoints),
    route("GET", "/v1/pods/{id}/checkpoints/{checkpoint_id}", getPodCheckpoint),
    route("DELETE", "/v1/pods/{id}/checkpoints/{checkpoint_id}", deletePodCheckpoint),
    route("GET", "/v1/pods/{id}/logs", getPodLogs),
    route("POST", "/v1/pods/{id}/exec", execPod),
    route("GET", "/v1/pods/{id}/events", listPodEvents),
    dashboardRead(readPodLogs),
  ],
);
