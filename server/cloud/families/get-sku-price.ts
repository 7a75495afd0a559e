import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { PLANES } from "../../operation/actor";
import { operation } from "../cloud-operation";
import type { Sku } from "../core/kinds/sku";
import { assertPlaneScope } from "../core/planes/plane-scope";
import { PLAN_TIERS, tiersOf } from "../core/planes/planes";
import { resourceFields } from "../core/resources/resource-fields";
import type { GpucCtx } from "./gpuc/gpuc-ctx";

const PURCHASES = ["on_demand", "spot", "reserved_30d", "reserved_365d"] as const;
const Plan = z.enum([...PURCHASES, ...PLAN_TIERS]);
type Plan = z.output<typeof Plan>;

const SkuPrice = z
  .object({
    plane: z.enum(PLANES),
    service: z.string(),
    sku: z.string(),
    plan: Plan,
    unit: z.string().describe("What the price is for"),
    price: z.string().describe("A decimal number in `currency`"),
    currency: z.string(),
    source: z.enum(["platform", "svc"]),
  })
  .meta({ id: "SkuPrice" });

/**
 * Returns one price. Throws `not_found` for a SKU, whose details list those of the service, and `invalid_request` for a
 * service that the plane does not have and for a plan.
 */
export const getSkuPrice = operation({
  id: "getSkuPrice",
  summary: "Get the price of a SKU",
  description:
    "A plan tier limits how many resources there can be and has the price of on_demand. An unknown SKU is 404, and `details.skus` lists those of the service.",
  access: "plane:read",
  input: z.strictObject({
    sku: z.string().max(100).describe("Its id"),
    plane: resourceFields.plane,
    service: resourceFields.service,
    plan: Plan.default("on_demand").describe("How it is bought, or a plan tier of the plane; default on_demand"),
  }),
  output: SkuPrice,
  example: {
    input: { sku: "dlp.gb", plane: "edge" as const, service: "dlp" },
    output: {
      plane: "edge" as const,
      service: "dlp",
      sku: "dlp.gb",
      plan: "on_demand" as const,
      unit: "gb",
      price: "0.10",
      currency: "USD",
      source: "platform" as const,
    },
  },
  run: async (
    { families, currency, actor }: ActorCtx & Pick<GpucCtx, "currency" | "families">,
    { sku: asked, plane, service, plan },
  ) => {
    assertPlaneScope(actor, plane, "read");
    const { skus } = families.askedFamily({ plane, service });
    const found = skus.find(({ sku }) => sku === asked);
    if (!found)
      throw new ServiceError(
        "not_found",
        `${service} of ${plane} has no SKU ${asked}; GET /v1/skus lists those with a price.`,
        {
          param: "sku",
          details: { skus: skus.map(({ sku }) => sku) },
        },
      );
    const plans = plansOf(found, tiersOf(plane));
    const price = plans.get(plan);
    if (price === undefined)
      throw new ServiceError("invalid_request", `plan: expected one of ${[...plans.keys()].join(", ")}.`, {
        param: "plan",
      });
    const { sku, unit, source = "svc" as const } = found;
    return { plane, service, sku, plan, unit, price, currency, source };
  },
});

/** What a SKU costs, by each plan that it is sold with. */
function plansOf(sku: Sku, tiers: readonly Plan[]): Map<Plan, string> {
  const prices = [
    ...PURCHASES.map((one) => [one, sku[one]] as const),
    ...tiers.map((one) => [one, sku.on_demand] as const),
  ];
  return new Map(prices.flatMap(([plan, price]) => (price === null ? [] : [[plan, price] as const])));
}
