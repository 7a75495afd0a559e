import type { QuietPart } from "../../identity/part";
import { ITEM_QUOTAS } from "../quotas/item-quotas";
import { creativeRoutes } from "./creatives.routes";
import { creativeTools } from "./creatives.tools";

/** The content of offers. */
export const creativesPart: QuietPart<object, typeof creativeRoutes> = {
  name: "creatives",
  routes: [creativeRoutes],
  tools: creativeTools,
  quotas: [ITEM_QUOTAS.creatives],
};
