import { z } from "zod";
import { PLANES, type Plane } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { scopeOf } from "../planes/plane-scope";
import { findResource } from "../records/find-resource";
import { Resource, toResource } from "../records/resource";
import { resourceExample } from "../records/resource.example";
import type { ResourceCtx } from "../records/resource-ctx";
import { type DependentRow, readDependents } from "../references/references.sql";
import { askedServices, ofService, resourceChoice } from "./resource-fields";

const DEPENDENTS_MAX = 100;

const Dependent = z.object({
  rid: z.string(),
  plane: z.enum(PLANES),
  service: z.string(),
  kind: z.string(),
  name: z.string(),
  param: z.string().describe("The field of its spec that refers to this resource, such as `spec.network`"),
  on_delete: z
    .enum(["restrict", "cascade", "none"])
    .describe(
      "What the deletion of this resource does: `restrict`, it is refused; `cascade`, both are deleted; `none`, the other one continues without it",
    ),
});

const ResourceDetails = Resource.extend({
  dependents: z
    .array(Dependent)
    .describe(`The resources that refer to this one, oldest first, at most ${DEPENDENTS_MAX}`),
}).meta({ id: "ResourceDetails" });

/** Returns a resource, as its effect was seen last, with what refers to it. Throws `not_found`. */
export const getResource = operation({
  id: "getResource",
  summary: "Get a resource",
  access: "plane:read",
  input: z.strictObject({ ...resourceChoice, ...ofService }),
  output: ResourceDetails,
  example: { input: { rid: resourceExample.rid }, output: { ...resourceExample, dependents: [] } },
  run: async (ctx: ResourceCtx, { rid, ...of }) => {
    const row = await findResource(ctx, { rid, services: askedServices(of), right: "read" });
    const dependents = await readDependents(ctx.db, { id: row.id, limit: DEPENDENTS_MAX });
    // A caller without the scope of a plane does not learn what is in it.
    const readable = dependents.filter(({ plane }) => ctx.actor.scopes.has(scopeOf(plane as Plane, "read")));
    return { ...toResource(ctx.families, row), dependents: readable.map(toDependent) };
  },
});

const toDependent = ({ onDelete, plane, service, ...row }: DependentRow): z.output<typeof Dependent> => ({
  ...row,
  plane: plane as Plane,
  service,
  on_delete: onDelete,
});
