import type { Family } from "../../core/kinds/family";
import { endpointKind } from "./endpoint-kind";
import type { GpucParts } from "./gpuc-ctx";

/** Models that are served. */
export const inferenceFamily = (parts: () => GpucParts): Family => ({
  plane: "gpuc",
  service: "inference",
  label: "Inference",
  summary: "Endpoints that serve a model with OpenAI's API.",
  meters: ["pods"],
  skus: [],
  kinds: { endpoint: endpointKind(parts) },
  tools: {
    create: [
      {
        signature:
          "gpuc_inference_create name*:s model*:s engine:s gpu_sku*:s gpu_count:i min_replicas:i max_replicas:i tensorizer_uri:s",
        about:
          "Creates an endpoint that serves a model with OpenAI's API at observed.url, and as the model inference/<name> of svc_gateway_chat. Each replica is a pod with GPUs, metered by the second. It has as many replicas as its load needs, from min_replicas to max_replicas. With a test key GPUs are simulated, and the engine is test, which is no model: it repeats the last message.",
      },
    ],
    list: { signature: "gpuc_inference_list" },
    delete: "gpuc_inference_delete endpoint_id*:s",
  },
});
