import { route, routeGroup } from "../../operation/route";
import { getToolCalls } from "../tool-calls/get-tool-calls";
import { getRequestCounts } from "./get-request-counts";

export const requestCountRoutes = routeGroup("Usage", "API requests by key over time, and calls of tools", [
  route("GET", "/v1/usage/requests", getRequestCounts),
  route("GET", "/v1/usage/tool-calls", getToolCalls),
]);
