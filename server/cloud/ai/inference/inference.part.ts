import type { Part } from "../../../identity/part";
import { inferenceRoutes } from "./inference.routes";
import { InferenceServing, type InferenceServingParts } from "./inference-serving";

interface Gives {
  /** Inference endpoints as upstreams of the chat gateway. */
  inferenceServing: Pick<InferenceServing, "upstreamsOf">;
}

export const inferencePart: Part<InferenceServingParts, Gives, typeof inferenceRoutes> = {
  name: "inference",
  routes: [inferenceRoutes],
  start: (needs) => {
    const inferenceServing = new InferenceServing(needs);
    return { gives: { inferenceServing }, stop: () => inferenceServing.close() };
  },
};
