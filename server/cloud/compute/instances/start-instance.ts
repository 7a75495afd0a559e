import { z } from "zod";
import { operation } from "../../cloud-operation";
import { Resource } from "../../core/records/resource";
import type { ResourceCtx } from "../../core/records/resource-ctx";
import { resourceChoice } from "../../core/resources/resource-fields";
import { changeSpec } from "../../core/resources/update-resource";
import { instanceExample } from "./instance.example";
import { INSTANCES } from "./instance-services";

/** Starts a stopped instance. Throws `not_found`, and `conflict` for a placeholder. */
export const startInstance = operation({
  id: "startInstance",
  summary: "Start an instance",
  description:
    "It keeps its files if the node that starts it has them. One that runs stays as it is. The response is sent when it runs, or after 5 seconds while it is `provisioning`; if it cannot start, the reason is in the resource, and svc tries again.",
  access: "gpuc:write",
  takesLong: true,
  stores: true,
  input: z.strictObject(resourceChoice),
  output: Resource,
  example: { input: { rid: instanceExample.rid }, output: { ...instanceExample, generation: 3 } },
  run: (ctx: ResourceCtx, { rid }, options) =>
    changeSpec(ctx, {
      rid,
      services: INSTANCES,
      right: "checked",
      signal: options?.signal,
      change: (spec) => ({ ...spec, running: true }),
    }),
});
