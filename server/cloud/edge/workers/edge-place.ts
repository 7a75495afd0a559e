import type { Actor, Owner } from "../../../operation/actor";

/** A function acts as a key of its own project and mode, regardless of the caller. */
export const actorOf = ({ tenantId, projectId, mode }: Owner): Actor => ({
  kind: "key",
  tenantId,
  projectId,
  mode,
  keyId: "",
  scopes: new Set(),
});
