import type { ResourceCtx } from "../../core/records/resource-ctx";
import type { PodsCtx } from "../pods/pods-ctx";

export interface InstanceCtx extends PodsCtx, ResourceCtx {}

/** The part of the context that is the same for every call. */
export type InstanceParts = Omit<InstanceCtx, "actor" | "request">;
