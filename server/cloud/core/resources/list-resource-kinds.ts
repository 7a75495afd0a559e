import { z } from "zod";
import { PLANES } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import type { Family } from "../kinds/family";
import { readablePlanes } from "../planes/plane-scope";
import type { ResourceCtx } from "../records/resource-ctx";
import { serviceFilter } from "./resource-fields";

const ResourceKind = z
  .object({
    plane: z.enum(PLANES),
    service: z.string(),
    kind: z.string(),
    is_default: z.boolean(),
    spec: z.record(z.string(), z.unknown()).describe("The JSON schema of `spec`"),
  })
  .meta({ id: "ResourceKind" });

/** Lists every kind of resource with the schema of its spec. */
export const listResourceKinds = operation({
  id: "listResourceKinds",
  summary: "List kinds of resources",
  access: "plane:read",
  input: z.strictObject(serviceFilter),
  output: z.object({ data: z.array(ResourceKind) }),
  example: {
    input: { service: "object" as const },
    output: {
      data: [
        {
          plane: "gpuc" as const,
          service: "object" as const,
          kind: "bucket",
          is_default: true,
          spec: { type: "object", properties: {}, additionalProperties: false },
        },
      ],
    },
  },
  run: async ({ families, actor }: ResourceCtx, { plane, service }) => {
    const planes = readablePlanes(actor, plane);
    const shown = families
      .list()
      .filter((one) => planes.includes(one.plane) && (service === undefined || one.service === service));
    return { data: shown.flatMap(kindsOf) };
  },
});

const kindsOf = (family: Family) =>
  Object.entries(family.kinds).map(([kind, { spec }], at) => ({
    plane: family.plane,
    service: family.service,
    kind,
    is_default: at === 0,
    spec: schemaOf(spec),
  }));

type JsonObject = Record<string, z.core.util.JSONType>;

/** Those of a running process do not change. */
const schemas = new WeakMap<z.ZodType, JsonObject>();

function schemaOf(spec: z.ZodType): JsonObject {
  const known = schemas.get(spec) ?? (z.toJSONSchema(spec, { io: "input" }) as JsonObject);
  schemas.set(spec, known);
  return known;
}
