import { z } from "zod";
import { ownerFilter } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { readablePlanes } from "../planes/plane-scope";
import { Resource, toResource } from "../records/resource";
import { resourceExample } from "../records/resource.example";
import type { ResourceCtx } from "../records/resource-ctx";
import { resourceFields, serviceFilter } from "./resource-fields";

/** Lists the resources of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listResources = operation({
  id: "listResources",
  summary: "List resources",
  description: "Those of the planes that the scopes allow to read. Placeholders are listed too.",
  access: "plane:read",
  input: z.strictObject({
    ...PageQuery.shape,
    ...serviceFilter,
    kind: resourceFields.kind.optional().describe("Only resources of this kind"),
    ...ownerFilter("resources"),
  }),
  output: pageOf(Resource),
  example: { input: { service: "object" as const }, output: examplePage(resourceExample) },
  run: async (ctx: ResourceCtx, input) => {
    const { plane, service, kind } = input;
    const planes = readablePlanes(ctx.actor, plane);
    const filters = { planes: planes.join(" "), service, kind };
    const chosen = {
      plane: { in: planes },
      ...(service !== undefined && { service }),
      ...(kind !== undefined && { kind }),
    };
    const { data, next_cursor } = await pageOfOwner(ctx, { list: "resources", input, filters }, ({ where, ...page }) =>
      ctx.db.resource.findMany({ where: { ...where, ...chosen, archivedAt: null }, ...page }),
    );
    return { data: data.map((row) => toResource(ctx.families, row)), next_cursor };
  },
});
