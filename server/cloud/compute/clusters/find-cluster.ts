import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import type { AdmitCtx } from "../../core/resources/family";
import { findResource } from "../../core/resources/find-resource";
import { noSuchResource, type StoredResource } from "../../core/resources/resource";

/** The cluster that the caller may see. Throws `not_found`. */
export async function findCluster(
  ctx: Pick<ActorCtx, "db" | "actor"> & { place?: AdmitCtx["place"] },
  rid: string,
): Promise<StoredResource> {
  const row = await findResource(ctx, {
    rid,
    services: [{ plane: "gpuc", service: "cks" }],
    right: "checked",
    place: ctx.place,
  });
  if (row.kind !== CLUSTER_KIND) throw noSuchResource(rid);
  return row;
}

/** Throws `not_found` for a cluster that is not of the same project and mode; the error names the field of a spec. */
export async function requireCluster(ctx: AdmitCtx, rid: string): Promise<void> {
  await findCluster(ctx, rid).catch((cause: unknown) => {
    if (!(cause instanceof ServiceError) || cause.code !== "not_found") throw cause;
    const message = `spec.cluster_id: no cluster has the id "${rid}"; see gpuc_cks_list.`;
    throw new ServiceError("not_found", message, { param: "spec.cluster_id" });
  });
}

export const CLUSTER_KIND = "cluster";
export const NODE_GROUP_KIND = "node_group";

/** What belongs to a cluster: its node groups, and its Slurm. */
export const partsOfCluster = (clusterId: string) => ({
  plane: "gpuc",
  OR: [{ service: "cks", kind: NODE_GROUP_KIND }, { service: "sunk" }],
  spec: { path: ["cluster_id"], equals: clusterId },
  archivedAt: null,
});
