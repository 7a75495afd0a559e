import { z } from "zod";
import { operation } from "../../cloud-operation";
import { findResource } from "./find-resource";
import { Resource, toResource } from "./resource";
import { resourceExample } from "./resource.example";
import type { ResourceCtx } from "./resource-ctx";
import { askedServices, ofService, resourceChoice } from "./resource-fields";

/** Returns a resource, as its effect was seen last. Throws `not_found`. */
export const getResource = operation({
  id: "getResource",
  summary: "Get a resource",
  access: "plane:read",
  cost: "cheap",
  input: z.strictObject({ ...resourceChoice, ...ofService }),
  output: Resource,
  example: { input: { rid: resourceExample.rid }, output: resourceExample },
  run: async (ctx: ResourceCtx, { rid, ...of }) =>
    toResource(ctx.families, await findResource(ctx, { rid, services: askedServices(of), right: "read" })),
});
