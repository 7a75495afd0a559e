import { z } from "zod";
import { decimalOf, nanosOf } from "../../../kernel/money";
import { type PodShape, priceNanosPerHour } from "../../core/prices/pod-cost";
import { POD_PRICES, PURCHASES, type Purchase } from "../../core/prices/pod-prices";

const TERMS = ["reserved_30d", "reserved_365d"] as const;

export const PodPrice = z.object({
  purchase: z.enum(PURCHASES),
  per_hour: z
    .string()
    .describe("Of one pod, a decimal number in `currency`; without its GPUs if a reservation pays for them"),
  pods: z.int().describe("Pods of the gang, or 1"),
  total_per_hour: z.string().describe("Of all of them"),
  currency: z.string(),
  purchases: z
    .array(z.object({ purchase: z.enum(["on_demand", "spot", ...TERMS]), per_hour: z.string() }))
    .describe(
      "What one pod of this shape costs with its GPUs in each way to buy them; a reservation costs that for its whole term, used or not. Without GPUs there is one",
    ),
});

/** What pods of a shape cost in an hour, beside the other ways to buy their GPUs. */
export function podPrice(
  shape: PodShape,
  { pods, currency }: { pods: number; currency: string },
): z.infer<typeof PodPrice> {
  const nanos = priceNanosPerHour(shape);
  return {
    purchase: shape.purchase,
    per_hour: decimalOf(nanos),
    pods,
    total_per_hour: decimalOf(nanos * BigInt(pods)),
    currency,
    purchases: purchasesOf(shape),
  };
}

function purchasesOf(shape: PodShape): z.infer<typeof PodPrice>["purchases"] {
  const { gpu, gpuCount } = shape;
  const nanosAs = (purchase: Purchase) => priceNanosPerHour({ ...shape, purchase });
  const onDemand = { purchase: "on_demand" as const, per_hour: decimalOf(nanosAs("on_demand")) };
  if (gpu === null) return [onDemand];
  const reserved = TERMS.map((purchase) => {
    const gpus = nanosOf(POD_PRICES.gpu[gpu][purchase]) * BigInt(gpuCount);
    return { purchase, per_hour: decimalOf(nanosAs("reserved") + gpus) };
  });
  return [onDemand, { purchase: "spot", per_hour: decimalOf(nanosAs("spot")) }, ...reserved];
}
