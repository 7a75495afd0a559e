import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { Resource, toResource } from "../../core/records/resource";
import { resourceExample } from "../../core/records/resource.example";
import { resourceChoice } from "../../core/resources/resource-fields";
import type { ClusterCtx } from "./cluster-ctx";
import { findCluster, NODE_GROUP_KIND } from "./find-cluster";

/** Lists the node groups of a cluster, newest first. Throws `not_found`. */
export const listNodeGroups = operation({
  id: "listNodeGroups",
  summary: "List the node groups of a cluster",
  description:
    "Placeholders are listed too. A node group is a resource of the service `cks` and the kind `node_group`.",
  access: "gpuc:read",
  input: z.strictObject({ ...PageQuery.shape, ...resourceChoice }),
  output: pageOf(Resource),
  example: { input: { rid: resourceExample.rid }, output: examplePage(resourceExample) },
  run: async (ctx: ActorCtx & Pick<ClusterCtx, "families">, input) => {
    const { mode, projectId } = await findCluster(ctx, input.rid);
    const asked = { ...input, mode, project: projectId };
    const spec = { path: ["cluster_id"], equals: input.rid };
    const { data, next_cursor } = await pageOfOwner(
      ctx,
      { list: "node_groups", input: asked, filters: { rid: input.rid } },
      ({ where, ...page }) =>
        ctx.db.resource.findMany({
          where: { ...where, plane: "gpuc", service: "cks", kind: NODE_GROUP_KIND, spec, archivedAt: null },
          ...page,
        }),
    );
    return { data: data.map((row) => toResource(ctx.families, row)), next_cursor };
  },
});
