import { route, routeGroup } from "../../operation/route";
import { getEarnings } from "../earnings/get-earnings";
import { getReport } from "./get-report";

export const reportRoutes = routeGroup("Reports", "Counts and amounts by time and kind", [
  route("GET", "/v1/ads/reports", getReport),
  route("GET", "/v1/ads/earnings", getEarnings),
]);
