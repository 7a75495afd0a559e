import type { Part } from "../../identity/part";
import { createReportTurns } from "./get-report";
import type { ReportCtx } from "./report-ctx";
import { reportRoutes } from "./reports.routes";
import { reportTools } from "./reports.tools";

/** Counts and amounts by time. */
export const reportsPart: Part<object, Pick<ReportCtx, "reportTurns">, typeof reportRoutes> = {
  name: "reports",
  routes: [reportRoutes],
  tools: reportTools,
  start: () => ({ gives: { reportTurns: createReportTurns() } }),
};
