import { apiOnly, route, routeGroup } from "../../operation/route";
import { createSessionToken } from "./create-session-token";
import { endSessionToken } from "./end-session-token";
import { refreshSessionToken } from "./refresh-session-token";

export const logInRoutes = routeGroup("Log-in", "Session tokens for people; servers use API keys", [
  apiOnly(route("POST", "/v1/auth/login", createSessionToken)),
  apiOnly(route("POST", "/v1/auth/refresh", refreshSessionToken)),
  apiOnly(route("POST", "/v1/auth/logout", endSessionToken)),
]);
