import type { ActorCtx } from "../../../identity/identity-ctx";
import { findResource } from "../../core/records/find-resource";
import { noSuchResource, type StoredResource } from "../../core/records/resource";

/** The cluster that the caller may see. Throws `not_found`. */
export async function findCluster(ctx: Pick<ActorCtx, "db" | "actor">, rid: string): Promise<StoredResource> {
  const row = await findResource(ctx, { rid, services: [{ plane: "gpuc", service: "cks" }], right: "checked" });
  if (row.kind !== CLUSTER_KIND) throw noSuchResource(rid);
  return row;
}

export const CLUSTER_KIND = "cluster";
export const NODE_GROUP_KIND = "node_group";
