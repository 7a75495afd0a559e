import { z } from "zod";
import { operation } from "../../cloud-operation";
import type { ResourceCtx } from "./resource-ctx";
import { PLANES, RESOURCE_SERVICES } from "./services";

const ResourceKind = z
  .object({
    plane: z.enum(PLANES),
    service: z.enum(RESOURCE_SERVICES),
    kind: z.string(),
    is_default: z.boolean(),
    spec: z.record(z.string(), z.unknown()).describe("The JSON schema of `spec`"),
  })
  .meta({ id: "ResourceKind" });

/** Lists every kind of resource with the schema of its spec. */
export const listResourceKinds = operation({
  id: "listResourceKinds",
  summary: "List kinds of resources",
  access: "gpuc:read",
  cost: "cheap",
  input: z.strictObject({
    service: z.enum(RESOURCE_SERVICES).optional().describe("Only kinds of this service"),
  }),
  output: z.object({ data: z.array(ResourceKind) }),
  example: {
    input: { service: "object" as const },
    output: {
      data: [
        {
          ...{ plane: "gpuc" as const, service: "object" as const, kind: "bucket", is_default: true },
          spec: { type: "object", properties: {}, additionalProperties: false },
        },
      ],
    },
  },
  run: async ({ families }: ResourceCtx, { service }) => ({
    data: families.list().flatMap((family) => {
      if (service && family.service !== service) return [];
      return Object.entries(family.kinds).map(([kind, { spec }], at) => ({
        ...{ plane: family.plane, service: family.service, kind, is_default: at === 0 },
        spec: z.toJSONSchema(spec, { io: "input" }) as Record<string, z.core.util.JSONType>,
      }));
    }),
  }),
});
