import { dashboardChange, dashboardRead, route, routeGroup } from "../../operation/route";
import { getRates } from "../quotas/get-rates";
import { listQuotas } from "../quotas/list-quotas";
import { changeRole } from "./change-role";
import { getTenant } from "./get-tenant";
import { listMembers } from "./list-members";
import { listTenants } from "./list-tenants";
import { removeMember } from "./remove-member";
import { renameTenant } from "./rename-tenant";

export const tenantRoutes = routeGroup("Tenant", "The account that a key belongs to, and its limits", [
  route("GET", "/v1/tenants/me", getTenant),
  route("GET", "/v1/quotas", listQuotas),
  dashboardRead(getRates),
  dashboardRead(listTenants),
  dashboardChange(renameTenant),
  dashboardRead(listMembers),
  dashboardChange(changeRole),
  dashboardChange(removeMember),
]);
