import { route, routeGroup } from "../../../operation/route";
import { createInferenceCompletion } from "./create-inference-completion";
import { listInferenceModels } from "./list-inference-models";

export const inferenceRoutes = routeGroup("Inference", "The models of inference endpoints behind OpenAI's API", [
  route("POST", "/v1/inference/{rid}/v1/chat/completions", createInferenceCompletion),
  route("GET", "/v1/inference/{rid}/v1/models", listInferenceModels),
]);
