import type { QuietPart } from "../../../identity/part";
import { metricsRoutes } from "./metrics.routes";
import { metricsTools } from "./metrics.tools";

export const usagePart: QuietPart<object, typeof metricsRoutes> = {
  name: "usage",
  routes: [metricsRoutes],
  tools: metricsTools,
};
