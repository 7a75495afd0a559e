import { route, routeGroup } from "../../operation/route";
import { createSessionToken } from "./create-session-token";
import { endSessionToken } from "./end-session-token";
import { refreshSessionToken } from "./refresh-session-token";

export const logInRoutes = routeGroup("Log-in", "Session tokens for people; servers use API keys", [
  route("POST", "/v1/auth/login", createSessionToken),
  route("POST", "/v1/auth/refresh", refreshSessionToken),
  route("POST", "/v1/auth/logout", endSessionToken),
]);
