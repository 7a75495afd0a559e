import { route, routeGroup } from "../../operation/route";
import { getRequestCounts } from "./get-request-counts";

export const requestCountRoutes = routeGroup("Usage", "API requests by key over time", [
  route("GET", "/v1/usage/requests", getRequestCounts),
]);
