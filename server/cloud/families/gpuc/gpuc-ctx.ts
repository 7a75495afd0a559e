import type { InferenceCtx } from "../../ai/inference/inference-ctx";
import type { ClusterCtx } from "../../compute/clusters/cluster-ctx";
import type { PublicPortCtx } from "../../compute/public-ports/public-port-ctx";
import type { BucketCtx } from "../../data/buckets/bucket-ctx";
import type { TelemetryCtx } from "../../obs/ingest/telemetry-ctx";

/** What the kinds of this plane use: the contexts of the nouns that they provision. */
export interface GpucCtx extends ClusterCtx, InferenceCtx, PublicPortCtx, BucketCtx, TelemetryCtx {}

/** The part of the context that is the same for every call. */
export type GpucParts = Omit<GpucCtx, "actor" | "request">;
