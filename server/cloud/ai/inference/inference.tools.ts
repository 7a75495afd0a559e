import type { Tool } from "../../../operation/tool";
import { creationTool, deletionTool, listTool } from "../../core/resources/resource-tools";
import { EndpointSpec } from "./endpoint-spec";

export const inferenceTools: readonly Tool[] = [
  creationTool(
    "gpuc_inference_create name*:s model*:s engine:s gpu_sku*:s gpu_count:i min_replicas:i max_replicas:i tensorizer_uri:s",
    {
      ...{ service: "inference", spec: EndpointSpec },
      description:
        "Creates an endpoint that serves a model with OpenAI's API at observed.url, and as the model inference/<name> of svc_gateway_chat. Each replica is a pod with GPUs, metered by the second. It has as many replicas as its load needs, from min_replicas to max_replicas. With a test key GPUs are simulated, and the engine is test, which is no model: it repeats the last message.",
    },
  ),
  listTool("gpuc_inference_list", "inference"),
  deletionTool("gpuc_inference_delete endpoint_id*:s", "inference"),
];
