import type { CloudParts } from "../../server/cloud/cloud-parts";
import type { ActorCtx } from "../../server/identity/identity-ctx";

/** What every operation of the platform can use. */
export type CloudCtx = CloudParts & Pick<ActorCtx, "actor" | "request">;
