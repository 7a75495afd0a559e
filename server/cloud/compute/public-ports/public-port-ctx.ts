import type { PublicPortRange } from "../../../engines/start-runtime";
import type { SqlCtx } from "../../../identity/identity-ctx";
import type { PodRuns } from "../pods/pod-runs";

export interface PublicPortCtx extends SqlCtx {
  /** The node of this process, which runs pods. */
  podRuns: PodRuns;
  /** The ports that resources can have. */
  publicPorts: PublicPortRange;
}

/** The part of the context that is the same for every call. */
export type PublicPortParts = Omit<PublicPortCtx, "actor" | "request">;
