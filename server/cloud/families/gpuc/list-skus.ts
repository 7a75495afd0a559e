import { z } from "zod";
import { operation } from "../../cloud-operation";
import { RESOURCE_SERVICES } from "../../core/resources/services";
import type { GpucCtx } from "./gpuc-ctx";
import { SKUS } from "./gpuc-prices";

const Price = z.string().nullable();

const Sku = z
  .object({
    sku: z.string(),
    category: z.enum(RESOURCE_SERVICES),
    description: z.string(),
    unit: z.string().describe("What the prices are for"),
    on_demand: Price.describe("A decimal number in `currency`; null: it is not sold that way"),
    spot: Price,
    reserved_30d: Price.describe("Of its GPUs in a reservation of 30 days, used or not"),
    reserved_365d: Price,
    currency: z.string(),
    source: z.literal("svc").describe("Who set the prices: `svc`, the operator of this installation"),
  })
  .meta({ id: "Sku" });

/** Lists SKUs with their prices. */
export const listSkus = operation({
  id: "listSkus",
  summary: "List SKUs with their prices",
  description: "The prices are those that usage and invoices are computed with.",
  access: "gpuc:read",
  cost: "cheap",
  input: z.strictObject({
    category: z.enum(RESOURCE_SERVICES).optional().describe("Only SKUs of this service"),
  }),
  output: z.object({ data: z.array(Sku) }),
  example: {
    input: { category: "gpu" as const },
    output: {
      data: SKUS.filter(({ sku, category }) => sku === "H100" && category === "gpu").map((sku) => ({
        ...sku,
        ...{ currency: "USD", source: "svc" as const },
      })),
    },
  },
  run: async ({ currency }: GpucCtx, { category }) => ({
    data: SKUS.filter((sku) => category === undefined || sku.category === category).map((sku) => ({
      ...sku,
      ...{ currency, source: "svc" as const },
    })),
  }),
});
