import { tool } from "../../../operation/tool";
import { getMetricsSummary } from "./get-metrics-summary";

export const metricsTools = [tool("svc_observe_metrics window_hours:i", getMetricsSummary)];
