import type { PodsCtx } from "../../compute/pods/pods-ctx";
import type { ReconcileCtx } from "../../core/reconciler/reconcile-ctx";
import type { ChatGateway } from "../gateway/gateway";

export interface InferenceCtx extends PodsCtx {
  /** The models of all upstreams. */
  gateway: ChatGateway;
  /** What takes the next steps of a resource. */
  reconciling: ReconcileCtx;
}

/** The part of the context that is the same for every call. */
export type InferenceParts = Omit<InferenceCtx, "actor" | "request">;
