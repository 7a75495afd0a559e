import { route, routeGroup } from "../../../operation/route";
import { getMetricsSummary } from "./get-metrics-summary";

export const metricsRoutes = routeGroup("Metrics", "What ran in the last hours, and what there is now", [
  route("GET", "/v1/metrics/summary", getMetricsSummary),
]);
