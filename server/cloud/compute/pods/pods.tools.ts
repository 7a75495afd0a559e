import { z } from "zod";
import { extraTool, tool } from "../../../operation/tool";
import { createPod } from "./create-pod";
import { deletePod } from "./delete-pod";
import { estimatePod } from "./estimate-pod";
import { execPod } from "./exec-pod";
import { explainPod } from "./explain-pod";
import { getPod } from "./get-pod";
import { getPodLogs } from "./get-pod-logs";
import { listPodEvents } from "./list-pod-events";
import { listPods } from "./list-pods";
import { reclaimPod } from "./reclaim-pod";
import { startPod } from "./start-pod";
import { stopPod } from "./stop-pod";

/** What `gpu: true` means, which names no model. */
const DEFAULT_GPU = "h100";
const ABOUT_CREATION =
  "Creates a pod, which runs a container image and is metered by the second until it ends or is stopped.";
const ABOUT_START =
  "It is pending until its process runs: svc_pods_get shows its status, svc_pods_explain what it waits for, and svc_pods_logs its output. With a test key GPUs are simulated: the process is real, but has none.";
const renamed = { pod_id: "id" };
const PROCESS_NOTES = {
  name: "",
  image: "As in `docker pull`",
  cpu: "",
  memory_mb: "",
  command: "Instead of the ENTRYPOINT and CMD of the image",
  env: "Values, or the names of secrets, which take the scope `secrets:reveal`",
  "env.*": "",
};
const PLACEMENT_NOTES = {
  network: "A vpc or one of its subnets, `res_…/default`",
  registry_credentials: "",
  gpu: "",
  gpu_count: "On one node; at most 4 for gb200 and gb300",
  spot: "40 to 60 % cheaper, reclaimed at 30 seconds of notice",
  auto_resume: "Spot pods only: runs again after a reclaim",
  reservation_id: "",
  region: "Of the GPUs; default use",
  gang: "Pods that are placed together or not at all",
  "gang.name": "",
  "gang.size": "",
  ports: "HTTP servers in the pod, at most 8",
  volume: "A disk of the pod, whose files stay when it stops",
  "volume.mount_path": "",
  "volume.size_gb": "",
  volumes: "Resources of dfs, at most 8",
  "volumes.*": "",
  labels: "`job: training` emits training.run.completed or training.run.failed",
};
/** A key has one mode and project. */
const without = ["mode", "project"];
const ESTIMATE_NOTES = Object.fromEntries(
  Object.keys(estimatePod.input.shape).flatMap((argument) => (without.includes(argument) ? [] : [[argument, ""]])),
);

export const podTools = [
  tool("svc_pods_list", listPods, {
    description:
      "Lists the pods of the project, newest first, at most 100. For filters and further pages use the REST API.",
  }),
  tool("svc_pods_create name*:s image*:s gpu:b cpu:i memory_mb:i env:o command:a", createPod, {
    fields: {
      gpu: z.boolean().optional().describe("true: one H100. For other models or several GPUs use svc_pods_run"),
    },
    description: `${ABOUT_CREATION} ${ABOUT_START}`,
    notes: PROCESS_NOTES,
    toInput: ({ gpu, ...rest }) => ({ ...rest, ...(gpu === true && { gpu: DEFAULT_GPU }) }),
  }),
  tool("svc_pods_stop pod_id*:s", stopPod, { renamed }),
  extraTool("svc_pods_run", createPod, {
    without,
    description: `${ABOUT_CREATION} It takes what svc_pods_create does not: GPU models and counts, spot, gangs, reservations, volumes. ${ABOUT_START}`,
    notes: { ...PROCESS_NOTES, ...PLACEMENT_NOTES },
  }),
  extraTool("svc_pods_estimate", estimatePod, {
    without,
    description:
      "Estimates whether a pod fits now, what it costs, and how long it waits. The arguments are those of svc_pods_run; nothing is reserved, so what fits now can be taken by others a moment later.",
    notes: ESTIMATE_NOTES,
  }),
  extraTool("svc_pods_get", getPod, { renamed }),
  extraTool("svc_pods_explain", explainPod, {
    renamed,
    description: "Explains why a pod waits for capacity, for how long, and what would fit now.",
  }),
  extraTool("svc_pods_start", startPod, { renamed }),
  extraTool("svc_pods_reclaim", reclaimPod, {
    renamed,
    description:
      "Rehearses the reclaim of a spot pod in test mode: notice of 30 seconds, SIGTERM, a checkpoint, and a resume with auto_resume.",
  }),
  extraTool("svc_pods_delete", deletePod, { renamed }),
  extraTool("svc_pods_exec", execPod, { renamed }),
  extraTool("svc_pods_logs", getPodLogs, { renamed, without: ["follow"] }),
  extraTool("svc_pods_events", listPodEvents, { renamed }),
];
