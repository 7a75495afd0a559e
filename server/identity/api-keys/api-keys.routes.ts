import { dashboardRead, route, routeGroup } from "../../operation/route";
import { createApiKey } from "./create-api-key";
import { getApiKey } from "./get-api-key";
import { listApiKeys } from "./list-api-keys";
import { listScopes } from "./list-scopes";
import { revokeApiKey } from "./revoke-api-key";
import { rotateApiKey } from "./rotate-api-key";

export const apiKeyRoutes = routeGroup("API keys", "Keys with scopes: create, rotate, revoke", [
  route("POST", "/v1/keys", createApiKey),
  route("GET", "/v1/keys", listApiKeys),
  route("GET", "/v1/keys/{id}", getApiKey),
  route("POST", "/v1/keys/{id}/rotate", rotateApiKey),
  route("POST", "/v1/keys/{id}/revoke", revokeApiKey),
  dashboardRead(listScopes),
]);
