import { route, routeGroup } from "../../operation/route";
import { listQuotas } from "../quotas/list-quotas";
import { getTenant } from "./get-tenant";

export const tenantRoutes = routeGroup("Tenant", "The account that a key belongs to, and its limits", [
  route("GET", "/v1/tenants/me", getTenant),
  route("GET", "/v1/quotas", listQuotas),
]);
