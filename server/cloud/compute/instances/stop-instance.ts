import { z } from "zod";
import { operation } from "../../cloud-operation";
import { Resource } from "../../core/records/resource";
import type { ResourceCtx } from "../../core/records/resource-ctx";
import { resourceChoice } from "../../core/resources/resource-fields";
import { changeSpec } from "../../core/resources/update-resource";
import { instanceExample } from "./instance.example";
import { INSTANCES } from "./instance-services";

const observed = { ...(instanceExample.observed as object), status: "stopped", metered_seconds: 5400 };

/** Stops an instance. Throws `not_found`, and `conflict` for a placeholder. */
export const stopInstance = operation({
  id: "stopInstance",
  summary: "Stop an instance",
  description:
    "Its processes receive SIGTERM, and SIGKILL after 30 seconds; its files stay for the next start. `observed.metered_seconds` is the runtime that was metered over all starts. A stopped instance costs nothing. The response is sent when it has stopped, or after 5 seconds while it is `provisioning`.",
  access: "gpuc:write",
  takesLong: true,
  input: z.strictObject(resourceChoice),
  output: Resource,
  example: {
    input: { rid: instanceExample.rid },
    output: {
      ...instanceExample,
      generation: 2,
      spec: { ...instanceExample.spec, running: false },
      observed,
      try_it: [],
    },
  },
  run: (ctx: ResourceCtx, { rid }, options) =>
    changeSpec(ctx, {
      rid,
      services: INSTANCES,
      right: "checked",
      signal: options?.signal,
      change: (spec) => ({ ...spec, running: false }),
    }),
});
