import { z } from "zod";
import { operation } from "../../cloud-operation";
import { Resource } from "../../core/records/resource";
import type { ResourceCtx } from "../../core/records/resource-ctx";
import { removeResource } from "../../core/resources/delete-resource";
import { resourceChoice } from "../../core/resources/resource-fields";
import { instanceExample } from "./instance.example";
import { INSTANCES } from "./instance-services";

/** Deletes an instance. Throws `not_found`. */
export const deleteInstance = operation({
  id: "deleteInstance",
  summary: "Delete an instance",
  description:
    "Its processes are killed and its files deleted; what it used stays metered. The response is 204 when nothing is left of it, or 202 with the resource after 5 seconds while that continues.",
  access: "gpuc:write",
  takesLong: true,
  mayContinue: true,
  input: z.strictObject(resourceChoice),
  output: Resource.optional(),
  example: {
    input: { rid: instanceExample.rid },
    output: { ...instanceExample, state: "deleting", provisioned: false, try_it: [] },
  },
  run: (ctx: ResourceCtx, { rid }, options) =>
    removeResource(ctx, { rid, services: INSTANCES, right: "checked", signal: options?.signal }),
});
