import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { PLANES } from "../../operation/actor";
import { operation } from "../cloud-operation";
import { readablePlanes } from "../core/planes/plane-scope";
import { resourceFields, serviceFilter } from "../core/resources/resource-fields";
import type { GpucCtx } from "./gpuc/gpuc-ctx";

const Price = z.string().nullable();

const Sku = z
  .object({
    sku: z.string(),
    plane: z.enum(PLANES),
    category: z.string().describe("A service of the plane"),
    description: z.string(),
    unit: z.string().describe("What the prices are for"),
    on_demand: Price.describe("A decimal number in `currency`; null: it is not sold that way"),
    spot: Price,
    reserved_30d: Price.describe("Of its GPUs in a reservation of 30 days, used or not"),
    reserved_365d: Price,
    currency: z.string(),
    source: z
      .enum(["platform", "svc"])
      .describe("Who set the prices: `platform`, its published list, or `svc`, the operator of this installation"),
  })
  .meta({ id: "Sku" });

/** Lists SKUs with their prices. */
export const listSkus = operation({
  id: "listSkus",
  summary: "List SKUs with their prices",
  description:
    "Those of the planes that the scopes allow to read. The prices are those that usage and invoices are computed with.",
  access: "plane:read",
  input: z.strictObject({
    plane: serviceFilter.plane,
    category: resourceFields.service.optional().describe("Only SKUs of this service"),
  }),
  output: z.object({ data: z.array(Sku) }),
  example: {
    input: { category: "gpu" },
    output: {
      data: [
        {
          sku: "H100",
          plane: "gpuc" as const,
          category: "gpu",
          description: "One H100 with 2 cores and 2 GiB of memory",
          unit: "hour",
          on_demand: "2.558",
          spot: "1.3",
          reserved_30d: "2",
          reserved_365d: "1.6",
          currency: "USD",
          source: "svc" as const,
        },
      ],
    },
  },
  run: async (
    { families, currency, actor }: ActorCtx & Pick<GpucCtx, "currency" | "families">,
    { plane, category },
  ) => {
    const planes = readablePlanes(actor, plane);
    const shown = families
      .list()
      .filter((family) => planes.includes(family.plane) && (category === undefined || family.service === category));
    return {
      data: shown.flatMap((family) =>
        family.skus.map((sku) => ({
          ...sku,
          plane: family.plane,
          category: family.service,
          currency,
          source: sku.source ?? ("svc" as const),
        })),
      ),
    };
  },
});
