import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFilter } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { Resource, toResource } from "../../core/records/resource";
import { instanceExample } from "./instance.example";
import type { InstanceCtx } from "./instance-ctx";
import { INSTANCE_SERVICES } from "./instance-services";

const KINDS = ["gpu", "cpu", "metal"] as const;

/** Lists the instances of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listInstances = operation({
  id: "listInstances",
  summary: "List instances",
  access: "gpuc:read",
  input: z.strictObject({
    ...PageQuery.shape,
    kind: z.enum(KINDS).optional().describe("Only instances of this kind; metal: baremetal"),
    ...ownerFilter("instances"),
  }),
  output: pageOf(Resource),
  example: { input: { kind: "gpu" as const }, output: examplePage(instanceExample) },
  run: async (ctx: ActorCtx & Pick<InstanceCtx, "families">, input) => {
    const { kind } = input;
    const services = kind === undefined ? [...INSTANCE_SERVICES] : [kind === "metal" ? "baremetal" : kind];
    const { data, next_cursor } = await pageOfOwner(
      ctx,
      { list: "instances", input, filters: { kind } },
      ({ where, ...page }) =>
        ctx.db.resource.findMany({
          where: { ...where, plane: "gpuc", service: { in: services }, archivedAt: null },
          ...page,
        }),
    );
    return { data: data.map((row) => toResource(ctx.families, row)), next_cursor };
  },
});
