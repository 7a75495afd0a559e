import type { Actor } from "../../../operation/actor";
import type { EdgePlace } from "./edge-runner";

/** A function acts as a key of its own project and mode, regardless of the caller. */
export const actorOf = ({ tenantId, projectId, mode }: EdgePlace): Actor => ({
  ...{ kind: "key", tenantId, projectId, mode, keyId: "", scopes: new Set() },
});
