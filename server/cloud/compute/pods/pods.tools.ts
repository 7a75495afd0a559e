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
import { startPod } from "./start-pod";
import { stopPod } from "./stop-pod";

/** What `gpu: true` means, which names no model. */
const DEFAULT_GPU = "h100";
const ABOUT_CREATION =
  "Creates a pod, which runs a container image and is metered by the second until it ends or is stopped. It is pending until its process runs: svc_pods_get shows its status, svc_pods_explain what it waits for, and svc_pods_logs its output. With a test key GPUs are simulated: the process is real, but has none.";
const renamed = { pod_id: "id" };
/** A key has one mode and project. */
const without = ["mode", "project"];

export const podTools = [
  tool("svc_pods_list", listPods, {
    description:
      "Lists the pods of the project, newest first, at most 100. For filters and further pages use the REST API.",
  }),
  tool("svc_pods_create name*:s image*:s gpu:b cpu:i memory_mb:i env:o command:a", createPod, {
    fields: {
      gpu: z.boolean().optional().describe("true: one H100. For other models or several GPUs use svc_pods_run"),
    },
    description: ABOUT_CREATION,
    toInput: ({ gpu, ...rest }) => ({ ...rest, ...(gpu === true && { gpu: DEFAULT_GPU }) }),
  }),
  tool("svc_pods_stop pod_id*:s", stopPod, { renamed }),
  extraTool("svc_pods_run", createPod, {
    without,
    description: `${ABOUT_CREATION} Takes everything that svc_pods_create does not: GPU models and counts, spot, gangs, reservations, volumes.`,
  }),
  extraTool("svc_pods_estimate", estimatePod, { without }),
  extraTool("svc_pods_get", getPod, { renamed }),
  extraTool("svc_pods_explain", explainPod, { renamed }),
  extraTool("svc_pods_start", startPod, { renamed }),
  extraTool("svc_pods_delete", deletePod, { renamed }),
  extraTool("svc_pods_exec", execPod, { renamed }),
  extraTool("svc_pods_logs", getPodLogs, { renamed, without: ["follow"] }),
  extraTool("svc_pods_events", listPodEvents, { renamed }),
];
